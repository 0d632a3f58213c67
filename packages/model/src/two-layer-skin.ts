import type { SkinWeights } from './skin-weights.ts';

/**
 * Weights in two layers, W = D·A: q virtual bones, each a blend of a few master bones; and every vertex a blend of two
 * virtual bones. What vertices share is blended once.
 */
export interface TwoLayerSkin {
  /** q × c, the master bones of each virtual bone */
  readonly masters: SkinWeights;
  /** n × 2, the virtual bones of each vertex */
  readonly vertices: SkinWeights;
}

/**
 * The number q of virtual bones of a two-layer skin.
 * @example
 * {@includeCode ../examples/two-layer.ts}
 */
export function virtualCount({ masters }: TwoLayerSkin): number {
  return masters.bones.length / masters.slots;
}
