/** Skeleton-driven volumetric deformation. */
export { BIND_VOLUME_DEFAULTS, type BindVolumeOptions } from './options.ts';
export * from './runtime/index.ts';
export { bindVolume } from './training/bind-volume.ts';
export { type FittedSkeleton, fitSkeleton } from './training/fit-skeleton.ts';
export { learnShapes, type ShapeExample } from './training/learn-shapes.ts';
