/**
 * What every reduction of a rig shares, prepared once: the shapes to keep, as trajectories; the rig's bones over all
 * frames of all clips; the mesh's graph. The shapes are example poses where there are any, else what the rig itself
 * plays.
 */
import { type Numerics, SkinningSystem } from '@pelt/math';
import {
  type Clip,
  frameCount,
  InputError,
  type MeshSequence,
  poseAt,
  type Rig,
  type RunContext,
  type SequenceErrors,
  type SkinWeights,
  TRANSFORM_SIZE,
  UsageError,
  validateClip,
  validateMeshSequence,
  validateRig,
  vertexCount,
} from '@pelt/model';
import { deformLinear } from '../shared/blending/linear.ts';
import { type EdgeGraph, edgeGraph } from '../shared/mesh/edge-graph.ts';
import { packWeights } from '../shared/pack-weights.ts';
import { linearSequenceErrors } from '../shared/sequence-errors.ts';
import { type PreparedTrajectories, prepareTrajectories } from '../shared/trajectories.ts';

export interface ReductionInput {
  readonly rig: Rig;
  /** At least one. */
  readonly clips: readonly Clip[];
  /** The true shapes, one sequence for each clip at the clip's frames; absent: what the rig plays is the truth. */
  readonly examples?: readonly MeshSequence[];
}

/** A rig whose bones have moved a rigid body all along is refitted with rigid bones; this far from one counts as rigid. */
const RIGID = 1e-5;

export class ReductionProblem {
  readonly numerics: Numerics;
  readonly input: ReductionInput;
  readonly n: number;
  readonly m: number;
  /** Frames of all clips. */
  readonly S: number;
  readonly graph: EdgeGraph;
  /** The shapes to keep, all clips one after the other. */
  readonly sequence: MeshSequence;
  readonly prepared: PreparedTrajectories;
  /** S × m × 12, in the coordinates of the solver */
  readonly transforms: Float64Array;

  constructor(input: ReductionInput, numerics: Numerics, context?: RunContext) {
    const { rig, clips } = input;
    validateRig(rig);
    if (clips.length === 0)
      throw new UsageError('reduce: there is no clip; a reduction is judged on the rig in motion');
    for (const clip of clips) validateClip(clip, rig.bones.length);
    this.numerics = numerics;
    this.input = input;
    this.n = vertexCount(rig.mesh);
    this.m = rig.bones.length;
    if (this.n === 0) throw new InputError(`rig '${rig.name}': the mesh has no vertices`);
    this.S = clips.reduce((sum, clip) => sum + clip.times.length, 0);
    this.graph = edgeGraph(rig.mesh.triangles, this.n);
    this.sequence = joinExamples(input, this.S);
    this.prepared = prepareTrajectories({ ...this.sequence, rest: rig.mesh }, numerics, context);
    const joined = new Float64Array(this.S * this.m * TRANSFORM_SIZE);
    let at = 0;
    for (const clip of clips) {
      joined.set(clip.transforms, at);
      at += clip.transforms.length;
    }
    this.transforms = this.prepared.transformsToSolver(joined, this.m);
  }

  /** Whether every bone is a rotation and a translation in every frame. */
  get rigid(): boolean {
    return this.transforms.every((_, k) => k % TRANSFORM_SIZE !== 0 || isRotation(this.transforms, k));
  }

  /** The rig's bones over trajectories, with room for `slots` weights a vertex and none set; the caller disposes it. */
  system(slots: number): SkinningSystem {
    const system = new SkinningSystem(this.numerics, this.prepared.trajectories, this.m, Math.min(slots, this.m));
    system.editTransforms().set(this.transforms);
    return system;
  }

  /** The rig with the weights, the rest pose and the bones of a system, its clips as they were cut. */
  result(system: SkinningSystem): { readonly rig: Rig; readonly clips: readonly Clip[] } {
    const { rig, clips } = this.input;
    const all = this.prepared.transformsToModel(system.transforms.view, this.m);
    let at = 0;
    return {
      rig: {
        ...rig,
        mesh: { ...rig.mesh, positions: this.prepared.restToModel(system.rest.view) },
        weights: packWeights(system.boneIndices.view, system.weights.view, system.K),
      },
      clips: clips.map((clip) => {
        const transforms = all.slice(at, at + clip.transforms.length);
        at += transforms.length;
        return { ...clip, transforms };
      }),
    };
  }

  /** The rig with other weights, and nothing else changed. */
  withWeights(weights: SkinWeights): { readonly rig: Rig; readonly clips: readonly Clip[] } {
    return { rig: { ...this.input.rig, weights }, clips: this.input.clips };
  }

  /** How far a rig is from the shapes to keep, over all clips. */
  errors(rig: Rig, clips: readonly Clip[]): SequenceErrors {
    const transforms = new Float64Array(this.S * rig.bones.length * TRANSFORM_SIZE);
    let at = 0;
    for (const clip of clips) {
      transforms.set(clip.transforms, at);
      at += clip.transforms.length;
    }
    return linearSequenceErrors(this.sequence, rig, { name: '', times: this.sequence.times, transforms });
  }
}

/** All examples as one sequence over the rig's rest pose; its times only count the frames. */
function joinExamples({ rig, clips, examples }: ReductionInput, S: number): MeshSequence {
  const size = rig.mesh.positions.length;
  const frames = new Float32Array(S * size);
  const times = Float64Array.from({ length: S }, (_, t) => t);
  if (examples && examples.length !== clips.length) {
    throw new UsageError(`reduce: ${examples.length} sequences of examples for ${clips.length} clips`);
  }
  let t = 0;
  clips.forEach((clip, c) => {
    const example = examples?.[c];
    if (example) {
      validateMeshSequence(example);
      if (frameCount(example) !== clip.times.length || example.rest.positions.length !== size) {
        throw new UsageError(
          `reduce: the examples of clip '${clip.name}' are ${frameCount(example)} frames of ` +
            `${vertexCount(example.rest)} vertices, the rig plays ${clip.times.length} of ${size / 3}`,
        );
      }
      frames.set(example.frames, t * size);
      t += clip.times.length;
      return;
    }
    for (let k = 0; k < clip.times.length; k++, t++) {
      const { transforms } = poseAt(clip, k, rig.bones.length);
      deformLinear(rig.mesh.positions, rig.weights, transforms, frames.subarray(t * size, (t + 1) * size));
    }
  });
  // The examples' own rest pose, where there is one, is what errors are measured against.
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
