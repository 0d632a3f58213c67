/** Pose: mesh-based inverse kinematics, in the space that example shapes span. */
export { createMeshIk, type MeshIk } from './mesh-ik/mesh-ik.ts';
export {
  BUILD_POSER_DEFAULTS,
  type BuildPoserOptions,
  EXTEND_POSER_DEFAULTS,
  type ExtendPoserOptions,
  TRANSFER_POSER_DEFAULTS,
  type TransferPoserOptions,
} from './options.ts';
export * from './runtime/index.ts';
export { buildPoser, type PoserExamples } from './training/build-poser.ts';
export { type AddedExample, extendPoser } from './training/extend-poser.ts';
export { transferPoser } from './training/transfer.ts';
