/**
 * A second start for fits in which every vertex may use every bone. There the search for supports has nothing to decide,
 * diffusion and swaps change nothing, and the descent stays in the valley of its start; and clusters, which know one bone
 * a vertex, put bones where a blend of others would do.
 *
 * So: half of the bones from clusters, then one more at a time where the blended fit is worst, with a few rounds in
 * between. On rigs that are known and have dense weights this finds the rig where clusters alone do not; where vertices
 * have few weights it is the worse start (by 6 to 14 % on the measured animals).
 */
import type { SkinningSystem } from '@pelt/math';
import { type RunContext, stageOf } from '@pelt/model';
import { patchAround } from '../mesh/patch.ts';
import type { CountedFit } from './bone-count.ts';
import { SEED_VERTICES, startFromClusters } from './cluster-start.ts';
import type { FitProblem } from './fit-problem.ts';
import type { RoundOptions } from './ssdr.ts';

/** Share of the bones that clusters give. */
const CLUSTERED = 0.5;
/** Rounds before the next bone: the opening and most of a period. Without the period's swaps and strides it fails. */
const STAGE_ROUNDS = 16;
/** Sweeps over all bones that give a new one its motion. */
const SWEEPS = 2;
/** A fit of a handful of bones is not worth a second start. */
const LEAST_BONES = 6;

/** Whether a second start may find what the first cannot. */
export function worthGrowing(bones: number, slots: number): boolean {
  return bones >= LEAST_BONES && slots >= bones;
}

/**
 * The fit from clusters, or one from a grown start where that is better. The caller disposes the system.
 *
 * @param fromClusters  the first fit
 */
export function betterOfTwoStarts(
  problem: FitProblem,
  fromClusters: (context: RunContext) => CountedFit,
  bones: number,
  options: RoundOptions & { readonly weights: number },
  context: RunContext | undefined,
): CountedFit {
  const first = fromClusters(stageOf(context, 0, 0.4));
  let grown: SkinningSystem | undefined;
  try {
    grown = startByGrowth(problem, bones, options.weights, options, stageOf(context, 0.4, 0.7));
    const rounds = problem.descend(grown, 'rigid', options, stageOf(context, 0.7, 1));
    const better = grown.totalError() < first.system.totalError();
    (better ? first.system : grown).dispose();
    return better ? { system: grown, iterations: rounds } : first;
  } catch (error) {
    first.system.dispose();
    grown?.dispose();
    throw error;
  }
}

/** A system of rigid bones that holds the start; the caller disposes it. */
function startByGrowth(
  problem: FitProblem,
  bones: number,
  slots: number,
  options: RoundOptions,
  context: RunContext | undefined,
): SkinningSystem {
  const first = Math.ceil(CLUSTERED * bones);
  let system = problem.system(first, slots);
  try {
    startFromClusters(system, problem.numerics, problem.graph, context);
    while (system.m < bones) {
      const done = system.m - first;
      const stage = stageOf(context, done / (bones - first), (done + 1) / (bones - first));
      problem.descend(system, 'rigid', { ...options, rounds: STAGE_ROUNDS }, stage);
      const grown = withBoneAtWorst(problem, system, slots);
      system.dispose();
      system = grown;
    }
    return system;
  } catch (error) {
    system.dispose();
    throw error;
  }
}

/** One more bone, which moves the patch around the vertex of the largest error. */
function withBoneAtWorst(problem: FitProblem, system: SkinningSystem, slots: number): SkinningSystem {
  const { m } = system;
  const kept = Array.from({ length: m }, (_, j) => j);
  const grown = system.withBones(kept, 1, Math.min(slots, m + 1));
  try {
    const { K, weights, boneIndices } = grown;
    const errors = system.error.view;
    let worst = 0;
    for (let i = 1; i < errors.length; i++) if (errors[i] > errors[worst]) worst = i;
    for (const i of patchAround(problem.graph, worst, SEED_VERTICES)) {
      weights.view.fill(0, i * K, (i + 1) * K);
      weights.view[i * K] = 1;
      boneIndices.view[i * K] = m;
    }
    grown.gatherMoments();
    grown.solveRigidBones(SWEEPS);
    grown.transformsChanged();
    return grown;
  } catch (error) {
    grown.dispose();
    throw error;
  }
}
