/** Deforms a tetrahedral body by its skeleton at interactive rates. */
export {
  VOLUME_DEFORMER_DEFAULTS,
  VOLUME_METHODS,
  type VolumeDeformerOptions,
  type VolumeMethod,
} from '../options.ts';
export { type BodyMeasures, measureBody } from './body-measures.ts';
export { type BlendedShapes, createShapeBlender, type ShapeBlender, type ShapeExamples } from './shape-blender.ts';
export {
  createVolumeDeformer,
  type VolumeBinding,
  type VolumeConvergence,
  type VolumeDeformer,
  type VolumeModel,
} from './volume-deformer.ts';
