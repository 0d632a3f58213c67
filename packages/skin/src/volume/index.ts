/** Volume: skeleton-driven deformation of a tetrahedral body. */
export {
  BIND_VOLUME_DEFAULTS,
  type BindVolumeOptions,
  LEARN_SHAPES_DEFAULTS,
  type LearnShapesOptions,
} from './options.ts';
export * from './runtime/index.ts';
export { bindVolume } from './training/bind-volume.ts';
export { learnShapes, type ShapeExample } from './training/learn-shapes.ts';
export { type PlacedSkeleton, placeSkeleton } from './training/place-skeleton.ts';
export { surfaceWeights } from './training/surface-weights.ts';
