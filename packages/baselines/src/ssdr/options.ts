/** Options of SSDR as published, with the paper's values as defaults. */

export interface PublishedSsdrOptions {
  /** m, number of bones. */
  readonly bones: number;
  /** K, maximum weights per vertex. */
  readonly weights: number;
  /** Maximum number of iterations of Algorithm 3. */
  readonly iterations: number;
  /** Convergence: an iteration lowers the error by less than this fraction. */
  readonly tolerance: number;
  /** Maximum number of bones that are initialised again, over the whole run. */
  readonly restarts: number;
  /** `correct`: the rest pose is solved for at the end (Algorithm 3, line 6). `keep`: it stays as it is. */
  readonly restPose: 'correct' | 'keep';
  /** Of the random seeds of the clusters. */
  readonly seed: number;
}

export const PUBLISHED_SSDR_DEFAULTS: PublishedSsdrOptions = {
  bones: 20,
  weights: 4,
  iterations: 100,
  tolerance: 1e-3,
  restarts: 20,
  restPose: 'correct',
  seed: 1,
};
