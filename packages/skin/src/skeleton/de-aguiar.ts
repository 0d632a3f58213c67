/**
 * Skeletons from seed vertices: evenly spread seeds are grouped by spectral clustering of how constant their mutual
 * distances are; each seed represents the patch of the surface around it; then weights, a spanning tree and joints.
 *
 * Without a number of bones it is that of the clusters, which the spectrum shows.
 *
 * Patches follow the curvature of the rest pose, as in the paper, or are plain geodesic Voronoi cells.
 *
 * References: de Aguiar, Theobalt, Thrun, Seidel. Automatic conversion of mesh animations into skeleton-based animations.
 * 2008. Ng, Jordan, Weiss. On spectral clustering: analysis and an algorithm. 2001.
 */

import { exp, type Numerics, symmetricEigen } from '@pelt/math';
import { checkCancelled, frameAt, frameCount, type MeshSequence, type RunContext } from '@pelt/model';
import type { FitProblem } from '../decompose/fit-problem.ts';
import { kMeans } from '../decompose/lssp/k-means.ts';
import { largestGap } from '../decompose/lssp/largest-gap.ts';
import { farthestVertices } from '../decompose/lssp/patch-motions.ts';
import { curvaturePatches } from './curvature-patches.ts';
import { geodesicCells } from './geodesic-cells.ts';
import { pulledJoint } from './joint-tree.ts';
import type { SkeletonOptions } from './options.ts';
import { joinBones, skinFromClusters } from './single-pass.ts';
import type { SolvedSkeleton } from './skeleton-rig.ts';

/** Seeds as a fraction of the vertices, and minimum number per bone. */
const SEEDS = 0.01;
const SEEDS_PER_BONE = 4;
/** Minimum number of seeds where the number of bones is left to the spectrum. */
const LEAST_SEEDS = 100;
/** Scale of the affinity relative to the root mean square deviation of all pairs. */
const SCALE = 0.25;

/** The caller disposes the system. */
export function deAguiarSkeleton(
  problem: FitProblem,
  sequence: MeshSequence,
  options: SkeletonOptions,
  context: RunContext | undefined,
): SolvedSkeleton {
  const wanted = options.bones;
  const { rest } = problem.prepared.trajectories;
  context?.onProgress?.({ stage: 'clustering', fraction: 0 });
  const least = wanted === 'auto' ? LEAST_SEEDS : SEEDS_PER_BONE * wanted;
  const seeds = farthestVertices(rest, Math.max(Math.ceil(SEEDS * problem.n), least));
  const deviations = distanceDeviations(sequence, seeds, context);
  const clusters = spectralLabels(deviations, seeds.length, wanted, problem.numerics);
  const cells =
    options.patches === 'curvature'
      ? curvaturePatches(rest, sequence.rest.triangles, problem.graph, seeds)
      : geodesicCells(rest, problem.graph, seeds);
  const { labels, count } = renumbered(cells.map((cell) => clusters[cell]));
  context?.onProgress?.({ stage: 'joining bones', fraction: 0.9 });
  const system = skinFromClusters(problem, labels, count, options.weights);
  return joinBones(problem, system, options.root, pulledJoint, 1);
}

/** q × q standard deviations of the distance between two seeds over all frames. */
function distanceDeviations(sequence: MeshSequence, seeds: Int32Array, context: RunContext | undefined): Float64Array {
  const q = seeds.length;
  const S = frameCount(sequence);
  const sums = new Float64Array(q * q);
  const squares = new Float64Array(q * q);
  for (let t = 0; t < S; t++) {
    checkCancelled(context);
    const frame = frameAt(sequence, t);
    for (let a = 0; a < q; a++) {
      for (let b = 0; b < a; b++) {
        const [i, j] = [3 * seeds[a], 3 * seeds[b]];
        const distance = Math.hypot(frame[i] - frame[j], frame[i + 1] - frame[j + 1], frame[i + 2] - frame[j + 2]);
        sums[a * q + b] += distance / S;
        squares[a * q + b] += distance ** 2 / S;
      }
    }
  }
  const out = new Float64Array(q * q);
  for (let a = 0; a < q; a++) {
    for (let b = 0; b < a; b++) {
      const k = a * q + b;
      out[k] = out[b * q + a] = Math.sqrt(Math.max(squares[k] - sums[k] ** 2, 0));
    }
  }
  return out;
}

/** Labels of q points: k-means on the normalised rows of the leading eigenvectors of D^−½ A D^−½. */
function spectralLabels(deviations: Float64Array, q: number, wanted: number | 'auto', numerics: Numerics): Int32Array {
  const meanSquare = deviations.reduce((sum, d) => sum + d * d, 0) / (q * q);
  const A = deviations.map((d) => (meanSquare > 0 ? exp(-(d * d) / (2 * SCALE ** 2 * meanSquare)) : 1));
  const degrees = new Float64Array(q);
  A.forEach((value, at) => {
    degrees[Math.floor(at / q)] += value;
  });
  const normalised = A.map((value, at) => value / Math.sqrt(degrees[Math.floor(at / q)] * degrees[at % q]));
  const { values, vectors } = symmetricEigen(normalised, q, numerics);
  const dimension = Math.min(wanted === 'auto' ? largestGap(values) : wanted, q);
  const rows = new Float64Array(q * dimension);
  for (let a = 0; a < q; a++) {
    let squared = 0;
    for (let d = 0; d < dimension; d++) squared += vectors[a * q + q - 1 - d] ** 2;
    for (let d = 0; d < dimension; d++) rows[a * dimension + d] = vectors[a * q + q - 1 - d] / Math.sqrt(squared || 1);
  }
  return kMeans(rows, dimension, dimension);
}

/** Renumbers labels consecutively. */
function renumbered(labels: Int32Array): { readonly labels: Int32Array; readonly count: number } {
  const numbers = new Map<number, number>();
  for (const label of labels) if (!numbers.has(label)) numbers.set(label, numbers.size);
  return { labels: labels.map((label) => numbers.get(label) ?? 0), count: numbers.size };
}
