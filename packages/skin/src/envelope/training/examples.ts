/** Examples that a skin is learnt from: pairs of a skeletal pose and a shape. */
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
  weldSequence,
} from '@pelt/model';

/** A rig, a clip of its skeleton, and the shapes of its skin at the frames of that clip. */
export interface RigExamples {
  /** Only its bones are used: weights are fitted to the examples. */
  readonly rig: Rig;
  /** S poses of the skeleton */
  readonly clip: Clip;
  /** S frames of n vertices */
  readonly sequence: MeshSequence;
}

export interface Examples {
  /** The rest pose, with seams welded. */
  readonly mesh: Mesh;
  /** The welded vertex of each given vertex; undefined where no seam was welded. */
  readonly map: Uint32Array | undefined;
  readonly bones: readonly Bone[];
  /** S poses, m × 12 each */
  readonly poses: readonly Float64Array[];
  /** S shapes, welded n × 3 each */
  readonly shapes: readonly Float32Array[];
}

/**
 * Checks the examples and welds their seams.
 *
 * @param owner   name of the function, for messages
 * @param frames  training frames, indices from 0; all where undefined
 */
export function examplesOf(
  owner: string,
  { rig, clip, sequence }: RigExamples,
  frames: readonly number[] | undefined,
): Examples {
  validateRig(rig);
  validateClip(clip, rig.bones.length);
  validateMeshSequence(sequence);
  const S = frameCount(sequence);
  if (clip.times.length !== S) {
    throw new InputError(
      `${owner}: the examples have ${S} frames, the clip of the skeleton ${clip.times.length}; give one pose per shape`,
    );
  }
  const counts = [sequence.rest, rig.mesh].map(({ positions }) => positions.length / 3);
  if (counts[0] !== counts[1]) {
    throw new InputError(
      `${owner}: the examples have ${counts[0]} vertices, the rig ${counts[1]}; give shapes of the rig's mesh`,
    );
  }
  const chosen = frames ?? Array.from({ length: S }, (_, t) => t);
  if (chosen.length === 0) throw new UsageError(`${owner}: no training frames; name at least one of 0 to ${S - 1}`);
  for (const t of chosen) {
    if (!Number.isInteger(t) || t < 0 || t >= S) {
      throw new UsageError(`${owner}: there is no training frame ${t}; frames are 0 to ${S - 1}`);
    }
  }
  const weld = weldSequence(sequence);
  return {
    mesh: weld.sequence.rest,
    map: weld.sequence === sequence ? undefined : weld.map,
    bones: rig.bones,
    poses: chosen.map((t) => poseAt(clip, t, rig.bones.length).transforms),
    shapes: chosen.map((t) => frameAt(weld.sequence, t)),
  };
}

/** The examples without those of one fold. */
export function without(examples: Examples, fold: ReadonlySet<number>): Examples {
  return {
    ...examples,
    poses: examples.poses.filter((_, t) => !fold.has(t)),
    shapes: examples.shapes.filter((_, t) => !fold.has(t)),
  };
}
