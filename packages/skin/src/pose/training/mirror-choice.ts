/**
 * Whether mirrored examples help: they do where a character does on one side what it did on the other, as sculpts do, and
 * mislead where it does not, as in a gallop that always leads with the same foot. Each example is left out in turn, with its
 * own mirror image, and guessed from a few of its points by the others, with and without mirror images: shapes x_e, placed
 * rigidly where their points are nearest, are blended by
 *
 *   min over β of ‖Σ_e β_e h_e − h‖² + λ‖β − 1/K‖²,   Σ_e β_e = 1,
 *
 * with h_e the points of shape e. What leaves the smaller error of the whole shape is chosen; of the weights λ the better
 * one counts. This is the linear part of posing, and takes no solver.
 */
import { factorSmall, properRotation, solveSmall } from '@pelt/math';
import { type Clip, poseAt, type Rig, vertexCount } from '@pelt/model';
import { farthestVertices } from '../runtime/farthest-vertices.ts';
import { relativeFrame } from '../runtime/relative-frame.ts';

/** Numbers of points that shapes are guessed from, and weights λ. */
const POINTS = [5, 8];
const RIDGES = [1e-3, 1e-2];
/** Vertices that are compared, about; and RMS distance, in model sizes, up to which two examples are one. */
const SAMPLES = 500;
const SAME = 0.01;

/**
 * @param clip      controls of E examples
 * @param mirrored  those of their mirror images
 */
export function mirrorHelps(rig: Rig, clip: Clip, mirrored: Clip): boolean {
  const E = clip.times.length;
  const { size } = relativeFrame(rig.mesh.positions);
  const n = vertexCount(rig.mesh);
  const every = Math.max(1, Math.floor(n / SAMPLES));
  const samples = Array.from({ length: Math.ceil(n / every) }, (_, k) => every * k);
  let [withMirror, without] = [0, 0];
  for (const count of POINTS) {
    const vertices = [...farthestVertices(rig.mesh.positions, count), ...samples];
    const points = Math.min(count, n);
    const shapes = [
      restShape(rig, vertices, size),
      ...[clip, mirrored].flatMap((one) => Array.from({ length: E }, (_, e) => shapeOf(rig, one, e, vertices, size))),
    ];
    withMirror += leastError(shapes, E, points, 2 * E);
    without += leastError(shapes, E, points, E);
  }
  return withMirror <= without;
}

/** @param last  shapes that others are guessed from, but for the first, which is the rest pose */
function leastError(shapes: readonly Float64Array[], E: number, points: number, last: number): number {
  return Math.min(
    ...RIDGES.map((ridge) => {
      let total = 0;
      for (let e = 1; e <= E; e++) {
        const isOther = (_: unknown, f: number) =>
          f === 0 || (f <= last && distance(shapes[((f - 1) % E) + 1], shapes[e], points) > SAME);
        const others = shapes.filter(isOther).map((shape) => placed(shape, shapes[e], points));
        total += distance(guess(others, shapes[e], points, ridge), shapes[e], points);
      }
      return total;
    }),
  );
}

/** The blend of some shapes whose points are nearest to those of a target. */
function guess(others: readonly Float64Array[], target: Float64Array, points: number, ridge: number): Float64Array {
  const [first, ...rest] = others;
  const out = first.slice();
  const K = rest.length;
  if (K === 0) return out;
  // The first shape has what is missing from a sum of 1.
  const a = new Float64Array(K * K);
  const beta = new Float64Array(K).fill(ridge / (K + 1));
  for (let e = 0; e < K; e++) {
    for (let c = 0; c < 3 * points; c++) {
      const moved = rest[e][c] - first[c];
      beta[e] += moved * (target[c] - first[c]);
      for (let f = 0; f <= e; f++) a[e * K + f] += moved * (rest[f][c] - first[c]);
    }
    a[e * K + e] += ridge;
  }
  factorSmall(a, K, K);
  solveSmall(a, K, K, beta, 1);
  for (let e = 0; e < K; e++) for (let c = 0; c < out.length; c++) out[c] += beta[e] * (rest[e][c] - first[c]);
  return out;
}

/** A shape, moved rigidly so that its first points are nearest to those of another. */
function placed(shape: Float64Array, target: Float64Array, points: number): Float64Array {
  const mean = (x: Float64Array) => {
    const sum = new Float64Array(3);
    for (let c = 0; c < 3 * points; c++) sum[c % 3] += x[c] / points;
    return sum;
  };
  const [from, to] = [mean(shape), mean(target)];
  const H = new Float64Array(9);
  for (let c = 0; c < 3 * points; c += 3) {
    for (let k = 0; k < 9; k++) {
      const [a, b] = [Math.floor(k / 3), k % 3];
      H[k] += (shape[c + a] - from[a]) * (target[c + b] - to[b]);
    }
  }
  const R = new Float64Array(9);
  properRotation(H, 0, R, 0);
  const out = new Float64Array(shape.length);
  for (let i = 0; i < shape.length; i += 3) {
    for (let r = 0; r < 3; r++) {
      out[i + r] = to[r];
      for (let c = 0; c < 3; c++) out[i + r] += R[3 * r + c] * (shape[i + c] - from[c]);
    }
  }
  return out;
}

/** RMS distance of the vertices behind the points. */
function distance(a: Float64Array, b: Float64Array, points: number): number {
  let squared = 0;
  for (let c = 3 * points; c < a.length; c++) squared += (a[c] - b[c]) ** 2;
  return Math.sqrt((3 * squared) / (a.length - 3 * points));
}

function restShape({ mesh }: Rig, vertices: readonly number[], size: number): Float64Array {
  return Float64Array.from(vertices.flatMap((i) => [0, 1, 2].map((c) => mesh.positions[3 * i + c] / size)));
}

function shapeOf(rig: Rig, clip: Clip, e: number, vertices: readonly number[], size: number): Float64Array {
  const { slots, bones, weights } = rig.weights;
  const { positions } = rig.mesh;
  const { transforms } = poseAt(clip, e, rig.bones.length);
  const out = new Float64Array(3 * vertices.length);
  vertices.forEach((i, k) => {
    for (let s = i * slots; s < (i + 1) * slots; s++) {
      for (let r = 0; r < 3; r++) {
        const at = 12 * bones[s] + 4 * r;
        let place = transforms[at + 3];
        for (let c = 0; c < 3; c++) place += transforms[at + c] * positions[3 * i + c];
        out[3 * k + r] += (weights[s] * place) / size;
      }
    }
  });
  return out;
}
