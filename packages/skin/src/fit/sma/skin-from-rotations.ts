/**
 * Skinning mesh animations: bones are the rigid motions of parts whose triangles turn alike, weights are solved once for
 * them. Nothing is iterated, so the parts have to be nearly rigid for a good result.
 *
 * 1. Mean shift on the triangles' rotation sequences finds the parts, and their number.
 * 2. The core triangles of each part give its bone, frame by frame, by least squares.
 * 3. Each vertex takes the K bones that explain it best one by one, and the convex weights on them that explain it best
 *    together.
 *
 * Reference: James, Twigg. Skinning mesh animations. 2005.
 */
import { type Numerics, SkinningSystem, type Trajectories } from '@pelt/math';
import { type MeshSequence, type RunContext, stageOf } from '@pelt/model';
import { leastErrorBones } from './individual-errors.ts';
import { rotationClusters } from './rotation-clusters.ts';

export interface SkinFromRotationsOptions {
  /** Bones: as many, or the number below that mean shift can find. */
  readonly bones: number;
  /** K, most weights a vertex. */
  readonly weights: number;
  /** How far, in degrees, triangles of one part may turn apart; absent: whatever gives the number of bones. */
  readonly bandwidth: number | undefined;
}

/** The caller disposes the system. Its bones may be fewer than asked for. */
export function skinFromRotations(
  sequence: MeshSequence,
  trajectories: Trajectories,
  { bones, weights, bandwidth }: SkinFromRotationsOptions,
  numerics: Numerics,
  context?: RunContext,
): SkinningSystem {
  context?.onProgress?.({ stage: 'clustering rotations', fraction: 0 });
  const clusters = rotationClusters(sequence, bones, bandwidth, numerics, stageOf(context, 0, 0.7));
  const m = Math.max(clusters.count, 1);
  const system = new SkinningSystem(numerics, trajectories, m, Math.min(weights, m));
  const scope = numerics.scope();
  try {
    context?.onProgress?.({ stage: 'fitting bones', fraction: 0.7 });
    placeBones(system, clusters.coreOf);
    context?.onProgress?.({ stage: 'fitting weights', fraction: 0.8 });
    const candidates = scope.i32(system.n * system.K);
    leastErrorBones(numerics, trajectories, system, system.K, candidates.view, context);
    system.solveWeightsAmong(candidates, system.K);
    return system;
  } catch (error) {
    system.dispose();
    throw error;
  } finally {
    scope.dispose();
  }
}

/** The rigid motion of each core; where there is no core at all, of the whole. */
function placeBones(system: SkinningSystem, coreOf: Int32Array): void {
  const { n, m, K, S } = system;
  const [bones, weights, transforms] = [system.boneIndices.view, system.weights.view, system.transforms.view];
  for (let k = 0; k < S * m * 12; k += 12) transforms.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], k);
  const none = coreOf.every((core) => core < 0);
  for (let i = 0; i < n; i++) {
    bones[i * K] = Math.max(coreOf[i], 0);
    weights[i * K] = none || coreOf[i] >= 0 ? 1 : 0;
  }
  system.gatherMoments();
  system.solveRigidBones(1);
  system.transformsChanged();
}
