/** Evaluates learnt skin: the full model, and the reduced one that plays in real time. */
export { EnvelopeDeformer } from './envelope-deformer.ts';
export { type EnvelopeDriver, EnvelopePalette, type TransformProduct } from './envelope-palette.ts';
export { ReducedDeformer } from './reduced-deformer.ts';
