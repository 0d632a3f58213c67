/** `pelt pose`: what it takes. */
import { BUILD_POSER_DEFAULTS, POSE_DEFAULTS } from '@pelt/skin/pose/options';
import { CONTROLS, handles, softHandles } from '../request/handles.ts';
import { flag, inputFile, inputFiles, outputFile, positive, whole } from '../request/kinds.ts';
import { defineTable } from '../request/table.ts';

export const POSE = defineTable({
  inputs: [
    {
      name: 'model',
      help: 'a saved GLB, a skinned and animated glTF, or a mesh at rest with --examples',
    },
  ],
  output: {
    kind: outputFile(),
    required: false,
    help: 'the posed mesh (.obj, .ply, .glb); with --path a clip (.glb) or its frames',
  },
  threads: true,
  options: {
    examples: {
      kind: inputFiles,
      help: 'poses of the model to learn from: meshes, a folder, a cache, or handles as JSON',
    },
    handle: { kind: handles, default: [], help: 'hold a vertex, counted from 0, at a position; may be repeated' },
    soft: { kind: softHandles, default: [], help: 'pull a vertex to a position with softness s' },
    path: { kind: inputFile, help: 'handles over time, as JSON' },
    save: {
      kind: outputFile('glb'),
      help: 'the GLB that stores the learnt character, to be opened without its examples',
    },
    transfer: { kind: inputFile, help: 'transfer the pose space of another saved character' },
    controls: { kind: whole(1), default: CONTROLS, help: 'number of controls to learn' },
    proxies: { kind: whole(1), default: BUILD_POSER_DEFAULTS.proxies, help: 'maximum number of proxies' },
    regions: {
      kind: whole(1),
      default: BUILD_POSER_DEFAULTS.regions as number,
      help: 'regions of the body that blend the examples each for itself; 1 as published',
    },
    mirror: {
      kind: flag,
      default: true,
      help: 'mirror the examples too, where the mesh is symmetric and they predict examples left out better',
      without: 'learn from the examples alone, not from their mirror images',
    },
    plant: {
      kind: flag,
      default: false,
      help: 'hold feet that stand still in the examples, unless they are pulled',
    },
    details: {
      kind: flag,
      default: BUILD_POSER_DEFAULTS.details,
      help: 'store the residuals of the controls at the examples, as morph targets',
      without: 'omit the residuals of the controls at the examples: a smaller, smoother character',
    },
    ridge: { kind: positive, default: POSE_DEFAULTS.ridge, help: 'weight of the regulariser towards the examples' },
    pull: { kind: positive, default: POSE_DEFAULTS.pull, help: 'largest force of a handle' },
  },
  examples: `
    # Learn from examples, and save the model
    pelt pose rest.obj --examples frames --controls 6 --save poser.glb
    # Learn and pose by two points in one command
    pelt pose rest.obj --examples frames --controls 6 --handle 0=0,0,0 --handle 140=1,0.5,0 -o posed.obj
    # Pose a rigged character, with its own animation as examples
    pelt pose character.glb --handle 140=1,0.5,0 -o posed.glb`,
});
