/** `pelt clean`: what it takes. */
import { CLEAN_DEFAULTS } from '@pelt/skin/puppet/options';
import { flag, names, nonNegative, outputFile } from '../request/kinds.ts';
import { defineTable } from '../request/table.ts';

export const CLEAN = defineTable({
  inputs: [{ name: 'character', help: 'a skinned .glb, .gltf or .vrm with animations' }],
  output: { kind: outputFile(), required: true, help: 'the GLB to write' },
  options: {
    jitter: {
      kind: nonNegative,
      default: CLEAN_DEFAULTS.jitter,
      help: 'width of the smoothing of joints, in seconds, which adds no delay; 0 for none',
    },
    feet: {
      kind: flag,
      default: CLEAN_DEFAULTS.feet,
      help: 'plant feet while they stand',
      without: 'let feet slide',
    },
    loop: {
      kind: flag,
      default: CLEAN_DEFAULTS.loop,
      help: 'keep the part of each animation that repeats best, closed into a loop',
    },
    clips: { kind: names, help: 'names of the animations to clean, separated by commas', otherwise: 'all' },
  },
  examples: `
    # Smooth the joints and plant the feet of every animation
    pelt clean dog.glb -o cleaned.glb
    # Make a loop of one of them
    pelt clean dog.glb --clips Wag --loop -o loop.glb`,
});
