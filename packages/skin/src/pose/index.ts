/** Posing by a few points of the skin, in the space that example shapes span. */
export { beginMeshIk, type MeshIk } from './mesh-ik/mesh-ik.ts';
export { BUILD_POSER_DEFAULTS, type BuildPoserOptions } from './options.ts';
export * from './runtime/index.ts';
export { buildPoser } from './training/build-poser.ts';
export { matchControls, transferPoser } from './training/transfer.ts';
