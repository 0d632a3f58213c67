/**
 * Bones and their motion from an even sample of the vertices, for a mesh that is too large to be fitted as a whole. Bones
 * move regions of hundreds of vertices, so that a sample determines them nearly as well as the whole mesh does.
 *
 * What a sample does decide is the local minimum that the search ends in: samples of 15 000 to 100 000 vertices of one
 * gallop gave errors of 0.98 to 1.05 times that of all vertices, in no order. So there are two samples, and the better
 * result stays; beside the weights of millions of vertices the second costs little.
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
    /** Which sample it is: see `ChunkedMesh.sample`. */
    readonly shift: number;
    /** These vertices, as the file counts them. */
    readonly vertices: Uint32Array;
    /** On these vertices. */
    readonly error: SequenceErrors;
    readonly restMoved: RestDisplacement;
  };
  readonly iterations: number;
}

/** Where the two samples begin, in intervals: the second has the vertices in the middle between those of the first. */
const SHIFTS = [0, 0.5] as const;

/**
 * Finds bones and their motion from an even sample of the vertices.
 *
 * @param reader  S frames of n vertices
 * @param count   vertices of each of two samples
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
  const anyNumber = options.bones === undefined;
  const find = (shift: number, part: Run) => findOnSample(reader, mesh, { count, shift }, resolved, anyNumber, part);
  // A sample that is the whole mesh is no sample, locked bones need no search, and numbers of bones are not compared.
  if (count >= mesh.n || resolved.locked || resolved.bones === 'auto') return find(SHIFTS[0], run);
  const [first, second] = SHIFTS.map((shift, k) => find(shift, stageOf(run, k / 2, (k + 1) / 2)));
  return isBetter(second, first) ? second : first;
}

/** Fewer bones, where an error is to be reached; otherwise a lower error, each on its own sample. */
function isBetter(one: FoundBones, other: FoundBones): boolean {
  if (one.bones.length !== other.bones.length) return one.bones.length < other.bones.length;
  return one.sample.error.eRms < other.sample.error.eRms;
}

function findOnSample(
  reader: FrameReader,
  mesh: ChunkedMesh,
  { count, shift }: { readonly count: number; readonly shift: number },
  resolved: DecomposeOptions,
  anyNumber: boolean,
  run: Run,
): FoundBones {
  const { vertices, graph } = mesh.sample(count, shift);
  const chosen = Uint32Array.from(vertices, (i) => mesh.weld.first[i]);
  const sequence = readSample(reader, chosen, run);
  return interruptible(run, () => {
    const problem: FitProblem = FitProblem.onGraph(sequence, graph, run, { plan: planOf(resolved) });
    const { radius } = problem.prepared.space;
    const whole = enclosingBall(reader.rest.positions).radius || radius;
    // The limit is in thousandths of the radius, and the sample's is a little smaller.
    const { maxError, locked } = resolved;
    const scaled = { ...resolved, maxError: maxError === undefined ? undefined : (maxError * whole) / radius };
    const { system, iterations } = solveDecomposition(sequence, problem, scaled, anyNumber, stageOf(run, 0.05, 1));
    const { rig, clip } = packSystem(sequence, problem, system, locked);
    const { restPose } = resolved;
    const found = { ...foundIn(system, problem), restPose, restStiffness: stiffnessOf(system, restPose) };
    system.dispose();
    const error = linearSequenceErrors({ sequence, rig, clip }, run);
    const restMoved = restDisplacement(sequence.rest, rig.mesh, radius);
    const sample = { rig, shift, vertices: chosen, error, restMoved };
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
