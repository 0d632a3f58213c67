export { deformLinear } from './deform/linear.ts';
export { linearSequenceErrors } from './deform/sequence-errors.ts';
export { DECOMPOSE_DEFAULTS, type DecomposeOptions, type Decomposition, decompose } from './fit/decompose.ts';
