/**
 * What a pose costs per vertex, counted rather than timed, so that a report does not depend on the machine: floating point
 * operations of linear blend skinning, 24 for each weight that is not 0 (12 products, 12 sums) and 18 for the transform.
 */
import type { SkinWeights, TwoLayerSkin } from '@pelt/model';

const [BLEND, TRANSFORM] = [24, 18];

/** Weights that are not 0, per vertex on average; 0 without vertices. */
export function meanWeights({ slots, weights }: SkinWeights): number {
  const n = weights.length / slots;
  return n > 0 ? weights.reduce((count, w) => count + Number(w > 0), 0) / n : 0;
}

/** @param weightsPerVertex  on average */
export function blendFlops(weightsPerVertex: number): number {
  return BLEND * weightsPerVertex + TRANSFORM;
}

/** Virtual bones are blended once for all vertices. */
export function layeredFlops({ masters, vertices }: TwoLayerSkin): number {
  const n = vertices.weights.length / vertices.slots;
  const virtual = masters.weights.length / masters.slots;
  const shared = n > 0 ? (BLEND * meanWeights(masters) * virtual) / n : 0;
  return shared + blendFlops(meanWeights(vertices));
}
