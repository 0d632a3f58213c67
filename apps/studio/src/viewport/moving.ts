/** What moves in the viewport, frame by frame: an animation as it was given, or a rig that plays it. */
import { frameAt, frameCount, type MeshSequence, poseAt } from '@pelt/model';
import { deformLinear } from '@pelt/skin/blending';
import type { Played } from '../store/library.ts';

export interface Moving {
  /** n × 3 */
  readonly rest: Float32Array;
  /** f × 3 */
  readonly triangles: Uint32Array;
  readonly frames: number;
  /** For each vertex one of the animation. */
  readonly vertices: Uint32Array | undefined;
  /** Writes n × 3 positions of frame t. */
  pose(t: number, out: Float32Array): void;
  readonly played: Played | undefined;
}

export function movingSequence(sequence: MeshSequence): Moving {
  const { positions, triangles } = sequence.rest;
  return {
    rest: positions,
    triangles,
    frames: frameCount(sequence),
    vertices: undefined,
    pose: (t, out) => out.set(frameAt(sequence, t)),
    played: undefined,
  };
}

export function movingRig(played: Played): Moving {
  const { rig, clip, vertices, learnt } = played;
  const { positions, triangles } = rig.mesh;
  return {
    rest: positions,
    triangles,
    frames: clip.times.length,
    vertices,
    pose: (t, out) => {
      if (learnt) out.set(learnt.subarray(t * positions.length, (t + 1) * positions.length));
      else deformLinear(positions, rig.weights, poseAt(clip, t, rig.bones.length).transforms, out);
    },
    played,
  };
}
