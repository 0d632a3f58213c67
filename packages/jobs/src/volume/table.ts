/** `pelt volume`: what it takes. */
import { DECOMPOSE_DEFAULTS } from '@pelt/skin/decompose/options';
import { TETRAHEDRALIZE_DEFAULTS } from '@pelt/skin/tetrahedra/options';
import { VOLUME_DEFORMER_DEFAULTS, VOLUME_METHODS } from '@pelt/skin/volume/options';
import {
  boneCount,
  choice,
  frames,
  inputFile,
  inputFiles,
  nonNegative,
  outputFile,
  positive,
  text,
  whole,
  wordOr,
} from '../request/kinds.ts';
import { NAME } from '../request/shared-options.ts';
import { defineTable } from '../request/table.ts';

/** An option of the own method; the published one has none of it. */
const SMOOTH = { only: { option: 'method', values: ['smooth'] } };

export const VOLUME = defineTable({
  inputs: [{ name: 'mesh', help: 'a closed mesh: .obj, .ply, .glb' }],
  output: {
    kind: outputFile(),
    required: true,
    help: 'what to write: .pc2, .mdd, frames as .obj or .ply, or a skinned .glb',
  },
  threads: true,
  options: {
    rig: {
      kind: inputFile,
      help: 'a skinned .glb or .gltf whose bones lie in the mesh at rest',
      otherwise: 'the mesh, if it is one',
    },
    clip: { kind: text, help: 'which animation of the rig, by name or number', otherwise: 'the first' },
    bvh: { kind: inputFile, help: 'a capture file, instead of --rig' },
    landmarks: {
      kind: inputFile,
      help: 'positions of the capture\'s joints in the mesh: JSON, { "LeftArm": [x, y, z], … }',
    },
    save: { kind: outputFile('glb'), help: 'a GLB to write with the body in it, which is then not filled again' },
    constraints: {
      kind: wordOr('auto', inputFile),
      default: 'auto',
      help: "'auto', or a file with the indices of the vertices that follow the bones",
    },
    examples: {
      kind: inputFiles,
      help: 'shapes of the mesh in some frames of the motion: meshes, a cache, a folder, a glTF',
      ...SMOOTH,
    },
    at: { kind: frames, help: 'the frames of the examples, as 1,12,24, or all', otherwise: 'all' },
    step: { kind: whole(1), default: 1, help: 'use every nth frame of the motion' },
    method: {
      kind: choice(VOLUME_METHODS),
      default: VOLUME_DEFORMER_DEFAULTS.method,
      help: "how to deform; 'budd-hilton' is the published iteration",
    },
    volumeWeight: {
      kind: nonNegative,
      default: VOLUME_DEFORMER_DEFAULTS.volumeWeight,
      help: 'weight of volume preservation; 0 for none',
      ...SMOOTH,
    },
    bending: {
      kind: nonNegative,
      default: VOLUME_DEFORMER_DEFAULTS.bending,
      help: 'resistance of the surface to bending; 0 for none',
      ...SMOOTH,
    },
    rotationWeight: {
      kind: nonNegative,
      default: VOLUME_DEFORMER_DEFAULTS.rotationWeight,
      help: "weight of the bones' rotations against the body's own; 0 for none",
      ...SMOOTH,
    },
    constraintStiffness: {
      kind: positive,
      default: VOLUME_DEFORMER_DEFAULTS.constraintStiffness,
      help: 'stiffness of automatic constraints; those of a file hold exactly',
      ...SMOOTH,
    },
    tolerance: {
      kind: positive,
      default: VOLUME_DEFORMER_DEFAULTS.tolerance,
      help: 'change per round at which a frame has converged',
    },
    spacing: {
      kind: positive,
      default: TETRAHEDRALIZE_DEFAULTS.spacing,
      help: 'size of the tetrahedra at the surface, in edge lengths',
    },
    grading: { kind: nonNegative, default: TETRAHEDRALIZE_DEFAULTS.grading, help: 'growth of their size with depth' },
    bones: { kind: boneCount(), default: 32, help: 'number of bones that a GLB is fitted with' },
    weights: { kind: whole(1), default: DECOMPOSE_DEFAULTS.weights, help: 'maximum weights per vertex of a GLB' },
    name: NAME,
  },
  examples: `
    # A mesh moved by the skeleton of a rigged file, as a point cache
    pelt volume body.obj --rig character.glb -o moved.pc2
    # The same as a skinned GLB that plays anywhere
    pelt volume body.obj --rig character.glb --bones 12 -o moved.glb
    # A capture file on a mesh without a skeleton
    pelt volume body.obj --bvh walk.bvh --landmarks joints.json --step 4 -o walking.pc2
    # Keep the tetrahedra in a file, for pages and for the next time
    pelt volume body.obj --rig character.glb --save solid.glb -o moved.pc2
    # Shaped by two sculpts of the mesh, in the poses of the third and the last frame
    pelt volume body.obj --rig character.glb --examples half.obj bent.obj --at 3,5 -o shaped.pc2`,
});
