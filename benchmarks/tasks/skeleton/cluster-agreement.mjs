/**
 * Whether the skeleton depends on the number of clusters that the search begins with: chains of joints from the root to
 * the four hooves and to the nose, compared as curves. Two chains agree where each joint of either is within a share of
 * the diagonal from the other's curve.
 */
import { extractSkeleton } from '@pelt/skin';
import { loadAnimation } from '../decompose/load-animation.mjs';
import { diagonalOf } from './joints-hold.mjs';

const CLUSTERS = [60, 30, 100];
/** Share of the diagonal. */
const NEAR = 0.05;

export function clusterAgreement(context, numerics) {
  const sequence = loadAnimation(context, 'horse-gallop');
  const { positions } = sequence.rest;
  const ends = [...hooves(positions), nose(positions)];
  const near = NEAR * diagonalOf(positions);
  const rigs = CLUSTERS.map((clusters) => {
    context.log(`horse-gallop from ${clusters} clusters`);
    return extractSkeleton(sequence, { clusters }, { numerics }).rig;
  });
  const chains = rigs.map((rig) => ends.map((vertex) => chainTo(rig, vertex)));
  const rows = CLUSTERS.map((clusters, k) => ({
    case: `horse-gallop from ${clusters} clusters`,
    metric: 'bones',
    value: rigs[k].bones.length,
    unit: '',
  }));
  for (const k of [1, 2]) {
    const agree = ends.filter(
      (_, e) => within(chains[0][e], chains[k][e], near) && within(chains[k][e], chains[0][e], near),
    );
    rows.push({
      case: `horse-gallop from ${CLUSTERS[k]} clusters`,
      metric: `chains of 5 as from ${CLUSTERS[0]}`,
      value: agree.length,
      unit: '',
      target: 'value >= 5',
    });
  }
  return rows;
}

/** The lowest vertex of each quarter, seen from above. */
function hooves(positions) {
  const middle = [0, 2].map((d) => {
    const values = positions.filter((_, k) => k % 3 === d);
    return 0.5 * (values.reduce((a, b) => Math.min(a, b)) + values.reduce((a, b) => Math.max(a, b)));
  });
  const lowest = [-1, -1, -1, -1];
  for (let i = 0; 3 * i < positions.length; i++) {
    const quarter = 2 * Number(positions[3 * i] > middle[0]) + Number(positions[3 * i + 2] > middle[1]);
    if (lowest[quarter] < 0 || positions[3 * i + 1] < positions[3 * lowest[quarter] + 1]) lowest[quarter] = i;
  }
  return lowest;
}

/** The foremost vertex of the upper half. */
function nose(positions) {
  let best = 0;
  for (let i = 0; 3 * i < positions.length; i++) {
    if (positions[3 * i + 2] > positions[3 * best + 2]) best = i;
  }
  return best;
}

/** Joints from the root to the bone that moves a vertex most, and the vertex itself. */
function chainTo({ bones, mesh, weights: { slots, bones: indices, weights } }, vertex) {
  const own = weights.subarray(vertex * slots, (vertex + 1) * slots);
  const chain = [[...mesh.positions.subarray(3 * vertex, 3 * vertex + 3)]];
  for (let k = indices[vertex * slots + own.indexOf(Math.max(...own))]; k >= 0; k = bones[k].parent) {
    if (bones[k].parent >= 0) chain.push([bones[k].rest[3], bones[k].rest[7], bones[k].rest[11]]);
  }
  return chain;
}

function within(chain, curve, near) {
  return chain.every((point) => {
    if (curve.length === 1) return distance(point, curve[0], curve[0]) <= near;
    return curve.slice(1).some((end, k) => distance(point, curve[k], end) <= near);
  });
}

/** From a point to a segment. */
function distance(p, a, b) {
  const along = b.map((value, d) => value - a[d]);
  const squared = along.reduce((sum, value) => sum + value * value, 0);
  const product = along.reduce((sum, value, d) => sum + value * (p[d] - a[d]), 0);
  const share = squared > 0 ? Math.min(Math.max(product / squared, 0), 1) : 0;
  return Math.hypot(...p.map((value, d) => value - a[d] - share * along[d]));
}
