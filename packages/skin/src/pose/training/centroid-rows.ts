/**
 * Proxy vertices as published: each proxy has its gradient at one point, the centroid of its vertices weighted by
 * 1 − max_j α_j, with the weights and their gradients averaged alike. Where all of a proxy's vertices are rigid, they
 * count equally.
 *
 * The default takes the mean of the vertices' own rows instead, which is exact for the mean of their gradients: over
 * weights that vary, the mean of x ∇α is not the product of the means.
 *
 * Reference: Der, Sumner, Popović. Inverse kinematics for reduced deformable models. 2006 (section 3.2).
 */
import { GRADIENT_BLOCK, type SkinWeights } from '@pelt/model';
import { type GradientRows, meanRows } from '../runtime/weight-gradients.ts';
import type { Grouping } from './proxies.ts';

/**
 * @param rows  of the n vertices
 * @param x     n × 3 rest positions, relative
 */
export function centroidRows(rows: GradientRows, x: Float64Array, skin: SkinWeights, grouping: Grouping): GradientRows {
  const { groups, count } = grouping;
  const shares = centroidShares(skin, groups, count);
  const blocks = rows.blocks.slice();
  const centres = new Float64Array(3 * count);
  const totals = new Float64Array(count);
  groups.forEach((g, i) => {
    totals[g] += shares[i];
    for (let k = 0; k < 3; k++) centres[3 * g + k] += shares[i] * x[3 * i + k];
    for (let b = rows.starts[i]; b < rows.starts[i + 1]; b++) addPlace(blocks, b, x, 3 * i, -1);
  });
  // Weights and their gradients are averaged without the place, which is the centroid's.
  const means = meanRows({ ...rows, blocks }, groups, shares, count);
  for (let g = 0; g < count; g++) {
    for (let b = means.starts[g]; b < means.starts[g + 1]; b++) {
      addPlace(means.blocks, b, centres, 3 * g, 1 / totals[g]);
    }
  }
  return means;
}

/** Adds factor · x ∇α to the first three rows of block b, α I + x ∇α; the fourth is ∇α. */
function addPlace(blocks: Float64Array, b: number, x: Float64Array, at: number, factor: number): void {
  const first = GRADIENT_BLOCK * b;
  for (let k = 0; k < 3; k++) {
    for (let c = 0; c < 3; c++) blocks[first + 3 * k + c] += factor * x[at + k] * blocks[first + 9 + c];
  }
}

/** A sum of shares that is rounding only. */
const RIGID = 1e-6;

/** n: 1 − max_j α_j, or 1 in a group whose vertices are all rigid. */
function centroidShares({ slots, weights }: SkinWeights, groups: Uint32Array, count: number): Float64Array {
  const totals = new Float64Array(count);
  const shares = Float64Array.from(groups, (g, i) => {
    let most = 0;
    for (let s = i * slots; s < (i + 1) * slots; s++) most = Math.max(most, weights[s]);
    const share = Math.max(0, 1 - most);
    totals[g] += share;
    return share;
  });
  return shares.map((share, i) => (totals[groups[i]] > RIGID ? share : 1));
}
