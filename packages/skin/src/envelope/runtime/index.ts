/** Evaluates learnt skin: the full model, and the reduced one that plays in real time. */
export { ENVELOPE_DEFORMER_DEFAULTS, type EnvelopeDeformerOptions } from '../options.ts';
export { AddedJoints } from './added-joints.ts';
export { createEnvelopeDeformer, type EnvelopeDeformer } from './envelope-deformer.ts';
export { type EnvelopeDriver, EnvelopePalette, type TransformProduct } from './envelope-palette.ts';
export { PoseInterpolation, posesOf } from './pose-interpolation.ts';
export { createReducedDeformer, type ReducedDeformer } from './reduced-deformer.ts';
