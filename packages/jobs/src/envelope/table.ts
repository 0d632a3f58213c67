/** `pelt envelope`: what it takes. */

import type { DynamicsMethod } from '@pelt/skin/dynamics/options';
import {
  ENVELOPE_DEFAULTS,
  type EnvelopeMethod,
  type EnvelopeReduction,
  REDUCE_ENVELOPE_DEFAULTS,
} from '@pelt/skin/envelope/options';
import { TEACH_DEFAULTS } from '@pelt/skin/teach/options';
import { between, choice, flag, frames, inputFile, outputFile, positive, text, whole } from '../request/kinds.ts';
import { COMPRESS, EXAMPLE_CLIPS_OPTIONS } from '../request/shared-options.ts';
import { defineTable } from '../request/table.ts';

/** `mohr-gleicher` is linear blend skinning over added joints: no learnt skin, and always baked. */
export type Predictor = EnvelopeMethod | 'mohr-gleicher';

/** Of predictors that are reduced to proxy bones. */
const REDUCED = { only: { option: 'predictor', values: ['linear-maps', 'wang'] } };

/** Of poses that are solved rather than read. */
const TAUGHT = { only: { option: 'teacher', values: ['volume'] } };

export const ENVELOPE = defineTable({
  inputs: [
    {
      name: 'rig',
      help: 'the skinned glTF whose clips have the skeleton of every example; with --teacher a mesh, with --drive an example',
    },
    {
      name: 'examples',
      many: true,
      optional: true,
      help: 'the shapes, frame by frame: a mesh and its cache, frames, a folder, a glTF; or handles as JSON',
    },
  ],
  output: { kind: outputFile('glb'), required: true, help: 'the GLB to write' },
  threads: true,
  options: {
    ...EXAMPLE_CLIPS_OPTIONS,
    teacher: {
      kind: choice(['none', 'volume']),
      default: 'none',
      help: 'solve poses of a closed mesh as a solid, and learn from these in place of examples',
    },
    rig: {
      kind: inputFile,
      help: 'a skinned .glb or .gltf whose joints lie in the mesh',
      otherwise: 'the mesh',
      ...TAUGHT,
    },
    poses: {
      kind: whole(1),
      default: TEACH_DEFAULTS.poses,
      help: 'poses that the teacher solves to learn from',
      ...TAUGHT,
    },
    heldOut: { kind: whole(0), default: TEACH_DEFAULTS.heldOut, help: 'poses that it solves to measure on', ...TAUGHT },
    range: {
      kind: between(0, 180),
      help: 'degrees that joints turn which no clip of the rig moves',
      otherwise: '0, or 45 of a rig without clips',
      ...TAUGHT,
    },
    train: { kind: frames, default: 'all', help: 'training frames, as 1,12,24, or all' },
    predictor: {
      kind: choice<Predictor>(['linear-maps', 'wang', 'psd', 'ssd', 'mohr-gleicher']),
      default: ENVELOPE_DEFAULTS.method,
      help: 'predictor of the gradients, or a baseline for comparison',
    },
    reduce: {
      kind: choice<EnvelopeReduction>(['affine-bones', 'wang']),
      default: REDUCE_ENVELOPE_DEFAULTS.method,
      help: 'how proxy bones are found: by decomposition, or as published',
      ...REDUCED,
    },
    proxies: {
      kind: whole(1),
      help: 'number of proxy bones; the maximum to try with --max-error',
      otherwise: 'three per bone, 30 at least',
      ...REDUCED,
    },
    maxError: {
      kind: positive,
      help: 'use as few proxies as differ from the full skin by at most this E_RMS',
      ...REDUCED,
    },
    weights: { kind: whole(1), default: ENVELOPE_DEFAULTS.weights, help: 'maximum weights per vertex' },
    dynamics: {
      kind: choice<DynamicsMethod>(['auto', 'none', 'twist', 'resonators']),
      default: 'none',
      help: 'secondary motion: by motion of the joints, by resonators, or what frames left out choose',
      only: { option: 'predictor', values: ['linear-maps', 'wang', 'psd', 'ssd'] },
    },
    drive: {
      kind: text,
      help: 'without a rig, all inputs being examples: what moves them: auto (the least deforming part), a group or a joint',
      only: { option: 'dynamics', values: ['auto', 'twist', 'resonators'] },
    },
    suggest: {
      kind: flag,
      default: false,
      help: 'name the poses and motions, of the clips of the rig and of single joints, that would teach most',
    },
    bake: {
      kind: flag,
      default: false,
      help: 'write the proxy bones as joints with the clips baked, for any engine',
      only: { option: 'predictor', values: ['linear-maps', 'wang', 'psd', 'ssd'] },
    },
    compress: COMPRESS,
  },
  examples: `
    # Learn from every frame
    pelt envelope character.glb frames -o learnt.glb
    # Learn from four frames, and measure on the others
    pelt envelope character.glb frames --train 1,4,8,12 -o few.glb
    # In a packed file
    pelt envelope character.glb frames --compress meshopt -o packed.glb
    # Learn from a simulation how the skin swings, too
    pelt envelope character.glb rest.obj clip.pc2 --dynamics auto -o swings.glb
    # Cloth without a skeleton, as it hangs on its least deforming part
    pelt envelope rest.obj clip.pc2 --drive auto --dynamics auto -o cloth.glb
    # From a closed mesh with a skeleton alone: learn how a solid bends
    pelt envelope character.glb --teacher volume --poses 8 -o solid.glb
    # For any engine: the proxy bones as joints, the clips baked
    pelt envelope character.glb frames --proxies 12 --bake -o everywhere.glb`,
});
