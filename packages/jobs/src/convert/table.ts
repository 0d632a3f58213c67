/** `pelt convert`: what it takes. */
import { choice, flag, outputFile, whole, wordOr } from '../request/kinds.ts';
import { ALL_CLIPS_OPTIONS, NAME, SEQUENCE_INPUT, TRANSPORT } from '../request/shared-options.ts';
import { defineTable } from '../request/table.ts';

export const CONVERT = defineTable({
  inputs: [SEQUENCE_INPUT],
  output: {
    kind: outputFile(),
    required: true,
    help: 'what to write: .obj, .ply (one file a frame), .pc2, .mdd, .abc, .glb, .fbx, .usdz, .usda, .vrm, .vrma or .bvh',
  },
  options: {
    ...ALL_CLIPS_OPTIONS,
    frame: {
      kind: wordOr('rest', whole(1)),
      help: "one frame alone, from 1, or 'rest' for the rest pose",
      otherwise: 'all',
    },
    name: { ...NAME, help: 'name of the mesh in a .glb' },
    bake: {
      kind: flag,
      default: false,
      help: 'write a glTF as morph targets, one a frame, in place of its skin',
    },
    blending: {
      kind: choice(['linear', 'dual-quaternion']),
      help: 'how the skin of a GLB blends, where pelt plays it',
      otherwise: 'as it does',
    },
    compress: {
      kind: choice(['none', 'meshopt', 'khr']),
      default: 'none',
      help: 'pack a GLB; khr by the ratified name',
    },
    vat: {
      kind: choice(['png', 'exr']),
      help: 'frames as a vertex animation texture of 16 bits (png) or floats (exr) beside a .glb, as OpenVAT lays it out',
      otherwise: 'none',
    },
    for: { ...TRANSPORT, otherwise: 'brotli, as servers do', only: { option: 'compress', values: ['meshopt', 'khr'] } },
    ascii: { kind: flag, default: false, help: 'PLY as text' },
  },
  examples: `
    # A mesh and its cache as a GLB with morph targets
    pelt convert rest.obj clip.pc2 -o clip.glb
    # The same as an Alembic archive
    pelt convert rest.obj clip.pc2 -o archive.abc
    # An Alembic archive at another rate
    pelt convert clip.abc --fps 12 -o slow.glb
    # A folder of frames as a cache
    pelt convert frames --fps 30 -o clip.mdd
    # A skinned animation as numbered meshes
    pelt convert character.glb --fps 24 -o baked/pose-####.obj
    # One animation of a glTF, with its skin and all that it has
    pelt convert character.glb --clip 0 -o one.glb
    # A glTF as it is, in fewer bytes
    pelt convert character.glb --compress meshopt -o packed.glb
    # The same for a server that sends files as they are
    pelt convert character.glb --compress meshopt --for none -o plain.glb
    # A glTF with its skin and its clips as FBX, for Maya, Unity or Unreal
    pelt convert character.glb -o character.fbx
    # The same as USDZ, for Apple's viewers
    pelt convert character.glb -o character.usdz
    # The motion of its joints alone
    pelt convert character.glb -o motion.bvh
    # A humanoid as an avatar
    pelt convert person.glb -o person.vrm
    # Its clips as motion for any avatar
    pelt convert dancer.glb -o dance.vrma
    # Frames as a texture that shaders play, for crowds
    pelt convert rest.obj clip.pc2 --vat png -o crowd.glb
    # The rest pose alone
    pelt convert character.glb --frame rest -o character.ply`,
});
