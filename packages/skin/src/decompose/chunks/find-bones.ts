/**
 * Bones and their motion from an even sample of the vertices, for a mesh that is too large to be fitted as a whole. Bones
 * move regions of hundreds of vertices, so that a sample determines them nearly as well as the whole mesh does.
 */
import type { SkinningSystem } from '@pelt/kernels';
import { enclosingBall } from '@pelt/math';
import {
  type Bone,
  type Clip,
  checkCancelled,
  type FrameReader,
  gatherVertices,
  InputError,
  interruptible,
  type MeshSequence,
  type Rig,
  type Run,
  type SequenceErrors,
  stageOf,
  UsageError,
  validateMesh,
} from '@pelt/model';
import { type RestPose, stiffnessOf } from '../../shared/rest-pose.ts';
import { linearSequenceErrors } from '../../shared/sequence-errors.ts';
import type { SolverSpace } from '../../shared/solver-space.ts';
import { checkedOptions, packSystem, planOf, solveDecomposition } from '../decompose.ts';
import { FitProblem } from '../fit-problem.ts';
import type { DecomposeOptions } from '../options.ts';
import { type RestDisplacement, restDisplacement } from '../rest-displacement.ts';
import type { ChunkedMesh } from './chunked-mesh.ts';

/** Bones of a sample, and all that solving the weights of other vertices needs. */
export interface FoundBones {
  readonly bones: readonly Bone[];
  /** In model space, at the frames of the reader. */
  readonly clip: Clip;
  /** S × m × 12 in solver coordinates, as they were solved */
  readonly transforms: Float64Array;
  readonly space: SolverSpace;
  /** r × 3S, the basis of the trajectories */
  readonly basis: Float64Array;
  /** K */
  readonly slots: number;
  /** How far the rest pose may move, and the λ in frames that makes it so on the sample. */
  readonly restPose: RestPose;
  readonly restStiffness: number;
  readonly sample: {
    /** On the sampled vertices, which have no triangles. */
    readonly rig: Rig;
    /** These vertices, as the file counts them. */
    readonly vertices: Uint32Array;
    /** On these vertices. */
    readonly error: SequenceErrors;
    readonly restMoved: RestDisplacement;
  };
  readonly iterations: number;
}

/**
 * Finds bones and their motion from an even sample of the vertices.
 *
 * @param reader  S frames of n vertices
 * @param count   vertices of the sample
 *
 * @example
 * {@includeCode ../../../examples/chunks.ts}
 */
export function findBones(
  reader: FrameReader,
  mesh: ChunkedMesh,
  count: number,
  options: Partial<DecomposeOptions>,
  run: Run,
): FoundBones {
  const resolved = checkedOptions('findBones', options);
  requireLocalOptions(resolved);
  requireFrames(reader, count);
  const { vertices, graph } = mesh.sample(count);
  const chosen = Uint32Array.from(vertices, (i) => mesh.weld.first[i]);
  const sequence = readSample(reader, chosen, run);
  return interruptible(run, () => {
    const problem: FitProblem = FitProblem.onGraph(sequence, graph, run, { plan: planOf(resolved) });
    const { radius } = problem.prepared.space;
    const whole = enclosingBall(reader.rest.positions).radius || radius;
    // The limit is in thousandths of the radius, and the sample's is a little smaller.
    const { maxError, locked } = resolved;
    const scaled = { ...resolved, maxError: maxError === undefined ? undefined : (maxError * whole) / radius };
    const anyNumber = options.bones === undefined;
    const { system, iterations } = solveDecomposition(sequence, problem, scaled, anyNumber, stageOf(run, 0.05, 1));
    const { rig, clip } = packSystem(sequence, problem, system, locked);
    const { restPose } = resolved;
    const found = { ...foundIn(system, problem), restPose, restStiffness: stiffnessOf(system, restPose) };
    system.dispose();
    const error = linearSequenceErrors({ sequence, rig, clip }, run);
    const restMoved = restDisplacement(sequence.rest, rig.mesh, radius);
    const sample = { rig, vertices: chosen, error, restMoved };
    return { ...found, bones: rig.bones, clip, iterations, sample };
  });
}

function foundIn(system: SkinningSystem, { prepared }: FitProblem) {
  const { space, trajectories } = prepared;
  return { transforms: system.transforms.view.slice(), space, basis: trajectories.basis, slots: system.K };
}

function readSample(reader: FrameReader, vertices: Uint32Array, run: Run): MeshSequence {
  const { rest, times } = reader;
  const size = 3 * vertices.length;
  const frames = new Float32Array(times.length * size);
  for (let t = 0; t < times.length; t++) {
    checkCancelled(run);
    reader.readFrame(t, frames.subarray(t * size, (t + 1) * size), vertices);
    run.onProgress?.({ stage: 'reading a sample of the vertices', fraction: (0.05 * (t + 1)) / times.length });
  }
  const positions = gatherVertices(rest.positions, 3, vertices);
  return { name: rest.name, rest: { name: rest.name, positions, triangles: new Uint32Array(0) }, frames, times };
}

function requireFrames({ rest, times }: FrameReader, count: number): void {
  validateMesh(rest);
  if (rest.positions.length === 0) throw new InputError('findBones: the mesh has no vertices');
  if (times.length === 0) throw new InputError('findBones: there are no frames');
  if (Number.isInteger(count) && count > 0) return;
  throw new UsageError(`findBones: the sample is ${count} vertices; it must be an integer of at least 1`);
}

function requireLocalOptions({ method, smooth, locked }: DecomposeOptions): void {
  if (method === 'sma' || method === 'lssp') {
    throw new UsageError(`findBones: method '${method}' needs the whole mesh; use 'ssdr' or 'affine'`);
  }
  if (smooth > 0) throw new UsageError('findBones: smooth needs the whole mesh; leave it at 0');
  if (locked?.part === 'weights') throw new UsageError('findBones: locked weights leave nothing to solve');
}
