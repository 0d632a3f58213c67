/** Dynamics: secondary motion of a skin, learnt from clips. */
export {
  DYNAMICS_DEFAULTS,
  type DynamicsMethod,
  type DynamicsOptions,
  SUGGEST_DEFAULTS,
  type SuggestOptions,
} from './options.ts';
export * from './runtime/index.ts';
export { type DrivenPart, findDriver } from './training/find-driver.ts';
export { standardMotions } from './training/standard-motions.ts';
export { type Suggestion, suggestMotions } from './training/suggest-motions.ts';
export { type SwingExamples, type TrainedDynamics, trainDynamics } from './training/train-dynamics.ts';
