/**
 * The minimal enclosing ball: minimise r subject to ‖pᵢ − c‖ ≤ r for all i.
 *
 * A problem of linear-programming type: at most four points (the support) decide the ball. Starting from any support,
 * the point farthest from the ball enters, and the ball of the at most five points is found exactly; the radius grows
 * at every pivot (in exact arithmetic), so it ends, in practice after some ten passes over the points.
 *
 * The ball of the five is the smallest of the balls circumscribed about a subset with the entering point, each one
 * grown until it holds all five. Growing replaces the tests "is this point inside?" and "is the centre in the convex
 * hull?", so that no tolerance decides about duplicate, collinear or cospherical points.
 *
 * References: Welzl. Smallest enclosing disks (balls and ellipsoids). 1991. Gärtner. Fast and robust smallest enclosing
 * balls. 1999 (pivoting on the farthest point, §3).
 */
export interface Ball {
  readonly center: readonly [number, number, number];
  readonly radius: number;
}

/** Relative excess below which a point counts as on the ball: some thousand units in the last place of a double. */
const RELATIVE_EXCESS = 1e-12;

/**
 * Pivots without growth after which the best ball so far is taken. Growth is of second order in the excess where the
 * centre moves along the sphere (a right angle over a diameter), so rounding can hide one that matters to the centre.
 */
const STALLED_PIVOTS = 4;

/** Relative size of a Gram determinant below which points count as affinely dependent. */
const DEPENDENT = 1e-14;

/**
 * The minimal enclosing ball of points.
 *
 * @param points  n × 3, finite; for n = 0 the ball of radius 0 about the origin
 * @example
 * {@includeCode ../../examples/points.ts}
 */
export function enclosingBall(points: Float32Array | Float64Array): Ball {
  const n = points.length / 3;
  if (n === 0) return { center: [0, 0, 0], radius: 0 };
  // Coordinates relative to the first point: far from the origin the squares would eat the digits.
  const origin = [points[0], points[1], points[2]];
  let pivot = { center: [0, 0, 0], radius: 0, support: [0] };
  let best = { center: pivot.center, radius: Number.POSITIVE_INFINITY };
  for (let stalled = 0; stalled <= STALLED_PIVOTS; ) {
    const { index, distance } = farthest(points, origin, pivot.center);
    if (distance < best.radius) best = { center: pivot.center, radius: distance };
    if (distance <= pivot.radius * (1 + RELATIVE_EXCESS)) break;
    const next = smallestBallThrough(index, pivot.support, points, origin);
    stalled = next.radius > pivot.radius ? 0 : stalled + 1;
    pivot = next;
  }
  const { center, radius } = best;
  return { center: [origin[0] + center[0], origin[1] + center[1], origin[2] + center[2]], radius };
}

function farthest(points: Float32Array | Float64Array, origin: readonly number[], center: readonly number[]) {
  const cx = origin[0] + center[0];
  const cy = origin[1] + center[1];
  const cz = origin[2] + center[2];
  let index = 0;
  let largest = -1;
  for (let k = 0; k < points.length; k += 3) {
    const x = points[k] - cx;
    const y = points[k + 1] - cy;
    const z = points[k + 2] - cz;
    const squared = x * x + y * y + z * z;
    if (squared > largest) {
      largest = squared;
      index = k / 3;
    }
  }
  return { index, distance: Math.sqrt(largest) };
}

/** The minimal ball of `support` and the entering point, which lies on it. */
function smallestBallThrough(
  entering: number,
  support: readonly number[],
  points: Float32Array | Float64Array,
  origin: readonly number[],
) {
  const at = (i: number) => [points[3 * i] - origin[0], points[3 * i + 1] - origin[1], points[3 * i + 2] - origin[2]];
  const apex = at(entering);
  const others = support.map(at);
  let best = { center: apex, radius: Number.POSITIVE_INFINITY, support: [entering] };
  for (let subset = 0; subset < 1 << others.length; subset++) {
    const members = others.filter((_, k) => subset & (1 << k));
    if (members.length > 3) continue;
    const center = circumcenter(apex, members);
    if (!center) continue;
    let radius = distanceBetween(center, apex);
    for (const point of others) radius = Math.max(radius, distanceBetween(center, point));
    if (radius < best.radius) {
      best = { center, radius, support: [entering, ...support.filter((_, k) => subset & (1 << k))] };
    }
  }
  return best;
}

/**
 * The point of the affine hull of `apex` and `members` (none to three) at one distance from all of them:
 * c = apex + Σ λₖ eₖ with eₖ = memberₖ − apex and Σₗ 2 eₖ·eₗ λₗ = eₖ·eₖ. Undefined where they are dependent.
 */
function circumcenter(apex: readonly number[], members: readonly (readonly number[])[]): number[] | undefined {
  const edges = members.map((point) => [point[0] - apex[0], point[1] - apex[1], point[2] - apex[2]]);
  const size = edges.length;
  // Row k: the Gram row of edge k, then its right-hand side. Scaled to unit diagonal, so that pivots are relative.
  const lengths = edges.map((edge) => Math.sqrt(dot(edge, edge)));
  if (lengths.some((length) => length === 0)) return undefined;
  const rows = edges.map((edge, k) => [
    ...edges.map((other, l) => (2 * dot(edge, other)) / (lengths[k] * lengths[l])),
    lengths[k],
  ]);
  for (let k = 0; k < size; k++) {
    let pivot = k;
    for (let l = k + 1; l < size; l++) if (Math.abs(rows[l][k]) > Math.abs(rows[pivot][k])) pivot = l;
    [rows[k], rows[pivot]] = [rows[pivot], rows[k]];
    if (Math.abs(rows[k][k]) < DEPENDENT) return undefined;
    for (let l = k + 1; l < size; l++) {
      const factor = rows[l][k] / rows[k][k];
      for (let c = k; c <= size; c++) rows[l][c] -= factor * rows[k][c];
    }
  }
  const center = [...apex];
  const lambda = new Array<number>(size).fill(0);
  for (let k = size - 1; k >= 0; k--) {
    let sum = rows[k][size];
    for (let l = k + 1; l < size; l++) sum -= rows[k][l] * lambda[l];
    lambda[k] = sum / rows[k][k];
    for (let c = 0; c < 3; c++) center[c] += (lambda[k] / lengths[k]) * edges[k][c];
  }
  return center;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function distanceBetween(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
