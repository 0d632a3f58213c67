/** `pelt puppet`: what it takes. */
import { PERFORM_DEFAULTS, PUPPET_DEFAULTS } from '@pelt/skin/puppet/options';
import {
  choice,
  flag,
  inputFile,
  names,
  nonNegative,
  outputFile,
  positive,
  text,
  whole,
  wordOr,
} from '../request/kinds.ts';
import { defineTable } from '../request/table.ts';

export const PUPPET = defineTable({
  inputs: [{ name: 'character', help: 'a skinned .glb or .gltf' }],
  output: { kind: outputFile(), required: true, help: 'the GLB to write; with --suggest the JSON' },
  options: {
    motion: { kind: inputFile, required: true, help: 'BVH, or a recording of a Kinect or of MediaPipe Pose' },
    pairs: { kind: inputFile, help: 'the poses to learn from, as JSON' },
    suggest: { kind: whole(1), help: 'write a file of pairs with so many moments of the motion, to be filled in' },
    projection: {
      kind: choice(['linear', 'positive', 'l1']),
      default: PUPPET_DEFAULTS.projection,
      help: 'how poses are expressed by the pairs',
    },
    lambda: { kind: nonNegative, default: PUPPET_DEFAULTS.lambda, help: 'what going beyond the pairs costs under l1' },
    interpolation: {
      kind: choice(['kinematic', 'linear']),
      default: PUPPET_DEFAULTS.interpolation,
      help: 'how poses are put together',
    },
    parts: { kind: choice(['whole', 'body', 'limbs']), default: PUPPET_DEFAULTS.parts, help: 'what is learnt apart' },
    features: {
      kind: choice(['directions', 'positions']),
      default: PUPPET_DEFAULTS.features,
      help: 'what is compared of the performer',
    },
    delay: {
      kind: nonNegative,
      default: PUPPET_DEFAULTS.delay,
      help: 'most seconds by which smoothing may lag; 0 for none',
    },
    travel: {
      kind: nonNegative,
      default: PUPPET_DEFAULTS.travel,
      help: 'how far the character goes, by its height; 0 stays',
    },
    turn: {
      kind: flag,
      default: PUPPET_DEFAULTS.turn,
      help: 'turn with the performer',
      without: 'do not turn with the performer',
    },
    contacts: {
      kind: wordOr('none', wordOr('auto', names)),
      default: PUPPET_DEFAULTS.contacts,
      help: "feet that shall not slide: 'auto', or names with commas between",
    },
    loose: {
      kind: names,
      default: PUPPET_DEFAULTS.loose,
      help: 'bones that swing after the motion, with all below: names with commas between',
    },
    fps: { kind: positive, help: 'frames a second of recordings that do not say' },
    keys: { kind: positive, default: PERFORM_DEFAULTS.framesPerSecond, help: 'most keys a second to write' },
    name: { kind: text, default: PERFORM_DEFAULTS.name, help: 'name of the new animation' },
    keepClips: { kind: flag, default: false, help: "keep the character's own animations beside the new one" },
    aspect: { kind: positive, help: 'width over height of the picture that landmarks were found in' },
    depth: { kind: positive, help: 'what the depth of such landmarks is multiplied by' },
  },
  examples: `
    # A recorded performance onto a character
    pelt puppet dog.glb --pairs dog.json --motion me.bvh -o performed.glb
    # Arms and legs on their own, and feet that do not slide
    pelt puppet dog.glb --pairs dog.json --motion me.bvh --parts body --contacts auto -o dog-2.glb
    # Eight moments of a recording that are worth a pair, as a file to fill in
    pelt puppet dog.glb --motion me.bvh --suggest 8 -o pairs.json`,
});
