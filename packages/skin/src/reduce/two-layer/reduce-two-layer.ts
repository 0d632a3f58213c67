/**
 * Entry point: compress the dense weights of a rig into two sparse layers.
 *
 * Reference: Le, Deng. Two-layer sparse compression of dense-weight blend skinning. 2013.
 */

import type { SkinningSystem } from '@pelt/kernels';
import {
  checkCancelled,
  frameAt,
  gatherWeights,
  interruptible,
  mostWeights,
  type Run,
  resolveOptions,
  SequenceErrorMeter,
  type SequenceErrors,
  stageOf,
  TRANSFORM_SIZE,
  type TwoLayerSkin,
  UsageError,
  virtualCount,
} from '@pelt/model';
import { loadWeights } from '../../shared/load-weights.ts';
import { TWO_LAYER_DEFAULTS, type TwoLayerOptions } from '../options.ts';
import { type ReductionInput, ReductionProblem } from '../reduction-problem.ts';
import { deformTwoLayer } from '../runtime/two-layer.ts';
import { factorise } from './factorise.ts';
import { weightSpaceSystem } from './weight-space.ts';

/** A skin of two sparse layers over the bones of the input. */
export interface TwoLayerReduction {
  /** Vertex weights are on the caller's vertices. */
  readonly skin: TwoLayerSkin;
  /** Against the examples, or against what the input played; with the bones of the input. */
  readonly error: SequenceErrors;
  /** 2 + qc/n: blends per vertex, with those of the virtual bones shared by all vertices. */
  readonly blendsPerVertex: number;
}

/** Maximum swaps per vertex that improve the dense weights before they become atoms, and the gain of each. */
const MOST_SWAPS = 8;
const LEAST_GAIN = 1e-4;

/**
 * Factors the weights of a rig into virtual bones, each a blend of a few bones, and two virtual bones per vertex. At run
 * time `deformTwoLayer` evaluates them; for other players see `bakeVirtualBones`.
 *
 * @param input    a rig of n vertices and m bones with at least one clip
 * @param options  number of virtual bones, bones per virtual bone, and the objective
 * @param run      kernels, cancelling and progress
 *
 * @example
 * {@includeCode ../../../examples/reduce-two-layer.ts}
 */
export function reduceTwoLayer(input: ReductionInput, options: Partial<TwoLayerOptions>, run: Run): TwoLayerReduction {
  const { virtual, blends, objective } = resolveOptions('reduceTwoLayer', TWO_LAYER_DEFAULTS, options);
  for (const [name, value] of Object.entries({ virtual, blends })) {
    if (value !== 'auto' && (!Number.isInteger(value) || value < 1)) {
      throw new UsageError(`reduceTwoLayer: ${name} is ${value}; it must be an integer of at least 1, or 'auto'`);
    }
  }
  return interruptible(run, () => {
    run.onProgress?.({ stage: 'reading the motion', fraction: 0 });
    const problem = new ReductionProblem(input, run);
    const { n, m } = problem;
    const c = Math.min(blends === 'auto' ? mostWeights(problem.rig.weights) + 1 : blends, m);
    const q = Math.min(virtual === 'auto' ? Math.max(Math.floor((2 * n) / c), 1) : virtual, n);
    const system = objective === 'shapes' ? onShapes(problem, c) : onWeights(problem, c);
    const welded = factorise(run.numerics, system, problem.graph, q, stageOf(run, 0.1, 1));
    system.dispose();
    const skin = { masters: welded.masters, vertices: gatherWeights(welded.vertices, problem.map) };
    const blendsPerVertex = 2 + (virtualCount(skin) * c) / problem.map.length;
    return { skin, error: twoLayerErrors(problem, skin, run), blendsPerVertex };
  });
}

/** A system with the optimal dense weights on the examples. */
function onShapes(problem: ReductionProblem, c: number): SkinningSystem {
  const system = problem.system(c);
  loadWeights(system, problem.rig.weights, true);
  system.solveWeightsBySwaps(MOST_SWAPS, LEAST_GAIN);
  return system;
}

/** A system whose error is that of the weights themselves. */
function onWeights(problem: ReductionProblem, c: number): SkinningSystem {
  const system = weightSpaceSystem(problem.numerics, problem.rig.weights, problem.m, c);
  loadWeights(system, problem.rig.weights, true);
  system.measureError();
  return system;
}

function twoLayerErrors({ sequence, input, m, S }: ReductionProblem, skin: TwoLayerSkin, run: Run): SequenceErrors {
  const meter = new SequenceErrorMeter(sequence.rest, S);
  const virtual = new Float64Array(virtualCount(skin) * TRANSFORM_SIZE);
  const posed = new Float32Array(sequence.rest.positions.length);
  const size = m * TRANSFORM_SIZE;
  let t = 0;
  for (const { transforms, times } of input.clips) {
    for (let k = 0; k < times.length; k++, t++) {
      checkCancelled(run);
      const pose = transforms.subarray(k * size, (k + 1) * size);
      meter.addFrame(frameAt(sequence, t), deformTwoLayer(input.rig.mesh.positions, skin, pose, virtual, posed));
    }
  }
  return meter.result();
}
