/**
 * Fewer bones: those that can be spared at the least cost go, a few at a time, and what is left is fitted again. The cost
 * of a bone is what the error rises by when its vertices do with their other bones and the one that then helps most.
 */
import type { Numerics, SkinningSystem } from '@pelt/math';
import { type Bone, type Clip, checkCancelled, type Rig, type RunContext, UsageError } from '@pelt/model';
import { packWeights, unpackWeights } from '../shared/pack-weights.ts';
import { type ReductionInput, ReductionProblem } from './reduction-problem.ts';
import type { ReducedRig } from './weights/reduce-weights.ts';

/** Of the bones that are too many, this share goes at once. */
const SHARE = 0.34;
/** Rounds of weights and bones after each removal. */
const ROUNDS = 6;
const MOST_SWAPS = 3;
const LEAST_GAIN = 1e-4;
const BONE_SWEEPS = 4;
const REST_STIFFNESS = 1;

/**
 * @param count    bones to keep
 * @param bones    whether those that stay may move
 */
export function reduceBones(
  input: ReductionInput,
  count: number,
  bones: 'refit' | 'keep',
  numerics: Numerics,
  context?: RunContext,
): ReducedRig {
  if (!Number.isInteger(count) || count < 1) {
    throw new UsageError(`reduceBones: ${count} bones; it must be a whole number from 1`);
  }
  numerics.signal = context?.signal;
  let system: SkinningSystem | undefined;
  try {
    const problem = new ReductionProblem(input, numerics, context);
    const slots = input.rig.weights.slots;
    system = problem.system(slots);
    unpackWeights(input.rig.weights, false, system);
    system.measureError();
    const moving = bones === 'refit' && problem.rigid;
    let kept = input.rig.bones.map((_, j) => j);
    while (kept.length > count) {
      checkCancelled(context);
      const done = (problem.m - kept.length) / (problem.m - count);
      context?.onProgress?.({ stage: 'removing bones', fraction: done, detail: `${kept.length} left` });
      const stay = cheapestOut(system.removalCosts(), Math.max(1, Math.floor(SHARE * (kept.length - count))));
      const next = system.withBones(stay, 0, Math.min(slots, stay.length));
      system.dispose();
      system = next;
      kept = stay.map((j) => kept[j]);
      settle(system, moving);
    }
    return { ...pack(problem, system, kept), iterations: 0 };
  } finally {
    system?.dispose();
    numerics.signal = undefined;
  }
}

/** All bones but the cheapest ones, in their order. */
function cheapestOut(costs: Float64Array, count: number): number[] {
  const order = [...costs.keys()].sort((a, b) => costs[a] - costs[b] || a - b);
  const out = new Set(order.slice(0, count));
  return [...costs.keys()].filter((j) => !out.has(j));
}

function settle(system: SkinningSystem, moving: boolean): void {
  for (let round = 0; round < (moving ? ROUNDS : 1); round++) {
    system.solveWeightsBySwaps(MOST_SWAPS, LEAST_GAIN);
    if (!moving) return;
    system.correctRest(REST_STIFFNESS);
    system.solveRigidBones(BONE_SWEEPS);
  }
  system.solveWeightsBySwaps(MOST_SWAPS, LEAST_GAIN);
}

function pack(
  problem: ReductionProblem,
  system: SkinningSystem,
  kept: readonly number[],
): Omit<ReducedRig, 'iterations'> {
  const { rig, clips } = problem.input;
  const all = problem.prepared.transformsToModel(system.transforms.view, kept.length);
  const size = kept.length * 12;
  let t = 0;
  const cut = clips.map((clip): Clip => {
    const transforms = all.slice(t * size, (t + clip.times.length) * size);
    t += clip.times.length;
    return { ...clip, transforms };
  });
  const reduced: Rig = {
    ...rig,
    mesh: { ...rig.mesh, positions: problem.prepared.restToModel(system.rest.view) },
    bones: keptBones(rig.bones, kept),
    weights: packWeights(system.boneIndices.view, system.weights.view, system.K),
  };
  return { rig: reduced, clips: cut, error: problem.errors(reduced, cut) };
}

/** A bone whose parent has gone hangs from the nearest ancestor that stays. */
function keptBones(bones: readonly Bone[], kept: readonly number[]): Bone[] {
  const place = new Map(kept.map((j, k) => [j, k]));
  return kept.map((j) => {
    let parent = bones[j].parent;
    while (parent >= 0 && !place.has(parent)) parent = bones[parent].parent;
    return { ...bones[j], parent: place.get(parent) ?? -1 };
  });
}
