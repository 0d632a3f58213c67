/**
 * A rig whose dense weights are compressed into two layers: the door to the method.
 *
 * Reference: Le, Deng. Two-layer sparse compression of dense-weight blend skinning. 2013.
 */

import type { SkinningSystem } from '@pelt/math';
import {
  checkCancelled,
  frameAt,
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
import { gatherWeights, loadWeights } from '../../shared/load-weights.ts';
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

export function reduceTwoLayer(input: ReductionInput, options: Partial<TwoLayerOptions>, run: Run): TwoLayerReduction {
  const { virtual, blends, judge } = resolveOptions('reduceTwoLayer', TWO_LAYER_DEFAULTS, options);
  for (const [name, value] of Object.entries({ virtual, blends })) {
    if (value !== 'auto' && (!Number.isInteger(value) || value < 1)) {
      throw new UsageError(`reduceTwoLayer: ${name} is ${value}; it must be a whole number from 1, or 'auto'`);
    }
  }
  return interruptible(run, () => {
    run.onProgress?.({ stage: 'reading the motion', fraction: 0 });
    const problem = new ReductionProblem(input, run);
    const { n, m } = problem;
    const c = Math.min(blends === 'auto' ? mostWeights(problem.rig.weights) + 1 : blends, m);
    const q = Math.min(virtual === 'auto' ? Math.max(Math.floor((2 * n) / c), 1) : virtual, n);
    const system = judge === 'shapes' ? onShapes(problem, c) : onWeights(problem, c);
    try {
      const welded = factorise(run.numerics, system, problem.graph, q, stageOf(run, 0.1, 1));
      const skin = { masters: welded.masters, vertices: gatherWeights(welded.vertices, problem.map) };
      const blendsPerVertex = 2 + (virtualCount(skin) * c) / problem.map.length;
      return { skin, error: twoLayerErrors(problem, skin, run), blendsPerVertex };
    } finally {
      system.dispose();
    }
  });
}

/** The best dense weights on the examples, from those of the input. */
function onShapes(problem: ReductionProblem, c: number): SkinningSystem {
  const system = problem.system(c);
  loadWeights(system, problem.rig.weights, true);
  system.solveWeightsBySwaps(MOST_SWAPS, LEAST_GAIN);
  return system;
}

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
