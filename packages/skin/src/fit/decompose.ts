/**
 * A mesh animation as bones and weights: the door to the decomposition methods.
 *
 * Reference: Le, Deng. Mesh animation decomposition and compression. SIGGRAPH course 2014, section 1.
 */
import { type Numerics, SkinningSystem } from '@pelt/math';
import {
  type Bone,
  type Clip,
  checkCancelled,
  type MeshSequence,
  type Rig,
  type RunContext,
  resolveOptions,
  type SequenceErrors,
  UsageError,
  validateMeshSequence,
  vertexCount,
} from '@pelt/model';
import { linearSequenceErrors } from '../deform/sequence-errors.ts';
import { edgeGraph } from '../mesh/edge-graph.ts';
import { packWeights } from '../solve/pack-weights.ts';
import { prepareTrajectories } from '../solve/trajectories.ts';
import { startFromClusters } from './cluster-start.ts';
import { DecompositionRounds, ROUND_DEFAULTS, type RoundOptions } from './ssdr.ts';

/** Rigid bones (SSDR), or affine ones (FSD). */
export type DecomposeMethod = 'ssdr' | 'affine';

const BONE_KIND = { ssdr: 'rigid', affine: 'affine' } as const;

export interface DecomposeOptions extends RoundOptions {
  readonly method: DecomposeMethod;
  /** Number of bones; fewer where the mesh has fewer vertices. */
  readonly bones: number;
  /** K, most weights a vertex. */
  readonly weights: number;
}

export const DECOMPOSE_DEFAULTS: DecomposeOptions = { method: 'ssdr', bones: 20, weights: 4, ...ROUND_DEFAULTS };

export interface Decomposition {
  readonly rig: Rig;
  readonly clip: Clip;
  readonly error: SequenceErrors;
  /** Rounds of weights and bones. */
  readonly iterations: number;
}

/** Assign-and-refit turns after each new cluster of the start. */
const SETTLING_TURNS = 2;

/** Vertices should be welded: two vertices of a seam are solved as two vertices. */
export function decompose(
  sequence: MeshSequence,
  options: Partial<DecomposeOptions>,
  numerics: Numerics,
  context?: RunContext,
): Decomposition {
  const resolved = resolveOptions('decompose', DECOMPOSE_DEFAULTS, options);
  validateMeshSequence(sequence);
  const n = vertexCount(sequence.rest);
  if (n === 0) throw new UsageError('decompose: the mesh has no vertices');
  requireCount('bones', resolved.bones);
  requireCount('weights', resolved.weights);
  const m = Math.min(resolved.bones, n);
  const K = Math.min(resolved.weights, m);

  numerics.signal = context?.signal;
  const prepared = prepareTrajectories(sequence, numerics, context);
  const graph = edgeGraph(sequence.rest.triangles, n);
  const system = new SkinningSystem(numerics, prepared.trajectories, m, K);
  const rounds = new DecompositionRounds(numerics, system, graph, BONE_KIND[resolved.method], resolved);
  try {
    context?.onProgress?.({ stage: 'clustering', fraction: 0 });
    startFromClusters(system, numerics, graph, SETTLING_TURNS, context);
    const scale = 1000 / Math.sqrt(3 * n * system.S);
    let going = true;
    while (going) {
      checkCancelled(context);
      going = rounds.step();
      context?.onProgress?.({
        stage: 'fitting bones and weights',
        fraction: rounds.round / resolved.rounds,
        detail: `round ${rounds.round}, E_RMS ${(scale * Math.sqrt(rounds.bestError)).toFixed(3)}`,
      });
    }
    rounds.finish();
    const rig: Rig = {
      name: sequence.name,
      mesh: { ...sequence.rest, positions: prepared.restToModel(system.rest.view) },
      bones: looseBones(system, prepared.restToModel),
      weights: packWeights(system.boneIndices.view, system.weights.view, K),
    };
    const clip: Clip = {
      name: sequence.name || 'animation',
      times: sequence.times,
      transforms: prepared.transformsToModel(system.transforms.view, m),
    };
    return { rig, clip, error: linearSequenceErrors(sequence, rig, clip), iterations: rounds.round };
  } finally {
    rounds.dispose();
    system.dispose();
    numerics.signal = undefined;
  }
}

function requireCount(name: string, value: number): void {
  if (!Number.isInteger(value) || value < 1) {
    throw new UsageError(`decompose: ${name} is ${value}; it must be a whole number from 1`);
  }
}

/** Bones without hierarchy, each at the centre of rotation Σw²p/Σw² of what it moves. */
function looseBones(system: SkinningSystem, restToModel: (rest: Float64Array) => Float32Array): Bone[] {
  const { m } = system;
  system.gatherMoments();
  const digits = String(m - 1).length;
  return Array.from({ length: m }, (_, j) => {
    const own = system.moments.subarray((j * m + j) * 10, (j * m + j + 1) * 10);
    const total = own[9] > 0 ? own[9] : 1;
    const [x, y, z] = restToModel(Float64Array.of(own[3] / total, own[6] / total, own[8] / total));
    return {
      name: `bone-${String(j).padStart(digits, '0')}`,
      parent: -1,
      rest: Float64Array.of(1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z),
    };
  });
}
