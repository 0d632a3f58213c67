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
 * it changes the error by −2 to +1.5 %. Tried and left out: growing at the single worst vertex (finds the rig on some
 * samples and misses it on others), several bones at a time (the same), starting from half or a fifth of the bones (the
 * same), moving the least important bone of a converged fit (it comes back).
 */

import type { SkinningSystem } from '@pelt/kernels';
import { type RunContext, stageOf } from '@pelt/model';
import { averaged } from '../shared/mesh/averaged.ts';
import { patchAround } from '../shared/mesh/patch.ts';
import type { CountedFit } from './bone-count.ts';
import { startFromClusters, worstVertex } from './cluster-start.ts';
import type { FitProblem } from './fit-problem.ts';
import type { RoundOptions } from './options.ts';
import { bestStart } from './sampled-fit.ts';

/** Vertices of the sample on which the initialisations are tried. */
const SAMPLE = 2000;
/** Weights per vertex of the sparse initialisation. */
const SPARSE_WEIGHTS = 4;
/** Fraction of the bones that the grown initialisation takes from clusters. */
const CLUSTERED = 0.7;
/** Rounds before the next bone: the opening and almost two periods. Half as many fail. */
const STAGE_ROUNDS = 24;
/** Sample vertices that define a new bone, and rings over which errors are averaged to place it. */
const SEED_VERTICES = 40;
const RINGS = 6;
/** Sweeps over all bones that give a new bone its motion. */
const SWEEPS = 2;
/** With fewer bones clusters are enough. */
const LEAST_BONES = 6;
/** A caller who asks for fewer rounds does not want a converged model. */
const LEAST_ROUNDS = 60;

/** Whether more initialisations than clusters may pay. */
export function wantsSeveralStarts(bones: number, { weights, rounds, smooth }: DenseOptions): boolean {
  return bones >= LEAST_BONES && weights >= bones && rounds >= LEAST_ROUNDS && smooth === 0;
}

export type DenseOptions = RoundOptions & { readonly weights: number };

/** The best of three initialisations, refined on the full mesh. The caller disposes the system. */
export function fitDensely(
  problem: FitProblem,
  bones: number,
  options: DenseOptions,
  context: RunContext | undefined,
): CountedFit {
  const { problem: coarse } = problem.sample(Math.max(SAMPLE, bones * SEED_VERTICES), problem.S);
  const start = betterOf(
    betterOf(
      fitFromClusters(coarse, bones, options, stageOf(context, 0, 0.1)),
      fitFromGrowth(coarse, bones, options, stageOf(context, 0.1, 0.4)),
    ),
    fitFromSparse(coarse, bones, options, stageOf(context, 0.4, 0.6)),
  );
  if (coarse === problem) return start;
  const system = withBonesOf(start.system, problem);
  return { system, iterations: problem.descend(system, 'rigid', options, stageOf(context, 0.6, 1), { opening: 0 }) };
}

function fitFromSparse(problem: FitProblem, bones: number, options: RoundOptions, context: RunContext): CountedFit {
  const sparse = bestStart(problem, bones, 'rigid', { ...options, weights: SPARSE_WEIGHTS }, stageOf(context, 0, 0.5));
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
  startFromClusters(system, problem.numerics, problem.graph, context);
  return { system, iterations: problem.descend(system, 'rigid', options, context) };
}

function fitFromGrowth(problem: FitProblem, bones: number, options: RoundOptions, context: RunContext): CountedFit {
  const first = Math.ceil(CLUSTERED * bones);
  const stages = bones - first + 1;
  const stage = (k: number) => stageOf(context, k / stages, (k + 1) / stages);
  let system = problem.system(first, first);
  startFromClusters(system, problem.numerics, problem.graph, context);
  while (system.m < bones) {
    problem.descend(system, 'rigid', { ...options, rounds: STAGE_ROUNDS }, stage(system.m - first));
    const grown = withBoneAtWorst(problem, system);
    system.dispose();
    system = grown;
  }
  return { system, iterations: problem.descend(system, 'rigid', options, stage(stages - 1)) };
}

/** The system with one more bone, which moves the patch where the averaged error is largest. */
function withBoneAtWorst(problem: FitProblem, system: SkinningSystem): SkinningSystem {
  const { m } = system;
  const kept = Array.from({ length: m }, (_, j) => j);
  const grown = system.withBones(kept, 1, m + 1);
  const { K } = grown;
  const { bones, weights } = grown.editWeights();
  const worst = worstVertex(averaged(system.error.view, problem.graph, RINGS));
  for (const i of patchAround(problem.graph, worst, SEED_VERTICES)) {
    weights.fill(0, i * K, (i + 1) * K);
    weights[i * K] = 1;
    bones[i * K] = m;
  }
  grown.solveRigidBones(SWEEPS);
  return grown;
}
