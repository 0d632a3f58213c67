/** Deforms a solid body by its skeleton at interactive rates. */
export { VOLUME_DEFORMER_DEFAULTS, type VolumeDeformerOptions } from '../options.ts';
export { type BodyMeasures, measureBody } from './body-measures.ts';
export { type BlendedShapes, ShapeBlender, type ShapeExamples } from './shape-blender.ts';
export { type VolumeBinding, VolumeDeformer, type VolumeRun } from './volume-deformer.ts';
