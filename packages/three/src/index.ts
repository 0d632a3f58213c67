/** Plays pelt's models in three.js, with any of its renderers. */
export { DriverLayer, type DriverLayerOptions, DriverStack } from './drive/driver-stack.ts';
export { PoseControls, type PoseControlsEvents, type PoseControlsOptions } from './drive/pose-controls.ts';
export { PoseMorphs } from './drive/pose-morphs.ts';
export {
  POSE_SOLVER_DEFAULTS,
  PoseSolver,
  type PoseSolverEvents,
  type PoseSolverOptions,
  type SkinHandle,
} from './drive/pose-solver.ts';
export { PUPPET_DRIVER_DEFAULTS, PuppetDriver, type PuppetDriverOptions } from './drive/puppet-driver.ts';
export { RestSpace } from './drive/rest-space.ts';
export { VOLUME_DRIVER_DEFAULTS, VolumeDriver, type VolumeDriverOptions } from './drive/volume-driver.ts';
export {
  PELT_LOADER_DEFAULTS,
  type PeltContent,
  type PeltLoaderOptions,
  PeltLoaderPlugin,
} from './loader/pelt-loader-plugin.ts';
export { MeshSliders } from './mesh/mesh-sliders.ts';
export { PaletteSkeleton } from './mesh/palette-skeleton.ts';
export { type MeshShader, PeltMesh, peltMeshesOf } from './mesh/pelt-mesh.ts';
export type { Skinning } from './mesh/vertex-deformer.ts';
export { bonesOf, meshOf, rigOf } from './model/geometry-rig.ts';
export { setStockSkin, skinOf } from './model/geometry-skin.ts';
export {
  envelopeModel,
  linearModel,
  type PeltModel,
  poserModel,
  twoLayerModel,
} from './model/pelt-model.ts';
