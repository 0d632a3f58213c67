/**
 * Near-rigid parts of an animated mesh by spectral clustering: two vertices are close if the motion around one explains
 * the other; the affinity exp(−d²/σσ') has a local scale per vertex; and k-means on the leading eigenvectors of the
 * normalised affinity matrix finds the parts.
 *
 * The published matrix is n × n; here q landmarks replace its columns, and the eigenvectors of their q × q matrix are
 * extended to all vertices by the Nyström method, so that time and memory are linear in n.
 *
 * References: Hasler, Thormählen, Rosenhahn, Seidel. Learning skeletons for shape and pose. 2010. Zelnik-Manor, Perona.
 * Self-tuning spectral clustering. 2004. Fowlkes, Belongie, Chung, Malik. Spectral grouping using the Nyström method.
 * 2004.
 */
import type { Trajectories } from '@pelt/kernels';
import { exp, type Numerics, symmetricEigen } from '@pelt/math';
import { checkCancelled, type RunContext } from '@pelt/model';
import type { EdgeGraph } from '../../shared/mesh/edge-graph.ts';
import { kMeans } from './k-means.ts';
import { largestGap } from './largest-gap.ts';
import { addPairGram, contract, motionProducts } from './motion-products.ts';
import { farthestVertices, patchMotions } from './patch-motions.ts';

/** Number of landmarks, and minimum number per cluster. */
const LANDMARKS = 400;
const LANDMARKS_PER_CLUSTER = 8;
/** The scale of a vertex is its distance to this nearest landmark (Zelnik-Manor and Perona). */
const SCALE_NEIGHBOUR = 7;
/**
 * Minimum squared scale as a fraction of the mean squared distance. Neighbours on an exactly rigid part have distance
 * zero, and a zero scale would split the part along noise. A third or three times this value gives equally good clusters;
 * without it the residual is up to twice as large on the measured animals, and ten times on a rigged one.
 */
const LEAST_SCALE = 3e-3;
/** Vertices between two checks for cancellation. */
const BLOCK = 1024;
/** Smaller eigenvalues of the landmarks' matrix are rounding errors. */
const LEAST_EIGENVALUE = 1e-6;

/**
 * @param clusters  how many; `auto` for as many as the spectrum shows
 * @returns         n labels below that number
 */
export function spectralClusters(
  trajectories: Trajectories,
  graph: EdgeGraph,
  clusters: number | 'auto',
  numerics: Numerics,
  context?: RunContext,
): Int32Array {
  const n = trajectories.rest.length / 3;
  const least = clusters === 'auto' ? LANDMARKS : LANDMARKS_PER_CLUSTER * clusters;
  const landmarks = farthestVertices(trajectories.rest, Math.max(LANDMARKS, least));
  const q = landmarks.length;
  const motions = patchMotions(trajectories, graph, landmarks, context);
  const affinity = squaredDistances(trajectories, motions, q, numerics, context);
  toAffinities(affinity, landmarks, context);

  // The landmarks' matrix, symmetrised, and its normalisation D^−½ A D^−½.
  const own = new Float64Array(q * q);
  for (let a = 0; a < q; a++) {
    for (let b = 0; b < q; b++)
      own[a * q + b] = 0.5 * (affinity[landmarks[a] * q + b] + affinity[landmarks[b] * q + a]);
  }
  const degrees = new Float64Array(q);
  for (let k = 0; k < q * q; k++) degrees[Math.floor(k / q)] += own[k];
  for (let k = 0; k < q * q; k++) own[k] /= Math.sqrt(degrees[Math.floor(k / q)] * degrees[k % q]);
  const { values, vectors } = symmetricEigen(own, q, numerics);
  const count = clusters === 'auto' ? largestGap(values) : clusters;
  const used = Array.from({ length: Math.min(count, q) }, (_, k) => q - 1 - k).filter(
    (k) => values[k] > LEAST_EIGENVALUE,
  );
  // Nyström extension: u_i = Σ_j a_ij u_j / (√(d_i d_j) λ); √d_i cancels because rows are normalised.
  const dimension = used.length;
  const extension = new Float64Array(q * dimension);
  used.forEach((column, k) => {
    for (let j = 0; j < q; j++)
      extension[j * dimension + k] = vectors[j * q + column] / (values[column] * Math.sqrt(degrees[j]));
  });
  const embedding = new Float64Array(n * dimension);
  for (let i = 0; i < n; i++) {
    if (i % BLOCK === 0) checkCancelled(context);
    const row = embedding.subarray(i * dimension, (i + 1) * dimension);
    for (let j = 0; j < q; j++) {
      const a = affinity[i * q + j];
      if (a === 0) continue;
      for (let k = 0; k < dimension; k++) row[k] += a * extension[j * dimension + k];
    }
    let squared = 0;
    for (const x of row) squared += x * x;
    if (squared > 0) for (let k = 0; k < dimension; k++) row[k] /= Math.sqrt(squared);
  }
  return kMeans(embedding, dimension, count, context);
}

/** n × q squared distances Σ_t ‖M_tj p̂_i − v_ti‖² of each vertex under each landmark's motion. */
function squaredDistances(
  trajectories: Trajectories,
  motions: Float64Array,
  q: number,
  numerics: Numerics,
  context: RunContext | undefined,
): Float32Array {
  const { rest, squaredNorms } = trajectories;
  const grams = new Float64Array(10 * q);
  for (let j = 0; j < q; j++) addPairGram(motions, q, j, j, grams, 10 * j);
  const out = new Float32Array(squaredNorms.length * q);
  const visit = (i: number, products: Float64Array) => {
    const [x, y, z] = rest.subarray(3 * i, 3 * i + 3);
    for (let j = 0; j < q; j++) {
      out[i * q + j] = Math.max(contract(grams, 10 * j, x, y, z) - 2 * products[j] + squaredNorms[i], 0);
    }
  };
  motionProducts(numerics, trajectories, motions, q, visit, context);
  return out;
}

/** d² → exp(−d²/(σ_i σ_j)), in place; σ from the distances to the landmarks. */
function toAffinities(squared: Float32Array, landmarks: Int32Array, context: RunContext | undefined): void {
  const q = landmarks.length;
  const n = squared.length / q;
  const scales = new Float64Array(n);
  const nearest = Math.min(SCALE_NEIGHBOUR, q - 1);
  const mean = squared.reduce((sum, x) => sum + x, 0) / squared.length;
  for (let i = 0; i < n; i++) {
    if (i % BLOCK === 0) checkCancelled(context);
    const row = squared.slice(i * q, (i + 1) * q).sort();
    scales[i] = Math.sqrt(Math.max(row[nearest], LEAST_SCALE * mean)) || 1;
  }
  for (let k = 0; k < squared.length; k++) {
    if (k % (BLOCK * q) === 0) checkCancelled(context);
    squared[k] = exp(-squared[k] / (scales[Math.floor(k / q)] * scales[landmarks[k % q]]));
  }
}
