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
 * The number q of virtual bones of a skin.
 *
 * @example
 * ```ts
 * import { virtualCount } from '@pelt/model';
 *
 * const masters = { slots: 2, bones: Uint16Array.of(0, 1, 1, 2), weights: Float32Array.of(0.5, 0.5, 0.5, 0.5) };
 * const vertices = { slots: 2, bones: Uint16Array.of(0, 1), weights: Float32Array.of(0.5, 0.5) };
 * if (virtualCount({ masters, vertices }) !== 2) throw new Error('two virtual bones of two bones each');
 * ```
 */
export function virtualCount({ masters }: TwoLayerSkin): number {
  return masters.bones.length / masters.slots;
}
