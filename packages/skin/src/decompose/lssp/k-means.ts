/**
 * k-means clustering: minimise Σ_i ‖x_i − c_label(i)‖² by Lloyd's algorithm. The initialisation is deterministic and
 * covers outliers: the first centre is the point nearest to the mean, each further one the point farthest from all
 * centres so far.
 *
 * Reference: Lloyd. Least squares quantization in PCM. 1982.
 */
import { checkCancelled, type RunContext } from '@pelt/model';

const MOST_ROUNDS = 60;

/**
 * @param points  n × dimension
 * @returns n labels below min(k, n)
 */
export function kMeans(points: Float64Array, dimension: number, k: number, context?: RunContext): Int32Array {
  const n = points.length / dimension;
  const labels = new Int32Array(n);
  const squared = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
  const mean = new Float64Array(dimension);
  for (let a = 0; a < points.length; a++) mean[a % dimension] += points[a] / n;
  const centres = new Float64Array(Math.min(k, n) * dimension);
  const serve = (cluster: number) => {
    checkCancelled(context);
    for (let i = 0; i < n; i++) {
      const d = squaredDistance(points, i, centres, cluster, dimension);
      if (d < squared[i]) {
        squared[i] = d;
        labels[i] = cluster;
      }
    }
  };
  for (let cluster = 0; cluster * dimension < centres.length; cluster++) {
    const seed = cluster === 0 ? nearestTo(mean, points, dimension) : indexOfLargest(squared);
    centres.set(points.subarray(seed * dimension, (seed + 1) * dimension), cluster * dimension);
    serve(cluster);
  }
  for (let round = 0; round < MOST_ROUNDS; round++) {
    moveCentres(points, dimension, labels, centres);
    const before = labels.slice();
    squared.fill(Number.POSITIVE_INFINITY);
    for (let cluster = 0; cluster * dimension < centres.length; cluster++) serve(cluster);
    if (labels.every((label, i) => label === before[i])) break;
  }
  return labels;
}

/** Moves centres to the means of their points; a centre without points stays. */
function moveCentres(points: Float64Array, dimension: number, labels: Int32Array, centres: Float64Array): void {
  const counts = new Float64Array(centres.length / dimension);
  for (const label of labels) counts[label]++;
  for (let a = 0; a < centres.length; a++) if (counts[Math.floor(a / dimension)] > 0) centres[a] = 0;
  labels.forEach((label, i) => {
    for (let d = 0; d < dimension; d++) centres[label * dimension + d] += points[i * dimension + d] / counts[label];
  });
}

function squaredDistance(a: Float64Array, i: number, b: Float64Array, j: number, dimension: number): number {
  let sum = 0;
  for (let d = 0; d < dimension; d++) sum += (a[i * dimension + d] - b[j * dimension + d]) ** 2;
  return sum;
}

function nearestTo(point: Float64Array, points: Float64Array, dimension: number): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i * dimension < points.length; i++) {
    const d = squaredDistance(points, i, point, 0, dimension);
    if (d < least) {
      least = d;
      best = i;
    }
  }
  return best;
}

function indexOfLargest(values: Float64Array): number {
  let largest = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[largest]) largest = i;
  return largest;
}
