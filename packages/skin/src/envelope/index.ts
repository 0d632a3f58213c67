/** Envelope: pose-dependent skin, learnt from examples of a rig. */
export {
  ADDED_JOINTS_DEFAULTS,
  type AddedJointsOptions,
  ENVELOPE_DEFAULTS,
  type EnvelopeMethod,
  type EnvelopeOptions,
  type EnvelopeReduction,
  REDUCE_ENVELOPE_DEFAULTS,
  type ReduceEnvelopeOptions,
} from './options.ts';
export * from './runtime/index.ts';
export type { RigExamples } from './training/examples.ts';
export { reduceEnvelope } from './training/reduce-envelope.ts';
export { type AddedJointsRig, trainAddedJoints } from './training/train-added-joints.ts';
export { type TrainedEnvelope, trainEnvelope } from './training/train-envelope.ts';
