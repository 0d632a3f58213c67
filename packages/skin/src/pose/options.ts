/** Options of posing by handles, and their defaults. */

export interface BuildPoserOptions {
  /** Most proxies; Infinity takes every vertex by itself, for comparison. */
  readonly proxies: number;
  /** The examples are frames that follow each other: rotations are followed over them. */
  readonly consecutive: boolean;
  /** Names of the examples; absent: their numbers. */
  readonly names: readonly string[] | undefined;
  /** Where the example meshes are given: keep what the controls cannot do of them. */
  readonly details: boolean;
  /** Whose gradients the examples have: the model's own, or those of the example meshes. */
  readonly gradients: 'model' | 'meshes';
}

export const BUILD_POSER_DEFAULTS: BuildPoserOptions = {
  proxies: 500,
  consecutive: false,
  names: undefined,
  details: true,
  gradients: 'model',
};

export interface PoseOptions {
  /** λ: how much the blend is drawn to the nearest examples, or to the rest pose where none is near. */
  readonly ridge: number;
  /** The largest force of a handle, in energy over the model's size. */
  readonly pull: number;
  /** Least and most share of an example; Infinity for no bounds. */
  readonly bounds: readonly [number, number];
  /** The pose is at rest when an iteration lowers the cost by less than this share. */
  readonly tolerance: number;
  /** Milliseconds or any other clock, for deadlines; absent: deadlines are not looked at. */
  readonly clock: (() => number) | undefined;
}

export const POSE_DEFAULTS: PoseOptions = {
  ridge: 1e-3,
  pull: 0.03,
  bounds: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  tolerance: 1e-8,
  clock: undefined,
};
