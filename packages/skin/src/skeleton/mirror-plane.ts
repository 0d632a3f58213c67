/**
 * Mirror plane of a rest pose: minimise Σ_i ‖p'_i − q_i‖² over planes, where p'_i is the mirror image of a vertex and q_i
 * the vertex nearest to it. Candidates are the planes through the centre orthogonal to the coordinate axes and to the
 * principal axes, each refined by iterative closest points: for given pairs (p, q) the optimal normal is the eigenvector
 * of the smallest eigenvalue of Σ ((p̄ q̄ᵀ) + (q̄ p̄ᵀ)), and the plane passes through the centroid.
 *
 * Reference: Besl, McKay. A method for registration of 3-D shapes. 1992 (closest points).
 */
import { KdTree, symmetricEigen } from '@pelt/math';
import { checkCancelled, type RunContext } from '@pelt/model';

export interface MirrorPlane {
  /** Unit vector; its largest component is positive. */
  readonly normal: readonly number[];
  /** Points x with normal·x = offset. */
  readonly offset: number;
  /** n, the vertex nearest to the mirror image of each vertex */
  readonly images: Int32Array;
  /** Root mean square distance between mirror images and vertices, in units of the positions. */
  readonly error: number;
}

/** Root mean square distance between vertices and their mirror images, in radii, beyond which there is no mirror plane. */
export const LOPSIDED = 0.1;

/** Vertices sampled to evaluate planes. */
const SAMPLE = 2000;
const MOST_TURNS = 12;
const SETTLED = 1e-4;

/** @param rest  n × 3, at least one vertex */
export function mirrorPlane(rest: Float64Array, context?: RunContext): MirrorPlane {
  const n = rest.length / 3;
  const tree = new KdTree(rest);
  const step = Math.max(1, Math.floor(n / SAMPLE));
  const sample = Int32Array.from({ length: Math.ceil(n / step) }, (_, k) => k * step);
  const middle = [0, 1, 2].map((d) => sample.reduce((sum, i) => sum + rest[3 * i + d], 0) / sample.length);
  let best: Plane | undefined;
  for (const normal of [...AXES, ...principalAxes(rest, sample, middle)]) {
    checkCancelled(context);
    const plane = broughtIn(rest, tree, sample, { normal, offset: dot(normal, middle), error: 0 });
    // A later candidate must be clearly better, since a sphere has every plane.
    if (!best || plane.error < 0.99 * best.error) best = plane;
  }
  if (!best) throw new RangeError('mirrorPlane: no vertices');
  const { images, error } = imagesOf(
    rest,
    tree,
    Int32Array.from({ length: n }, (_, i) => i),
    best,
  );
  return { normal: best.normal, offset: best.offset, images, error };
}

/** The mirror image of a point. */
export function mirrored({ normal, offset }: Pick<MirrorPlane, 'normal' | 'offset'>, p: ArrayLike<number>): number[] {
  const twice = 2 * (normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2] - offset);
  return normal.map((value, d) => p[d] - twice * value);
}

interface Plane {
  readonly normal: readonly number[];
  readonly offset: number;
  readonly error: number;
}

const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

function broughtIn(rest: Float64Array, tree: KdTree, sample: Int32Array, start: Plane): Plane {
  let plane = start;
  let last = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const { images, error } = imagesOf(rest, tree, sample, plane);
    if (!(error < (1 - SETTLED) * last)) break;
    last = error;
    plane = { ...planeBetween(rest, sample, images), error };
  }
  return { ...plane, error: imagesOf(rest, tree, sample, plane).error };
}

function imagesOf(rest: Float64Array, tree: KdTree, vertices: Int32Array, plane: Plane) {
  const images = new Int32Array(vertices.length);
  const found = new Uint32Array(1);
  const squared = new Float64Array(1);
  let sum = 0;
  vertices.forEach((i, k) => {
    tree.nearest(mirrored(plane, rest.subarray(3 * i, 3 * i + 3)), 0, 1, found, squared);
    images[k] = found[0];
    sum += squared[0];
  });
  return { images, error: Math.sqrt(sum / Math.max(vertices.length, 1)) };
}

function planeBetween(
  rest: Float64Array,
  sample: Int32Array,
  images: Int32Array,
): { normal: number[]; offset: number } {
  const middle = [0, 0, 0];
  sample.forEach((i, k) => {
    for (let d = 0; d < 3; d++) middle[d] += (rest[3 * i + d] + rest[3 * images[k] + d]) / (2 * sample.length);
  });
  const A = new Float64Array(9);
  sample.forEach((i, k) => {
    const q = images[k];
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c <= r; c++) {
        const [pr, pc] = [rest[3 * i + r] - middle[r], rest[3 * i + c] - middle[c]];
        const [qr, qc] = [rest[3 * q + r] - middle[r], rest[3 * q + c] - middle[c]];
        A[3 * r + c] += pr * qc + qr * pc;
      }
    }
  });
  const { vectors } = symmetricEigen(A, 3);
  const normal = oriented([vectors[0], vectors[3], vectors[6]]);
  return { normal, offset: dot(normal, middle) };
}

function principalAxes(rest: Float64Array, sample: Int32Array, middle: readonly number[]): number[][] {
  const A = new Float64Array(9);
  for (const i of sample) {
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c <= r; c++) A[3 * r + c] += (rest[3 * i + r] - middle[r]) * (rest[3 * i + c] - middle[c]);
    }
  }
  const { vectors } = symmetricEigen(A, 3);
  return [0, 1, 2].map((k) => oriented([vectors[k], vectors[3 + k], vectors[6 + k]]));
}

function oriented(normal: number[]): number[] {
  const largest = normal.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a));
  return largest < 0 ? normal.map((value) => -value) : normal;
}

function dot(a: readonly number[], b: ArrayLike<number>): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
