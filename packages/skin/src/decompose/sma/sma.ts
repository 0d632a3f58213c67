/**
 * Skinning mesh animations: bones are the rigid motions of parts whose triangles turn alike, weights are solved once for
 * them. Nothing is iterated, so the parts have to be nearly rigid for a good result.
 *
 * 1. Mean shift on the triangles' rotation sequences finds the parts, and their number.
 * 2. The cores of the parts give the bones, frame by frame, by least squares: rigid, or affine where the parts stretch.
 * 3. Each vertex takes the K bones that explain it best one by one, and the convex weights on them that explain it best
 *    together.
 *
 * Where a number of bones is asked for, the widest bandwidth that gives so many parts is searched, and it and a few
 * narrower ones are tried with their largest parts: the one whose parts explain the mesh best is taken.
 *
 * Reference: James, Twigg. Skinning mesh animations. 2005.
 */
import { type Numerics, SkinningSystem, type Trajectories } from '@pelt/math';
import { checkCancelled, IDENTITY_TRANSFORM, type MeshSequence, type RunContext, UsageError } from '@pelt/model';
import type { EdgeGraph } from '../../shared/mesh/edge-graph.ts';
import type { RigidParts } from './rigid-parts.ts';
import { RotationClusters } from './rotation-clusters.ts';

export interface SkinFromRotationsOptions {
  /** Bones; fewer where mean shift finds fewer parts. */
  readonly bones: number;
  /** K, most weights a vertex. */
  readonly weights: number;
  /** Root mean square angle, in degrees, that triangles of one part may turn apart; undefined: as `bones` asks for. */
  readonly bandwidth: number | undefined;
  readonly kind: 'rigid' | 'affine';
}

/** Bandwidths that are tried, from the spread of all rotations downwards. */
const WIDEST = 1.2;
const RUNG_RATIO = 0.85;
const RUNGS = 20;
/** Narrower bandwidths that are tried beside the widest that gives enough parts. */
const NARROWER = 3;

/** The caller disposes the system, which holds bones, weights and errors. */
export function decomposeSma(
  sequence: MeshSequence,
  trajectories: Trajectories,
  graph: EdgeGraph,
  options: SkinFromRotationsOptions,
  numerics: Numerics,
  context?: RunContext,
): SkinningSystem {
  const { bandwidth, bones, kind } = options;
  if (bandwidth !== undefined && !(bandwidth > 0 && bandwidth <= 180)) {
    throw new UsageError(`bandwidth is ${bandwidth}; it must be an angle above 0 and up to 180 degrees`);
  }
  context?.onProgress?.({ stage: 'clustering rotations', fraction: 0 });
  const clusters = new RotationClusters(sequence, graph, numerics, context);
  let best: { system: SkinningSystem; error: number } | undefined;
  const scope = numerics.scope();
  try {
    const tried = bandwidth === undefined ? partsFor(bones, clusters, context) : [clusters.at(bandwidth, context)];
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
    const candidates = scope.i32(system.n * system.K);
    system.nearestBones(candidates, system.K);
    system.solveWeightsAmong(candidates, system.K);
    return system;
  } catch (error) {
    best?.system.dispose();
    throw error;
  } finally {
    scope.dispose();
  }
}

/** Parts at the widest bandwidth that gives at least `bones`, and at some narrower ones. */
function partsFor(bones: number, clusters: RotationClusters, context: RunContext | undefined): RigidParts[] {
  // Nothing turns against anything: any bandwidth will do.
  if (!(clusters.spread > 0)) return [clusters.at(1, context)];
  const at = (rung: number) => clusters.at(WIDEST * clusters.spread * RUNG_RATIO ** rung, context);
  // Rung `low` gives too few parts, rung `high` enough, or there is none that does.
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

/** The motion of each core; where there is no core at all, of the whole. */
function placeBones(system: SkinningSystem, { partOf }: RigidParts, kind: 'rigid' | 'affine'): void {
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

/** Σ of squared errors where every vertex follows the one bone that suits it best. */
function errorOfSingleBones(system: SkinningSystem, numerics: Numerics): number {
  const scope = numerics.scope();
  const errors = scope.f64(system.n);
  system.assign(scope.i32(system.n), errors);
  const sum = errors.view.reduce((total, error) => total + error, 0);
  scope.dispose();
  return sum;
}
