/**
 * A rig whose dense weights are compressed into two layers: the door to the method.
 *
 * Reference: Le, Deng. Two-layer sparse compression of dense-weight blend skinning. 2013.
 */

import type { Numerics, SkinningSystem } from '@pelt/math';
import {
  frameAt,
  mostWeights,
  type RunContext,
  resolveOptions,
  SequenceErrorMeter,
  type SequenceErrors,
  stageOf,
  TRANSFORM_SIZE,
  type TwoLayerSkin,
  UsageError,
  virtualCount,
} from '@pelt/model';
import { TWO_LAYER_DEFAULTS, type TwoLayerOptions } from '../options.ts';
import { type ReductionInput, ReductionProblem } from '../reduction-problem.ts';
import { deformTwoLayer } from '../runtime/two-layer.ts';
import { factorise } from './factorise.ts';
import { weightSpaceSystem } from './weight-space.ts';

export interface TwoLayerReduction {
  readonly skin: TwoLayerSkin;
  /** Against the examples, or what the rig played before; by the master bones of the input. */
  readonly error: SequenceErrors;
  /** 2 + qc/n: blends a vertex, those of the virtual bones shared out. */
  readonly blendsPerVertex: number;
}

/** Swaps by which a vertex may improve its dense weights on the examples before they become atoms. */
const MOST_SWAPS = 8;
const LEAST_GAIN = 1e-4;

export function reduceTwoLayer(
  input: ReductionInput,
  options: Partial<TwoLayerOptions>,
  numerics: Numerics,
  context?: RunContext,
): TwoLayerReduction {
  const { virtual, blends, judge } = resolveOptions('reduceTwoLayer', TWO_LAYER_DEFAULTS, options);
  for (const [name, value] of Object.entries({ virtual, blends })) {
    if (!Number.isInteger(value) || value < 0) {
      throw new UsageError(`reduceTwoLayer: ${name} is ${value}; it must be a whole number, or 0 for the usual`);
    }
  }
  numerics.signal = context?.signal;
  try {
    context?.onProgress?.({ stage: 'reading the motion', fraction: 0 });
    const problem = new ReductionProblem(input, numerics, context);
    const c = Math.min(blends || mostWeights(input.rig.weights) + 1, problem.m);
    const q = Math.min(virtual || Math.max(Math.floor((2 * problem.n) / c), 1), problem.n);
    const system = judge === 'shapes' ? onShapes(problem, c) : onWeights(problem, c);
    try {
      const skin = factorise(numerics, system, problem.graph, q, stageOf(context, 0.1, 1));
      const blendsPerVertex = 2 + (virtualCount(skin) * c) / problem.n;
      return { skin, error: twoLayerErrors(problem, skin), blendsPerVertex };
    } finally {
      system.dispose();
    }
  } finally {
    numerics.signal = undefined;
  }
}

/** The best dense weights on the examples, from those of the input. */
function onShapes(problem: ReductionProblem, c: number): SkinningSystem {
  const system = problem.system(c);
  setWeights(problem, system);
  system.solveWeightsBySwaps(MOST_SWAPS, LEAST_GAIN);
  return system;
}

function onWeights(problem: ReductionProblem, c: number): SkinningSystem {
  const system = weightSpaceSystem(problem.numerics, problem.input.rig.weights, problem.m, c);
  setWeights(problem, system);
  system.measureError();
  return system;
}

/** Largest first, as many as there is room for. */
function setWeights({ input, n }: ReductionProblem, system: SkinningSystem): void {
  const { slots, bones, weights } = input.rig.weights;
  const K = system.K;
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let s = 0; s < Math.min(K, slots); s++) sum += weights[i * slots + s];
    for (let s = 0; s < Math.min(K, slots); s++) {
      system.boneIndices.view[i * K + s] = bones[i * slots + s];
      system.weights.view[i * K + s] = weights[i * slots + s] / sum;
    }
  }
}

function twoLayerErrors({ sequence, input, m, S }: ReductionProblem, skin: TwoLayerSkin): SequenceErrors {
  const meter = new SequenceErrorMeter(sequence.rest, S);
  const virtual = new Float64Array(virtualCount(skin) * TRANSFORM_SIZE);
  const posed = new Float32Array(sequence.rest.positions.length);
  const size = m * TRANSFORM_SIZE;
  let t = 0;
  for (const { transforms, times } of input.clips) {
    for (let k = 0; k < times.length; k++, t++) {
      const pose = transforms.subarray(k * size, (k + 1) * size);
      meter.addFrame(frameAt(sequence, t), deformTwoLayer(input.rig.mesh.positions, skin, pose, virtual, posed));
    }
  }
  return meter.result();
}
