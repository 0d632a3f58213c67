/** Options of volumetric deformation, and their defaults. */

export interface BindVolumeOptions {
  /**
   * Surface vertices that follow the bones, by their weights; absent: what is about the middle of each bone, which
   * follows that bone alone.
   */
  readonly constraints: Uint32Array | undefined;
  /** Where known, the far ends of bones without children: bone → place in the model. */
  readonly tips: ReadonlyMap<number, readonly [number, number, number]>;
  /** Most weights a vertex. */
  readonly slots: number;
}

export const BIND_VOLUME_DEFAULTS: BindVolumeOptions = { constraints: undefined, tips: new Map(), slots: 4 };

export interface VolumeDeformerOptions {
  /** Of keeping the volume, against keeping angles and lengths, which has 1; 0 for none. */
  readonly volumeWeight: number;
  /** Rounds end at this change, in root mean square distances from the body's centre. */
  readonly tolerance: number;
  readonly mostRounds: number;
  /** Whether rounds look ahead by what the last ones did. */
  readonly accelerate: boolean;
}

export const VOLUME_DEFORMER_DEFAULTS: VolumeDeformerOptions = {
  volumeWeight: 40,
  tolerance: 1e-4,
  mostRounds: 100,
  accelerate: true,
};
