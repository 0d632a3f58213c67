import { type MeshSequence, poseAt, validateClip, validateRig } from '@pelt/model';
import { creatureScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { deformLinear, splitRootMotion } from '../../src/index.ts';

/** The creature walking in a circle: a turn about y and a way in each frame, on top of its own motion. */
function circling() {
  const { sequence, rig, clip } = creatureScene({ frames: 8 });
  const size = sequence.rest.positions.length;
  const frames = sequence.frames.slice();
  const transforms = clip.transforms.slice();
  for (let t = 0; t < 8; t++) {
    const [c, s] = [Math.cos(0.4 * t), Math.sin(0.4 * t)];
    const turn = (x: number, z: number): [number, number] => [c * x + s * z + 2 * t, -s * x + c * z];
    for (let k = t * size; k < (t + 1) * size; k += 3) [frames[k], frames[k + 2]] = turn(frames[k], frames[k + 2]);
    for (let j = 0; j < rig.bones.length; j++) {
      const at = (t * rig.bones.length + j) * 12;
      for (let column = 0; column < 4; column++) {
        const [x, z] = [transforms[at + column], transforms[at + 8 + column]];
        transforms[at + column] = c * x + s * z + (column === 3 ? 2 * t : 0);
        transforms[at + 8 + column] = -s * x + c * z;
      }
    }
  }
  const moved: MeshSequence = { ...sequence, frames };
  return { sequence: moved, rig, clip: { ...clip, transforms } };
}

describe('root motion', () => {
  it.each(['full', 'ground'] as const)('leaves the deformation as it is (%s)', (motion) => {
    const { sequence, rig, clip } = circling();
    const split = splitRootMotion({ sequence, rig, clip }, { motion });
    validateRig(split.rig);
    validateClip(split.clip, split.rig.bones.length);
    const size = rig.mesh.positions.length;
    for (const t of [0, 3, 7]) {
      const before = deformLinear(
        rig.mesh.positions,
        rig.weights,
        poseAt(clip, t, rig.bones.length).transforms,
        new Float32Array(size),
      );
      const pose = poseAt(split.clip, t, split.rig.bones.length).transforms;
      expect(deformLinear(rig.mesh.positions, split.rig.weights, pose, new Float32Array(size))).toEqual(before);
    }
  });

  it('finds the way and the heading', () => {
    const { sequence, rig, clip } = circling();
    const { clip: split, rig: rooted } = splitRootMotion({ sequence, rig, clip }, { motion: 'ground' });
    const m = rooted.bones.length;
    expect(rooted.bones[0]).toMatchObject({ name: 'root', parent: -1 });
    for (let t = 0; t < 8; t++) {
      const root = split.transforms.subarray(t * m * 12, t * m * 12 + 12);
      expect(Math.atan2(root[2], root[0])).toBeCloseTo(Math.atan2(Math.sin(0.4 * t), Math.cos(0.4 * t)), 1);
      expect([root[1], root[4], root[5], root[6], root[7], root[9]]).toEqual([0, 0, 1, 0, 0, 0]);
      expect(root[3]).toBeCloseTo(2 * t, 0);
    }
  });

  it('puts every loose bone under the root and keeps the rest of the tree', () => {
    const { sequence, rig, clip } = creatureScene({ frames: 2 });
    const { rig: rooted } = splitRootMotion({ sequence, rig, clip });
    rig.bones.forEach((bone, j) => {
      expect(rooted.bones[j + 1].parent).toBe(bone.parent + 1);
    });
  });
});
