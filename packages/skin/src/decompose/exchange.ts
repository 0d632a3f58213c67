/**
 * Exchange of parts between two good fits: where one of them has less error than the other over a region, its bones there are
 * added to the other, and once they have settled as many are removed as were added, each time the one that costs least. If
 * that has a lower error it is kept. Two descents that end in different minima are each better somewhere; a breath finds
 * bones for a bad place anew, this takes those that another fit has found for it already.
 *
 * Measured with the rest pose kept, at bone counts that are not in the benchmark, against the better of two fits that have
 * breathed: with four fits, 0.3 to 9 % less error, 3 % on average, of which half is the best of four; with eight, 3.6 %.
 *
 * Tried and left out: docs/experiments/ssdr.md.
 */
import type { SkinningSystem } from '@pelt/kernels';
import { type RunContext, stageOf } from '@pelt/model';
import { averaged } from '../shared/mesh/averaged.ts';
import type { EdgeGraph } from '../shared/mesh/edge-graph.ts';
import { meritOf } from '../shared/rest-pose.ts';
import { swapThoroughly } from '../shared/search/weight-steps.ts';
import { withoutLeastUseful } from './breathing.ts';
import type { FitProblem } from './fit-problem.ts';
import type { BoneKind, RoundOptions } from './options.ts';
import { roundsOf } from './plan.ts';

/** Maximum number of parts that are tried of each other fit. */
const EXCHANGES = 4;

/** The best of several fits with parts of the others; all others are disposed. */
export function exchangeAmong(
  problem: FitProblem,
  fits: readonly SkinningSystem[],
  kind: BoneKind,
  options: RoundOptions & { readonly weights: number },
  context: RunContext | undefined,
): { readonly system: SkinningSystem; readonly iterations: number } {
  const merits = new Map(fits.map((system) => [system, meritOf(system, options.restPose)]));
  const [best, ...others] = [...fits].sort((a, b) => (merits.get(a) ?? 0) - (merits.get(b) ?? 0));
  let [system, iterations] = [best, 0];
  others.forEach((other, k) => {
    const stage = stageOf(context, k / others.length, (k + 1) / others.length);
    const result = exchangeParts(problem, system, other, kind, options, stage);
    system = result.system;
    iterations += result.iterations;
    other.dispose();
  });
  return { system, iterations };
}

/** A fit of as many bones and no larger error; the first is disposed if that is another, the second stays. */
export function exchangeParts(
  problem: FitProblem,
  start: SkinningSystem,
  other: SkinningSystem,
  kind: BoneKind,
  options: RoundOptions & { readonly weights: number },
  context: RunContext | undefined,
): { readonly system: SkinningSystem; readonly iterations: number } {
  const { plan, graph } = problem;
  const rounds = roundsOf(plan);
  let system = start;
  let error = meritOf(system, options.restPose);
  let iterations = 0;
  const tried = new Set<number>();
  // Every bone needs vertices of its own.
  const room = Math.floor(problem.n / plan.seed) - system.m;
  const most = Math.min(Math.max(1, Math.round(plan.breath * system.m)), room);
  for (let k = 0; k < EXCHANGES && most > 0 && error > 0; k++) {
    const stage = stageOf(context, k / EXCHANGES, (k + 1) / EXCHANGES);
    const parts = betterParts(system, other, graph, plan.rings).filter((part) => !tried.has(part.peak));
    const [part] = parts;
    if (!part) break;
    tried.add(part.peak);
    const bones = bonesIn(other, part.vertices).slice(0, most);
    const grown = system.withBones(
      [...Array(system.m).keys()],
      bones.length,
      Math.min(options.weights, system.m + bones.length),
    );
    copyMotions(other, bones, grown, system.m);
    swapThoroughly(grown, plan.swaps);
    const descend = (trial: SkinningSystem, most: number, opening: number) => {
      iterations += problem.descend(trial, kind, { ...options, rounds: most }, stage, { opening, settle: false });
    };
    descend(grown, rounds.grown, plan.spreading);
    const trial = withoutLeastUseful(problem, grown, bones.length, kind, options.weights);
    descend(trial, plan.swapping, 0);
    if (meritOf(trial, options.restPose) < plan.hopeless ** 2 * error) descend(trial, rounds.period, plan.kick);
    const found = meritOf(trial, options.restPose);
    const [better, worse] = found < error ? [trial, system] : [system, trial];
    worse.dispose();
    system = better;
    error = Math.min(found, error);
  }
  return { system, iterations };
}

interface Part {
  readonly vertices: readonly number[];
  readonly gain: number;
  /** The vertex of the largest gain. */
  readonly peak: number;
}

/** Connected regions over which the other has less error, the largest gain first. */
function betterParts(system: SkinningSystem, other: SkinningSystem, graph: EdgeGraph, rings: number): Part[] {
  const gain = averaged(
    system.error.view.map((value, i) => value - other.error.view[i]),
    graph,
    rings,
  );
  const seen = new Uint8Array(gain.length);
  const parts: Part[] = [];
  for (let first = 0; first < gain.length; first++) {
    if (seen[first] || !(gain[first] > 0)) continue;
    const vertices = [first];
    seen[first] = 1;
    let [sum, peak] = [0, first];
    for (const i of vertices) {
      sum += gain[i];
      if (gain[i] > gain[peak]) peak = i;
      for (let e = graph.starts[i]; e < graph.starts[i + 1]; e++) {
        const beside = graph.neighbours[e];
        if (seen[beside] || !(gain[beside] > 0)) continue;
        seen[beside] = 1;
        vertices.push(beside);
      }
    }
    parts.push({ vertices, gain: sum, peak });
  }
  return parts.sort((a, b) => b.gain - a.gain || a.peak - b.peak);
}

/** Bones by how much of a part they move, relative to all that they move. */
function bonesIn({ boneIndices, weights, K, m, n }: SkinningSystem, part: readonly number[]): number[] {
  const [all, own] = [new Float64Array(m), new Float64Array(m)];
  const add = (i: number, sums: Float64Array) => {
    for (let s = i * K; s < (i + 1) * K; s++) sums[boneIndices.view[s]] += weights.view[s];
  };
  for (let i = 0; i < n; i++) add(i, all);
  for (const i of part) add(i, own);
  return [...all.keys()]
    .filter((j) => own[j] > 0.5 * all[j] || own[j] > 0.2 * part.length)
    .sort((a, b) => own[b] - own[a] || a - b);
}

function copyMotions(from: SkinningSystem, bones: readonly number[], to: SkinningSystem, first: number): void {
  const out = to.editTransforms();
  const known = from.transforms.view;
  for (let t = 0; t < from.S; t++) {
    bones.forEach((j, k) => {
      out.set(known.subarray((t * from.m + j) * 12, (t * from.m + j + 1) * 12), (t * to.m + first + k) * 12);
    });
  }
}
