/**
 * Skinning mesh animations (SMA): bones are the rigid motions of parts whose triangles rotate alike, and weights are
 * solved once for them. Nothing is iterated, so the parts must be nearly rigid for a good result.
 *
 * 1. Mean shift on the triangles' rotation sequences finds the parts, and their number.
 * 2. The cores of the parts give the bones of each frame by least squares: rigid, or affine if parts stretch.
 * 3. Each vertex takes the K bones that individually explain it best, with the optimal convex weights among them.
 *
 * For a requested number of bones, the largest bandwidth that gives enough parts is found by bisection; it and a few
 * smaller ones are tried with their largest parts, and the one with the least error is used.
 *
 * Reference: James, Twigg. Skinning mesh animations. 2005.
 */
import { SkinningSystem, type Trajectories } from '@pelt/kernels';
import type { Numerics } from '@pelt/math';
import { checkCancelled, IDENTITY_TRANSFORM, type MeshSequence, type RunContext, UsageError } from '@pelt/model';
import type { EdgeGraph } from '../../shared/mesh/edge-graph.ts';
import type { BoneKind } from '../options.ts';
import type { RigidParts } from './rigid-parts.ts';
import { RotationClusters } from './rotation-clusters.ts';

export interface SmaOptions {
  /** Number of bones; fewer if mean shift finds fewer parts. */
  readonly bones: number;
  /** K, maximum weights per vertex. */
  readonly weights: number;
  /** Root mean square angle, in degrees, between triangles of one part; `auto` derives it from `bones`. */
  readonly bandwidth: number | 'auto';
  readonly kind: BoneKind;
}

/** Candidate bandwidths: a geometric sequence that starts at the spread of all rotations. */
const WIDEST = 1.2;
const RUNG_RATIO = 0.85;
const RUNGS = 20;
/** Smaller bandwidths that are tried beside the largest that gives enough parts. */
const NARROWER = 3;

/** The caller disposes the system, which contains bones, weights and errors. */
export function decomposeSma(
  sequence: MeshSequence,
  trajectories: Trajectories,
  graph: EdgeGraph,
  options: SmaOptions,
  numerics: Numerics,
  context?: RunContext,
): SkinningSystem {
  const { bandwidth, bones, kind } = options;
  if (bandwidth !== 'auto' && !(bandwidth > 0 && bandwidth <= 180)) {
    throw new UsageError(`bandwidth is ${bandwidth}; it must be an angle in (0, 180] degrees`);
  }
  context?.onProgress?.({ stage: 'clustering rotations', fraction: 0 });
  const clusters = new RotationClusters(sequence, graph, numerics, context);
  let best: { system: SkinningSystem; error: number } | undefined;
  const tried = bandwidth === 'auto' ? partsFor(bones, clusters, context) : [clusters.at(bandwidth, context)];
  for (const parts of tried) {
    checkCancelled(context);
    const m = Math.max(Math.min(parts.count, bones), 1);
    const system = new SkinningSystem(numerics, trajectories, m, Math.min(options.weights, m));
    placeBones(system, parts, kind);
    const error = errorOfSingleBones(system, numerics);
    const better = !best || error < best.error;
    (better ? best?.system : system)?.dispose();
    if (better) best = { system, error };
  }
  if (!best) throw new UsageError('decomposeSma: no bandwidth to try');
  context?.onProgress?.({ stage: 'fitting weights', fraction: 0.8 });
  const { system } = best;
  const scope = numerics.scope();
  const candidates = scope.i32(system.n * system.K);
  system.nearestBones(candidates, system.K);
  system.solveWeightsAmong(candidates, system.K);
  scope.dispose();
  return system;
}

/** Parts at the largest bandwidth that gives at least `bones`, and at some smaller ones. */
function partsFor(bones: number, clusters: RotationClusters, context: RunContext | undefined): RigidParts[] {
  // All triangles rotate alike, so any bandwidth will do.
  if (!(clusters.spread > 0)) return [clusters.at(1, context)];
  const at = (rung: number) => clusters.at(WIDEST * clusters.spread * RUNG_RATIO ** rung, context);
  // Rung `low` gives too few parts; rung `high` gives enough, unless it is RUNGS.
  let [low, high] = [-1, RUNGS];
  let enough: RigidParts | undefined;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const parts = at(middle);
    context?.onProgress?.({ stage: 'clustering rotations', fraction: 0.5 * (1 - (high - low) / (RUNGS + 1)) });
    if (parts.count >= bones) [high, enough] = [middle, parts];
    else low = middle;
  }
  if (!enough) high = RUNGS - 1 - NARROWER;
  const narrower = Array.from({ length: NARROWER }, (_, k) => at(high + k + 1));
  return [enough ?? at(high), ...narrower];
}

/** Fits each bone to its core, or one bone to the whole mesh if there are no cores. */
function placeBones(system: SkinningSystem, { partOf }: RigidParts, kind: BoneKind): void {
  const { n, m, K, S } = system;
  const { bones, weights } = system.editWeights();
  const transforms = system.editTransforms();
  for (let k = 0; k < S * m * 12; k += 12) transforms.set(IDENTITY_TRANSFORM, k);
  const whole = partOf.every((part) => part < 0);
  for (let i = 0; i < n; i++) {
    const inside = partOf[i] >= 0 && partOf[i] < m;
    bones[i * K] = inside ? partOf[i] : 0;
    weights[i * K] = whole || inside ? 1 : 0;
  }
  system.solveRigidBones(1);
  if (kind === 'affine') system.solveAffineBones();
}

/** Sum of squared errors when every vertex follows its single best bone. */
function errorOfSingleBones(system: SkinningSystem, numerics: Numerics): number {
  const scope = numerics.scope();
  const errors = scope.f64(system.n);
  system.assign(scope.i32(system.n), errors);
  const sum = errors.view.reduce((total, error) => total + error, 0);
  scope.dispose();
  return sum;
}
