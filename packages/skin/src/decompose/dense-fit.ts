/**
 * SSDR where every vertex may use every bone (K ≥ m). There are no supports to search for, so diffusion and swaps change
 * nothing, and descent stays in the basin of its initialisation; and rigid clusters, with one bone per vertex, place
 * bones where a blend of others would do.
 *
 * There are therefore three initialisations: all bones from clusters; two thirds of them, with the others added one at a
 * time where the blended fit is worst, and many rounds in between; and the bones of a sparse fit, which moves them by
 * breathing (see `bestStart`). Bones are found as well on a sample of the vertices as on all of them, and several times as
 * fast: all three converge on the sample, and the best one continues on the full mesh.
 *
 * On known rigs with dense weights this finds the rig where clusters alone do not. Where vertices have few weights, a grown
 * initialisation is worse (by 6 to 14 % on the measured animals). The sparse one takes half as much time again; on animals
 * it changes the error by −2 to +1.5 %. Tried and left out: docs/experiments/ssdr.md.
 */

import type { SkinningSystem } from '@pelt/kernels';
import { type RunContext, stageOf } from '@pelt/model';
import { averaged } from '../shared/mesh/averaged.ts';
import { patchAround } from '../shared/mesh/patch.ts';
import { startFromClusters } from '../shared/search/cluster-start.ts';
import { withBonesOn, worstVertex } from '../shared/search/moves.ts';
import type { CountedFit } from './bone-count.ts';
import type { FitProblem } from './fit-problem.ts';
import type { RoundOptions } from './options.ts';
import { clusterSeeding, type FitPlan, roundsOf } from './plan.ts';
import { startFromRegions, wantsRegions } from './region-start.ts';
import { bestStart } from './sampled-fit.ts';

/** Sweeps over all bones that give a new bone its motion. */
const SWEEPS = 2;

/** Whether more initialisations than clusters may pay. */
export function wantsSeveralStarts(bones: number, { weights, rounds, smooth }: DenseOptions, plan: FitPlan): boolean {
  return bones >= plan.denseBones && weights >= bones && rounds >= roundsOf(plan).converged && smooth === 0;
}

export type DenseOptions = RoundOptions & { readonly weights: number };

/** The best of three initialisations, refined on the full mesh. The caller disposes the system. */
export function fitDensely(
  problem: FitProblem,
  bones: number,
  options: DenseOptions,
  context: RunContext | undefined,
): CountedFit {
  const { plan } = problem;
  const { problem: coarse } = problem.sample(Math.max(plan.denseVertices, bones * 2 * plan.seed), problem.S);
  const start = betterOf(
    betterOf(
      fitFromClusters(coarse, bones, options, stageOf(context, 0, 0.1)),
      fitFromGrowth(coarse, bones, options, stageOf(context, 0.1, 0.4)),
    ),
    fitFromSparse(coarse, bones, options, stageOf(context, 0.4, 0.6)),
  );
  if (coarse === problem)
    return wantsRegions(problem, bones, start.system.totalError())
      ? betterOf(start, fitFromRegions(problem, bones, options, context))
      : start;
  const system = withBonesOf(start.system, problem);
  return { system, iterations: problem.descend(system, 'rigid', options, stageOf(context, 0.6, 1), { opening: 0 }) };
}

function fitFromSparse(problem: FitProblem, bones: number, options: RoundOptions, context: RunContext): CountedFit {
  const sparse = bestStart(
    problem,
    bones,
    'rigid',
    { ...options, weights: problem.plan.sparseWeights },
    stageOf(context, 0, 0.5),
  );
  const system = withBonesOf(sparse.system, problem);
  const iterations = problem.descend(system, 'rigid', options, stageOf(context, 0.5, 1), { opening: 0 });
  return { system, iterations: sparse.iterations + iterations };
}

/** Dense weights over the bones of another fit, which is disposed. */
function withBonesOf(fit: SkinningSystem, problem: FitProblem): SkinningSystem {
  const system = problem.system(fit.m, fit.m);
  system.editTransforms().set(fit.transforms.view);
  fit.dispose();
  system.solveWeightsOverAll();
  return system;
}

/** The fit of lower error; the other one is disposed. */
function betterOf(one: CountedFit, other: CountedFit): CountedFit {
  const better = other.system.totalError() < one.system.totalError();
  (better ? one : other).system.dispose();
  return better ? other : one;
}

function fitFromClusters(problem: FitProblem, bones: number, options: RoundOptions, context: RunContext): CountedFit {
  const system = problem.system(bones, bones);
  startFromClusters(system, problem.numerics, problem.graph, clusterSeeding(problem.plan), context);
  return { system, iterations: problem.descend(system, 'rigid', options, context) };
}

function fitFromRegions(
  problem: FitProblem,
  bones: number,
  options: RoundOptions,
  context: RunContext | undefined,
): CountedFit {
  const system = problem.system(bones, bones);
  startFromRegions(system, problem, context);
  return { system, iterations: problem.descend(system, 'rigid', options, context) };
}

function fitFromGrowth(problem: FitProblem, bones: number, options: RoundOptions, context: RunContext): CountedFit {
  const first = Math.ceil(problem.plan.clustered * bones);
  const stages = bones - first + 1;
  const stage = (k: number) => stageOf(context, k / stages, (k + 1) / stages);
  let system = problem.system(first, first);
  startFromClusters(system, problem.numerics, problem.graph, clusterSeeding(problem.plan), context);
  while (system.m < bones) {
    problem.descend(system, 'rigid', { ...options, rounds: roundsOf(problem.plan).growing }, stage(system.m - first));
    const grown = withBoneAtWorst(problem, system);
    system.dispose();
    system = grown;
  }
  return { system, iterations: problem.descend(system, 'rigid', options, stage(stages - 1)) };
}

/** The system with one more bone, which moves the patch where the averaged error is largest. */
function withBoneAtWorst({ graph, plan }: FitProblem, system: SkinningSystem): SkinningSystem {
  const worst = worstVertex(averaged(system.error.view, graph, 3 * plan.rings));
  const grown = withBonesOn(system, [patchAround(graph, worst, 2 * plan.seed)], system.m + 1);
  grown.solveRigidBones(SWEEPS);
  return grown;
}
