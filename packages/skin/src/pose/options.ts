/** Options of posing by handles, with their defaults. */

/** Options of `buildPoser`. */
export interface BuildPoserOptions {
  /** Most proxies; Infinity makes every vertex a proxy of its own, for comparison. */
  readonly proxies: number;
  /** The examples are consecutive frames: rotations are unwrapped over time. */
  readonly consecutive: boolean;
  /** E names of the examples; undefined numbers them from 1. */
  readonly names: readonly string[] | undefined;
  /** Where example meshes are given: keep their residuals as morph targets. */
  readonly details: boolean;
  /** Take the examples' deformation gradients from the model itself, or from the example meshes. */
  readonly gradients: 'model' | 'meshes';
  /** A proxy's gradient: the mean of its vertices', or that at their centroid, as published. */
  readonly proxyRows: 'mean' | 'centroid';
  /** Most regions that blend the examples each for itself; 1 as published; or n labels, a region for each vertex. */
  readonly regions: number | Uint16Array;
  /** Double the examples by their mirror images where the mesh is symmetric; these have no details. */
  readonly mirror: boolean;
}

export const BUILD_POSER_DEFAULTS: BuildPoserOptions = {
  proxies: 500,
  consecutive: false,
  names: undefined,
  details: true,
  gradients: 'model',
  proxyRows: 'mean',
  regions: 8,
  mirror: false,
};

/** Options of `transferPoser`. */
export interface TransferPoserOptions {
  /** m: the source's control for each control of the rig; undefined matches them by name, then by position. */
  readonly controls: Uint16Array | undefined;
  /** Most proxies. */
  readonly proxies: number;
}

export const TRANSFER_POSER_DEFAULTS: TransferPoserOptions = {
  controls: undefined,
  proxies: BUILD_POSER_DEFAULTS.proxies,
};

/** Options of `extendPoser`. */
export type ExtendPoserOptions = Pick<BuildPoserOptions, 'proxies'>;

export const EXTEND_POSER_DEFAULTS: ExtendPoserOptions = { proxies: BUILD_POSER_DEFAULTS.proxies };

/** Options of `createPoseSession` and `createMeshIk`. */
export interface PoseOptions {
  /** λ, weight of the regulariser towards nearby examples; it grows, and leads to the rest pose, where none is near. */
  readonly ridge: number;
  /** Largest force of a handle, in units of energy per model size. */
  readonly pull: number;
  /** While one or two handles pull, hold the regions that have none: what is far stays. Needs a poser with regions. */
  readonly stays: boolean;
  /** Hold feet that stand still in the examples, unless something in their region is pulled. */
  readonly plants: boolean;
  /** Whether the whole may turn to meet its handles. */
  readonly turns: boolean;
  /** Stay near the pose of `setBlend`, however many handles pull: something else determines it, such as a performer. */
  readonly follows: boolean;
  /** Least and largest blend weight of an example in the whole body; undefined for no bounds. */
  readonly bounds: readonly [number, number] | undefined;
  /** Nearest examples, placed rigidly, from which the search starts again where that may lower the cost; 0 for none. */
  readonly starts: number;
  /** Steps over which the pose changes where the search has found a better one elsewhere; 0 changes at once. */
  readonly ease: number;
  /** The solver has converged when an iteration lowers the cost by less than this fraction. */
  readonly tolerance: number;
  /** A clock in milliseconds or any other unit, which deadlines refer to; undefined ignores deadlines. */
  readonly clock: (() => number) | undefined;
}

/** `ease` for handles that move from frame to frame: a changed pose is reached within a sixth of a second. */
export const MOVING_EASE = 4;

export const POSE_DEFAULTS: PoseOptions = {
  ridge: 3e-4,
  pull: 0.2,
  stays: true,
  plants: false,
  turns: true,
  follows: false,
  bounds: undefined,
  starts: 2,
  ease: 0,
  tolerance: 1e-8,
  clock: undefined,
};
