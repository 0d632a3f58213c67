/**
 * What every reduction of a rig shares, prepared once: the reference shapes as trajectories, the rig's bones over all frames
 * of all clips, and the mesh graph. The reference shapes are examples if given, otherwise what the rig itself plays.
 */
import { SkinningSystem } from '@pelt/kernels';
import type { Numerics } from '@pelt/math';
import {
  type Clip,
  checkCancelled,
  frameCount,
  InputError,
  type MeshSequence,
  poseAt,
  type Rig,
  type Run,
  type SequenceErrors,
  TRANSFORM_SIZE,
  UsageError,
  unweldRig,
  validateClip,
  validateMeshSequence,
  validateRig,
  vertexCount,
  weldRig,
  weldSequence,
} from '@pelt/model';
import { deformLinear } from '../shared/blending/linear.ts';
import { type EdgeGraph, edgeGraph } from '../shared/mesh/edge-graph.ts';
import { packWeights } from '../shared/pack-weights.ts';
import { linearSequenceErrors } from '../shared/sequence-errors.ts';
import { type PreparedTrajectories, prepareTrajectories } from '../shared/trajectories.ts';

/** A rig with its clips, and what it should show. */
export interface ReductionInput {
  readonly rig: Rig;
  /** At least one. */
  readonly clips: readonly Clip[];
  /** The reference shapes, one sequence per clip at the clip's frames; by default what the rig plays. */
  readonly examples?: readonly MeshSequence[];
}

/** Maximum deviation from orthonormality of a bone that counts as rigid; only rigid bones are refitted. */
const RIGID = 1e-5;

/** The result of a reduction. */
export interface ReducedRig {
  /** On the caller's vertices. */
  readonly rig: Rig;
  readonly clips: readonly Clip[];
  /** Against the examples, or against what the input played. */
  readonly error: SequenceErrors;
  /** Rounds of weights and bones, for iterative methods. */
  readonly iterations: number;
}

/** A rig to reduce, on welded vertices and in solver coordinates. */
export class ReductionProblem {
  readonly numerics: Numerics;
  /** Welded, as are all data of the solvers. */
  readonly rig: Rig;
  readonly n: number;
  readonly m: number;
  /** Total number of frames of all clips. */
  readonly S: number;
  readonly graph: EdgeGraph;
  readonly prepared: PreparedTrajectories;
  /** S × m × 12, in solver coordinates */
  readonly transforms: Float64Array;
  /** On the caller's vertices. */
  readonly input: ReductionInput;
  /** The reference shapes of all clips, concatenated, on the caller's vertices. */
  readonly sequence: MeshSequence;
  /** The welded vertex of each of the caller's vertices. */
  readonly map: Uint32Array;
  readonly #run: Run;

  constructor(input: ReductionInput, run: Run) {
    const { rig, clips } = input;
    validateRig(rig);
    if (clips.length === 0) throw new UsageError('reduce: no clips; give at least one, on which the error is measured');
    for (const clip of clips) validateClip(clip, rig.bones.length);
    if (vertexCount(rig.mesh) === 0) throw new InputError(`rig '${rig.name}': the mesh has no vertices`);
    this.#run = run;
    this.numerics = run.numerics;
    this.input = input;
    this.m = rig.bones.length;
    this.S = clips.reduce((sum, clip) => sum + clip.times.length, 0);
    this.sequence = joinExamples(input, this.S, run);
    const weld = weldSequence(this.sequence);
    this.map = weld.map;
    this.rig = weldRig(rig, weld);
    this.n = vertexCount(this.rig.mesh);
    this.graph = edgeGraph(this.rig.mesh.triangles, this.n);
    this.prepared = prepareTrajectories({ ...weld.sequence, rest: this.rig.mesh }, run.numerics, run);
    this.transforms = this.prepared.transformsToSolver(joined(clips), this.m);
  }

  /** Whether every bone is rigid in every frame. */
  get rigid(): boolean {
    return this.transforms.every((_, k) => k % TRANSFORM_SIZE !== 0 || isRotation(this.transforms, k));
  }

  /** A system with the rig's bones and room for `slots` weights per vertex, none of them set. The caller disposes it. */
  system(slots: number): SkinningSystem {
    const system = new SkinningSystem(this.numerics, this.prepared.trajectories, this.m, Math.min(slots, this.m));
    system.editTransforms().set(this.transforms);
    return system;
  }

  /**
   * The rig with the weights, rest pose and bones of a system.
   *
   * @param kept  indices of the system's bones in the rig; children of removed bones get the nearest kept ancestor as parent
   */
  solved(
    system: SkinningSystem,
    kept = this.input.rig.bones.map((_, j) => j),
  ): Omit<ReducedRig, 'error' | 'iterations'> {
    const all = this.prepared.transformsToModel(system.transforms.view, kept.length);
    const place = new Map(kept.map((j, k) => [j, k]));
    const { bones } = this.rig;
    const rig: Rig = {
      ...this.rig,
      mesh: { ...this.rig.mesh, positions: this.prepared.restToModel(system.rest.view) },
      bones: kept.map((j) => {
        let { parent } = bones[j];
        while (parent >= 0 && !place.has(parent)) parent = bones[parent].parent;
        return { ...bones[j], parent: place.get(parent) ?? -1 };
      }),
      weights: packWeights(system.boneIndices.view, system.weights.view, system.K),
    };
    let at = 0;
    const clips = this.input.clips.map((clip) => {
      const transforms = all.slice(at, at + clip.times.length * kept.length * TRANSFORM_SIZE);
      at += transforms.length;
      return { ...clip, transforms };
    });
    return { rig, clips };
  }

  /** A reduced rig of the welded vertices, mapped to the caller's vertices, with its error over all clips. */
  finished({ rig, clips }: Pick<ReducedRig, 'rig' | 'clips'>, iterations = 0): ReducedRig {
    const whole = unweldRig(rig, this.map, this.input.rig.mesh);
    const clip = { name: '', times: this.sequence.times, transforms: joined(clips) };
    const error = linearSequenceErrors({ sequence: this.sequence, rig: whole, clip }, this.#run);
    return { rig: whole, clips, error, iterations };
  }
}

/** The transforms of all clips, concatenated. */
function joined(clips: readonly Clip[]): Float64Array {
  const out = new Float64Array(clips.reduce((sum, { transforms }) => sum + transforms.length, 0));
  let at = 0;
  for (const { transforms } of clips) {
    out.set(transforms, at);
    at += transforms.length;
  }
  return out;
}

/** All reference shapes as one sequence; its times only number the frames. */
function joinExamples({ rig, clips, examples }: ReductionInput, S: number, run: Run): MeshSequence {
  const size = rig.mesh.positions.length;
  const frames = new Float32Array(S * size);
  const times = Float64Array.from({ length: S }, (_, t) => t);
  if (examples && examples.length !== clips.length) {
    throw new UsageError(`reduce: ${examples.length} example sequences for ${clips.length} clips; give one per clip`);
  }
  let t = 0;
  clips.forEach((clip, c) => {
    const example = examples?.[c];
    if (example) {
      validateMeshSequence(example);
      if (frameCount(example) !== clip.times.length || example.rest.positions.length !== size) {
        throw new UsageError(
          `reduce: the examples of clip '${clip.name}' have ${frameCount(example)} frames of ` +
            `${vertexCount(example.rest)} vertices, the rig ${clip.times.length} of ${size / 3}; they must be the same`,
        );
      }
      frames.set(example.frames, t * size);
      t += clip.times.length;
      return;
    }
    for (let k = 0; k < clip.times.length; k++, t++) {
      checkCancelled(run);
      const { transforms } = poseAt(clip, k, rig.bones.length);
      deformLinear(rig.mesh.positions, rig.weights, transforms, frames.subarray(t * size, (t + 1) * size));
    }
  });
  // Errors are measured relative to the examples' own rest pose, if there is one.
  const rest = examples?.[0] ? { ...rig.mesh, positions: examples[0].rest.positions } : rig.mesh;
  return { name: rig.name, rest, frames, times };
}

function isRotation(values: Float64Array, k: number): boolean {
  for (let a = 0; a < 3; a++) {
    for (let b = a; b < 3; b++) {
      let dot = 0;
      for (let row = 0; row < 3; row++) dot += values[k + 4 * row + a] * values[k + 4 * row + b];
      if (Math.abs(dot - (a === b ? 1 : 0)) > RIGID) return false;
    }
  }
  return true;
}
