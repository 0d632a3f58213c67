/** Options of volumetric deformation, with their defaults. */

/** Options of `bindVolume`. */
export interface BindVolumeOptions {
  /**
   * Indices of surface vertices that follow the bones by their weights; undefined chooses rings around the middle of
   * each bone, which follow that bone rigidly.
   */
  readonly constraints: Uint32Array | undefined;
  /** Known end points of leaf bones in model space: bone → position. */
  readonly tips: ReadonlyMap<number, readonly [number, number, number]>;
  /** Most weights per vertex. */
  readonly slots: number;
}

export const BIND_VOLUME_DEFAULTS: BindVolumeOptions = { constraints: undefined, tips: new Map(), slots: 4 };

/** Options of `learnShapes`. */
export interface LearnShapesOptions {
  /** Iterations for the interior of the body in each example. */
  readonly rounds: number;
  /** Weight of volume preservation in these iterations, relative to that of angles and lengths. */
  readonly volumeWeight: number;
}

export const LEARN_SHAPES_DEFAULTS: LearnShapesOptions = { rounds: 30, volumeWeight: 20 };

/** Names of the methods, as on the command line; the first is the default. */
export const VOLUME_METHODS = ['smooth', 'budd-hilton'] as const;

export type VolumeMethod = (typeof VOLUME_METHODS)[number];

/** Options of `createVolumeDeformer`. */
export interface VolumeDeformerOptions {
  /**
   * `smooth` uses all that follows. `budd-hilton` is the published iteration: plain rounds from unrotated tetrahedra, hard
   * constraints, no volume term and none of the terms for smoothness. It reads the tolerance and the number of rounds only.
   */
  readonly method: VolumeMethod;
  /** Weight of volume preservation, relative to that of angles and lengths; 0 for none. */
  readonly volumeWeight: number;
  /** Resistance of the surface to bending, β; 0 for none. */
  readonly bending: number;
  /** Weight of the blended rotations of the bones in those of the tetrahedra, κ; 0 for none. */
  readonly rotationWeight: number;
  /** Stiffness of automatic constraints, relative to that of the body; Infinity for exact ones. */
  readonly constraintStiffness: number;
  /** Convergence tolerance of an iteration, relative to the RMS distance of the vertices from their centroid. */
  readonly tolerance: number;
  /** Most iterations per pose; `auto` for 100, or 1000 plain ones. */
  readonly mostRounds: number | 'auto';
  /** Extrapolate from previous iterations (Anderson acceleration). */
  readonly accelerate: boolean;
}

export const VOLUME_DEFORMER_DEFAULTS: VolumeDeformerOptions = {
  method: 'smooth',
  volumeWeight: 40,
  bending: 1,
  rotationWeight: 0.3,
  constraintStiffness: 0.004,
  tolerance: 1e-4,
  mostRounds: 'auto',
  accelerate: true,
};
