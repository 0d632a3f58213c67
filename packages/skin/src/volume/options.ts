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

/** Options of `createVolumeDeformer`. */
export interface VolumeDeformerOptions {
  /** Weight of volume preservation, relative to that of angles and lengths; 0 for none. */
  readonly volumeWeight: number;
  /** Convergence tolerance of an iteration, relative to the RMS distance of the vertices from their centroid. */
  readonly tolerance: number;
  /** Most iterations per pose. */
  readonly mostRounds: number;
  /** Extrapolate from previous iterations (Anderson acceleration). */
  readonly accelerate: boolean;
}

export const VOLUME_DEFORMER_DEFAULTS: VolumeDeformerOptions = {
  volumeWeight: 40,
  tolerance: 1e-4,
  mostRounds: 100,
  accelerate: true,
};
