/**
 * Bones that an animator would delete: those that move no skin, and those that sit on another joint and hardly bend.
 *
 * Two joints closer than `jointsApart` are kept only if both bend more than the fit is wrong: the root mean square
 * displacement of a bone's skin, or of a joint of the bones that hang from it, by its rotation relative to its parent must
 * exceed the root mean square error.
 */
import type { SkinningSystem } from '@pelt/kernels';
import { boundsOf, diagonalOf } from '@pelt/model';
import type { Candidate } from './moves.ts';
import type { SkeletonPlan } from './plan.ts';

/** The bones to delete, in ascending order; never all of them, and not the root unless it moves nothing. */
export function untidyBones(
  { system, tree, joints, partners }: Candidate,
  { jointsApart, noMass, leastMass }: SkeletonPlan,
): number[] {
  const { m, n, S } = system;
  const gone = new Set<number>();
  const apart = jointsApart * diagonalOf(boundsOf(system.rest.view));
  system.measureError();
  const error = Math.sqrt(system.totalError() / (n * S));
  const bends = Float64Array.from({ length: m }, (_, j) =>
    tree.parents[j] < 0 ? 0 : bend(system, j, tree.parents[j]),
  );
  // A short bone that moves little skin may carry a whole limb.
  for (const k of tree.order.subarray(1)) {
    const j = tree.parents[k];
    if (tree.parents[j] < 0) continue;
    bends[j] = Math.max(bends[j], carried(system, j, tree.parents[j], joints.subarray(3 * k, 3 * k + 3)));
  }
  for (let j = 0; j < m; j++) {
    const mass = system.mass(j, j);
    if (tree.parents[j] >= 0 && (mass < noMass || (mass < leastMass && bends[j] <= error))) gone.add(j);
  }
  for (let j = 0; j < m; j++) {
    for (let k = 0; k < j; k++) {
      if (tree.parents[j] < 0 || tree.parents[k] < 0 || gone.has(j) || gone.has(k)) continue;
      const distance = Math.hypot(...[0, 1, 2].map((d) => joints[3 * j + d] - joints[3 * k + d]));
      const weaker = bends[j] < bends[k] ? j : k;
      if (distance < apart && bends[weaker] <= error) gone.add(weaker);
    }
  }
  // Of a pair, both or none.
  const paired = (j: number) => !partners || partners[j] < 0 || gone.has(partners[j]);
  return [...gone].filter(paired).sort((a, b) => a - b);
}

/** Root mean square displacement of what bone j moves, between its own motion and its parent's. */
function bend(system: SkinningSystem, j: number, parent: number): number {
  const { m, S, transforms, moments } = system;
  const at = (j * m + j) * 10;
  const mass = moments[at + 9];
  if (!(mass > 0)) return 0;
  // Σ_i w_ij² p̂ p̂ᵀ, upper triangle by rows
  const P = moments.subarray(at, at + 10);
  const M = transforms.view;
  let sum = 0;
  for (let t = 0; t < S; t++) {
    for (let row = 0; row < 12; row += 4) {
      const d = [0, 1, 2, 3].map((c) => M[(t * m + j) * 12 + row + c] - M[(t * m + parent) * 12 + row + c]);
      for (let a = 0, k = 0; a < 4; a++) {
        for (let b = a; b < 4; b++, k++) sum += (a === b ? 1 : 2) * P[k] * d[a] * d[b];
      }
    }
  }
  return Math.sqrt(Math.max(sum, 0) / (mass * S));
}

/** Root mean square distance between where bone j and its parent carry a point. */
function carried({ m, S, transforms }: SkinningSystem, j: number, parent: number, point: Float64Array): number {
  const M = transforms.view;
  let sum = 0;
  for (let t = 0; t < S; t++) {
    for (let row = 0; row < 12; row += 4) {
      const [own, above] = [(t * m + j) * 12 + row, (t * m + parent) * 12 + row];
      let apart = M[own + 3] - M[above + 3];
      for (let d = 0; d < 3; d++) apart += (M[own + d] - M[above + d]) * point[d];
      sum += apart * apart;
    }
  }
  return Math.sqrt(sum / S);
}
