/** Pairs of skeletal poses and shapes from which a skin is learnt, checked once at the door. */
import {
  type Bone,
  type Clip,
  frameAt,
  frameCount,
  InputError,
  type Mesh,
  type MeshSequence,
  poseAt,
  type Rig,
  UsageError,
  validateClip,
  validateMeshSequence,
  validateRig,
} from '@pelt/model';

export interface Examples {
  readonly mesh: Mesh;
  readonly bones: readonly Bone[];
  /** S poses, m × 12 each */
  readonly poses: readonly Float64Array[];
  /** S shapes, n × 3 each */
  readonly shapes: readonly Float32Array[];
}

/**
 * @param frames  numbers of the frames that train; all where absent
 */
export function examplesOf(rig: Rig, clip: Clip, sequence: MeshSequence, frames?: readonly number[]): Examples {
  validateRig(rig);
  validateClip(clip, rig.bones.length);
  validateMeshSequence(sequence);
  const S = frameCount(sequence);
  if (clip.times.length !== S) {
    throw new InputError(
      `envelope: the examples have ${S} frames, the skeleton's clip ${clip.times.length}; both must play the same frames`,
    );
  }
  if (sequence.rest.positions.length !== rig.mesh.positions.length) {
    throw new InputError(
      `envelope: the examples have ${sequence.rest.positions.length / 3} vertices, ` +
        `the rig ${rig.mesh.positions.length / 3}`,
    );
  }
  const chosen = frames ?? Array.from({ length: S }, (_, t) => t);
  if (chosen.length === 0) throw new UsageError('envelope: no training frames');
  for (const t of chosen) {
    if (!Number.isInteger(t) || t < 0 || t >= S) {
      throw new UsageError(`envelope: training frame ${t} is not there; frames are 0 to ${S - 1}`);
    }
  }
  return {
    mesh: sequence.rest,
    bones: rig.bones,
    poses: chosen.map((t) => poseAt(clip, t, rig.bones.length).transforms),
    shapes: chosen.map((t) => frameAt(sequence, t)),
  };
}

/** The examples without some of them. */
export function without(examples: Examples, left: ReadonlySet<number>): Examples {
  return {
    ...examples,
    poses: examples.poses.filter((_, t) => !left.has(t)),
    shapes: examples.shapes.filter((_, t) => !left.has(t)),
  };
}
