/**
 * A fit in which every vertex may use every bone. There the search for supports has nothing to decide, diffusion and
 * swaps change nothing, and the descent stays in the valley of its start; and clusters, which know one bone a vertex, put
 * bones where a blend of others would do.
 *
 * So there are two starts: all bones from clusters; and two thirds of them, with one more at a time where the blended fit
 * is worst around, and many rounds in between. Bones are found as well on a sample of the vertices as on all, and several
 * times as fast: there both starts descend to their end, and the better one goes on over the whole mesh.
 *
 * On rigs that are known and have dense weights this finds the rig where clusters alone do not; where vertices have few
 * weights a grown start is the worse one (by 6 to 14 % on the measured animals). Tried and left out: growing at the one
 * worst vertex (finds the rig in some samples and misses it in others), several bones at a time (the same), from half or
 * a fifth of the bones (the same), moving the least bone of a finished fit (it comes back).
 */

import type { SkinningSystem } from '@pelt/math';
import { type RunContext, stageOf } from '@pelt/model';
import type { EdgeGraph } from '../shared/mesh/edge-graph.ts';
import { patchAround } from '../shared/mesh/patch.ts';
import type { CountedFit } from './bone-count.ts';
import { startFromClusters } from './cluster-start.ts';
import type { FitProblem } from './fit-problem.ts';
import type { RoundOptions } from './options.ts';

/** Vertices on which the starts are tried. */
const SAMPLE = 2000;
/** Share of the bones that clusters give. */
const CLUSTERED = 0.7;
/** Rounds before the next bone: the opening and two periods nearly. Half of them, and it fails. */
const STAGE_ROUNDS = 24;
/** Vertices of the sample that define a new bone, and rings over which errors are averaged to find its place. */
const SEED_VERTICES = 40;
const RINGS = 6;
/** Sweeps over all bones that give a new one its motion. */
const SWEEPS = 2;
/** A fit of a handful of bones is not worth a second start. */
const LEAST_BONES = 6;
/** Who asks for fewer rounds wants a model that has not settled. */
const LEAST_ROUNDS = 60;

/** Whether a second start may find what the first cannot. */
export function wantsTwoStarts(bones: number, { weights, rounds, smooth }: DenseOptions): boolean {
  return bones >= LEAST_BONES && weights >= bones && rounds >= LEAST_ROUNDS && smooth === 0;
}

export type DenseOptions = RoundOptions & { readonly weights: number };

/** The caller disposes the system. */
export function fitFromTwoStarts(
  problem: FitProblem,
  bones: number,
  options: DenseOptions,
  context: RunContext | undefined,
): CountedFit {
  const coarse = problem.coarser(Math.max(SAMPLE, bones * SEED_VERTICES));
  const start = betterOf(
    () => fitFromClusters(coarse, bones, options, stageOf(context, 0, 0.1)),
    () => fitFromGrowth(coarse, bones, options, stageOf(context, 0.1, 0.4)),
  );
  if (coarse === problem) return start;
  const system = problem.system(bones, bones);
  try {
    system.editTransforms().set(start.system.transforms.view);
    system.solveWeightsOverAll();
    return { system, iterations: problem.descend(system, 'rigid', options, stageOf(context, 0.4, 1), 0) };
  } catch (error) {
    system.dispose();
    throw error;
  } finally {
    start.system.dispose();
  }
}

/** The fit of less error; the other is disposed. */
function betterOf(first: () => CountedFit, second: () => CountedFit): CountedFit {
  const one = first();
  try {
    const other = second();
    const better = other.system.totalError() < one.system.totalError();
    (better ? one : other).system.dispose();
    return better ? other : one;
  } catch (error) {
    one.system.dispose();
    throw error;
  }
}

function fitFromClusters(problem: FitProblem, bones: number, options: RoundOptions, context: RunContext): CountedFit {
  const system = problem.system(bones, bones);
  try {
    startFromClusters(system, problem.numerics, problem.graph, context);
    return { system, iterations: problem.descend(system, 'rigid', options, context) };
  } catch (error) {
    system.dispose();
    throw error;
  }
}

function fitFromGrowth(problem: FitProblem, bones: number, options: RoundOptions, context: RunContext): CountedFit {
  const first = Math.ceil(CLUSTERED * bones);
  const stages = bones - first + 1;
  const stage = (k: number) => stageOf(context, k / stages, (k + 1) / stages);
  let system = problem.system(first, first);
  try {
    startFromClusters(system, problem.numerics, problem.graph, context);
    while (system.m < bones) {
      problem.descend(system, 'rigid', { ...options, rounds: STAGE_ROUNDS }, stage(system.m - first));
      const grown = withBoneAtWorst(problem, system);
      system.dispose();
      system = grown;
    }
    return { system, iterations: problem.descend(system, 'rigid', options, stage(stages - 1)) };
  } catch (error) {
    system.dispose();
    throw error;
  }
}

/** One more bone, which moves the patch around the place of the largest error. */
function withBoneAtWorst(problem: FitProblem, system: SkinningSystem): SkinningSystem {
  const { m } = system;
  const kept = Array.from({ length: m }, (_, j) => j);
  const grown = system.withBones(kept, 1, m + 1);
  try {
    const { K } = grown;
    const { bones, weights } = grown.editWeights();
    const errors = averaged(system.error.view, problem.graph);
    let worst = 0;
    for (let i = 1; i < errors.length; i++) if (errors[i] > errors[worst]) worst = i;
    for (const i of patchAround(problem.graph, worst, SEED_VERTICES)) {
      weights.fill(0, i * K, (i + 1) * K);
      weights[i * K] = 1;
      bones[i * K] = m;
    }
    grown.solveRigidBones(SWEEPS);
    return grown;
  } catch (error) {
    grown.dispose();
    throw error;
  }
}

/** Each value with those around it: one vertex alone may be an outlier, a region is not. */
function averaged(values: Float64Array, graph: EdgeGraph): Float64Array {
  let [from, to] = [Float64Array.from(values), new Float64Array(values.length)];
  for (let ring = 0; ring < RINGS; ring++) {
    for (let i = 0; i < from.length; i++) {
      let sum = from[i];
      for (let e = graph.starts[i]; e < graph.starts[i + 1]; e++) sum += from[graph.neighbours[e]];
      to[i] = sum / (graph.starts[i + 1] - graph.starts[i] + 1);
    }
    [from, to] = [to, from];
  }
  return from;
}
