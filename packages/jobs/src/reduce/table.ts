/** `pelt reduce`: what it takes. */
import { REDUCE_WEIGHTS_DEFAULTS, WEIGHT_METHODS, type WeightMethod } from '@pelt/skin/reduce/options';
import { boneCount, choice, flag, outputFile, positive, whole } from '../request/kinds.ts';
import { EXAMPLE_OPTIONS, growthLimit, TRANSPORT } from '../request/shared-options.ts';
import { defineTable } from '../request/table.ts';
import { TARGET_NAMES } from './targets.ts';

export type ReduceMethod = WeightMethod | 'two-layer';

const TWO_LAYER = { only: { option: 'method', values: ['two-layer'] } };

export const REDUCE = defineTable({
  inputs: [
    { name: 'rig', help: 'a skinned GLB or glTF' },
    {
      name: 'examples',
      many: true,
      optional: true,
      help: 'the shapes it shall keep, at the frames of its clip (default: what it plays)',
    },
  ],
  output: { kind: outputFile('glb', 'vrm'), required: true, help: 'the GLB, or the avatar (.vrm), to write' },
  threads: true,
  options: {
    ...EXAMPLE_OPTIONS,
    method: {
      kind: choice<ReduceMethod>([...WEIGHT_METHODS, 'two-layer']),
      default: REDUCE_WEIGHTS_DEFAULTS.method,
      help: 'how to reduce weights',
    },
    weights: {
      kind: whole(1),
      help: 'most weights a vertex',
      otherwise: `what --target takes, else ${REDUCE_WEIGHTS_DEFAULTS.weights}`,
    },
    bones: { kind: boneCount(), help: 'most bones' },
    virtual: {
      kind: whole(1),
      help: 'number of virtual bones',
      otherwise: 'so many that a vertex costs four blends, or as many as the file has room for',
      ...TWO_LAYER,
    },
    masters: {
      kind: flag,
      default: false,
      help: 'keep the master bones in the file, and the layers as an extension',
      ...TWO_LAYER,
    },
    keepBones: { kind: flag, default: false, help: 'leave bones and rest pose where they are, as in any skeleton' },
    refitBones: {
      kind: flag,
      default: false,
      help: 'let the bones of a skeleton move: nearer shapes, but a curve more for each',
    },
    loops: {
      kind: flag,
      default: true,
      help: 'store a motion that repeats once',
      without: 'store a motion that repeats as often as it is played',
    },
    maxError: { kind: growthLimit, help: 'fewer keys and bits up to this error: 5% (growth), 2.1 (E_RMS) or 3mm' },
    budget: { kind: positive, help: 'the least error within so many kilobytes: bones, weights, keys and bits' },
    time: { kind: positive, help: 'seconds that the search for a budget may take', otherwise: 'a few rigs are tried' },
    compress: { kind: choice(['none', 'meshopt']), help: 'pack the file' },
    for: TRANSPORT,
    lods: {
      kind: whole(1, 6),
      help: 'write so many levels of detail beside the file, each with half the triangles: small-lod1.glb',
      otherwise: 'none',
    },
    textures: {
      kind: flag,
      default: false,
      help: 'encode images again as WebP, no larger than --target shows them; needs the package sharp',
    },
    target: { kind: choice(TARGET_NAMES), help: 'limits of a platform' },
  },
  examples: `
    # Two weights a vertex, fitted to what the rig plays
    pelt reduce character.glb --weights 2 -o light.glb
    # Fitted to the shapes that the rig was made from, and compressed
    pelt reduce character.glb rest.obj clip.pc2 --compress meshopt -o small.glb
    # Fewer keys, a length as the limit
    pelt reduce character.glb --max-error 5mm -o thin.glb
    # The best that fits into a size
    pelt reduce character.glb --budget 12 -o tiny.glb
    # Two levels of detail beside it, with a half and a quarter of the triangles
    pelt reduce character.glb --weights 4 --lods 2 --compress meshopt -o near.glb
    # Virtual bones
    pelt reduce character.glb --method two-layer --virtual 12 -o layers.glb`,
});
