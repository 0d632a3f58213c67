/**
 * Decomposition of which somebody has painted a part: bones begin as those of a rig, and at each vertex the weights of some of
 * them stay as they are in it, or are 0, as a mask says. Weights, bones and rest pose adapt to that over the usual rounds.
 */
import { IDENTITY_TRANSFORM, InputError, type Rig, type RunContext, type Weld } from '@pelt/model';
import { loadWeights } from '../shared/load-weights.ts';
import { solveLooseBones } from '../shared/search/loose-bones.ts';
import { PAINT, PaintedWeights, type WeightMask } from '../shared/search/painted-weights.ts';
import type { CountedFit } from './bone-count.ts';
import type { FitProblem } from './fit-problem.ts';
import { LOCKED_SWEEPS } from './locked-fit.ts';
import type { BoneKind, RoundOptions } from './options.ts';

/** A rig with a mask of its weights. */
export interface PaintedRig {
  /** Of the mesh that is fitted. */
  readonly rig: Rig;
  /** n × m: 0 where a weight is free, 1 where it stays, 2 where it is 0 (`PAINT`) */
  readonly mask: Uint8Array;
}

/**
 * The mask with the weights that it keeps, each vertex checked to have some way of summing to 1.
 *
 * @param slots  K, weights per vertex of the fit
 */
export function weightMask({ rig, mask }: PaintedRig, slots: number): WeightMask {
  const m = rig.bones.length;
  const { slots: own, bones, weights } = rig.weights;
  const n = bones.length / own;
  if (mask.length !== n * m) {
    throw new InputError(`decompose: a mask of ${mask.length} is not of ${n} vertices and ${m} bones`);
  }
  const dense = new Float32Array(n * m);
  for (let k = 0; k < bones.length; k++) {
    if (weights[k] > 0) dense[m * Math.floor(k / own) + bones[k]] = weights[k];
  }
  for (let i = 0; i < n; i++) {
    let [sum, kept, free] = [0, 0, 0];
    for (let j = 0; j < m; j++) {
      const state = mask[i * m + j];
      if (state === PAINT.free) free++;
      else if (state === PAINT.keep && dense[i * m + j] > 0) {
        sum += dense[i * m + j];
        kept++;
      } else if (state > PAINT.forbid)
        throw new InputError(`decompose: the mask has ${state} at vertex ${i}, bone ${j}`);
    }
    const isWhole = sum > 1 - 1e-5;
    if (!isWhole && free === 0) {
      throw new InputError(
        `decompose: vertex ${i} is left with weights of sum ${sum.toFixed(3)}; leave a bone free there`,
      );
    }
    if (kept > slots || (!isWhole && kept === slots)) {
      throw new InputError(
        `decompose: vertex ${i} keeps ${kept} weights, which leaves no other of ${slots}; allow more`,
      );
    }
  }
  return { states: mask, weights: dense };
}

/** A painted rig on welded vertices: what is said of any of the vertices that coincide holds. */
export function weldPainted({ mask }: PaintedRig, rig: Rig, { map, first }: Weld): PaintedRig {
  const m = rig.bones.length;
  const welded = new Uint8Array(first.length * m);
  map.forEach((i, k) => {
    for (let j = 0; j < m; j++) welded[i * m + j] = Math.max(welded[i * m + j], mask[k * m + j]);
  });
  return { rig, mask: welded };
}

/** The caller disposes the system. */
export function fitPainted(
  problem: FitProblem,
  painted: PaintedRig,
  kind: BoneKind,
  options: RoundOptions & { readonly weights: number },
  context: RunContext | undefined,
): CountedFit {
  const { rig } = painted;
  const m = rig.bones.length;
  const system = problem.system(m, options.weights);
  const weights = new PaintedWeights(problem.numerics, weightMask(painted, system.K), m, system.K);
  loadWeights(system, rig.weights, true);
  const transforms = system.editTransforms();
  for (let k = 0; k < transforms.length; k += 12) transforms.set(IDENTITY_TRANSFORM, k);
  solveLooseBones(system, kind, LOCKED_SWEEPS * problem.plan.sweeps);
  weights.apply(system);
  const iterations = problem.descend(system, kind, options, context, { opening: 0, prices: [0, 1], painted: weights });
  return { system, iterations };
}
