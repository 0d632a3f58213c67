import { openNumerics } from '@pelt/math';
import { type Clip, frameAt, IDENTITY_TRANSFORM, type MeshSequence, type Rig } from '@pelt/model';
import { armScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { decompose, EigenSkinPoses, eigenSkin } from '../../src/decompose/index.ts';
import { deformLinear } from '../../src/shared/blending/linear.ts';

const numerics = await openNumerics({ threads: 1 });
afterAll(() => numerics.close());

/** Every other frame, from `first` on. */
function half(sequence: MeshSequence, first: number): MeshSequence {
  const size = sequence.rest.positions.length;
  const chosen = Array.from(sequence.times.keys()).filter((t) => t % 2 === first);
  const frames = new Float32Array(chosen.length * size);
  chosen.forEach((t, k) => {
    frames.set(frameAt(sequence, t), k * size);
  });
  return { ...sequence, frames, times: sequence.times.slice(0, chosen.length) };
}

describe('EigenSkin over poses', () => {
  const { sequence } = armScene({ frames: 24 });
  const poseOf = ({ transforms }: Clip, { bones }: Rig, t: number) =>
    transforms.subarray(t * bones.length * 12, (t + 1) * bones.length * 12);

  it('gives the amounts of the frames at their poses, however the character is turned', () => {
    const { rig, clip } = decompose(sequence, { bones: 3, rounds: 12 }, { numerics });
    const skin = eigenSkin({ sequence, rig, clip }, { rank: 3 }, { numerics });
    const poses = new EigenSkinPoses(rig.bones, clip, skin.amounts);
    const out = new Float32Array(3);
    const scale = skin.amounts.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
    for (const t of [0, 7, 23]) {
      const pose = Float64Array.from(poseOf(clip, rig, t));
      // A quarter turn about y of the whole character: x' = z, z' = −x.
      const turned = pose.map((_, k) => {
        const [row, at] = [Math.floor((k % 12) / 4), k - (k % 12) + (k % 4)];
        return row === 0 ? pose[at + 8] : row === 1 ? pose[at + 4] : -pose[at];
      });
      for (const copy of [pose, turned]) {
        poses.amountsAt(copy, out).forEach((value, r) => {
          expect(Math.abs(value - skin.amounts[t * 3 + r])).toBeLessThan(1e-4 * scale);
        });
      }
    }
  });

  it('corrects frames that it has not seen', () => {
    const [seen, unseen] = [half(sequence, 0), half(sequence, 1)];
    const { rig, clip } = decompose(seen, { bones: 3, rounds: 12, restPose: 'keep' }, { numerics });
    const skin = eigenSkin({ sequence: seen, rig, clip }, { rank: 4 }, { numerics });
    const poses = new EigenSkinPoses(rig.bones, clip, skin.amounts);
    const locked = { part: 'weights', rig } as const;
    const between = decompose(unseen, { locked, restPose: 'keep' }, { numerics });
    const amounts = new Float32Array(4);
    const posed = new Float32Array(rig.mesh.positions.length);
    const errorOf = (corrected: boolean) => {
      let sum = 0;
      for (let t = 0; t < unseen.times.length; t++) {
        const pose = poseOf(between.clip, rig, t);
        poses.amountsAt(pose, amounts);
        const rest = rig.mesh.positions.map((value, k) =>
          corrected ? skin.deltas.reduce((at, delta, r) => at + amounts[r] * delta[k], value) : value,
        );
        deformLinear(rest, rig.weights, pose, posed);
        const frame = frameAt(unseen, t);
        for (let k = 0; k < posed.length; k++) sum += (posed[k] - frame[k]) ** 2;
      }
      return Math.sqrt(sum);
    };
    expect(errorOf(true)).toBeLessThan(0.8 * errorOf(false));
  });

  it('takes a clip of one pose, and refuses amounts of other frames', () => {
    const { rig, clip } = decompose(sequence, { bones: 2, rounds: 8 }, { numerics });
    const still: Clip = {
      ...clip,
      times: clip.times.slice(0, 2),
      transforms: Float64Array.from([0, 1, 2, 3].flatMap(() => [...IDENTITY_TRANSFORM])),
    };
    const amounts = Float32Array.of(0.5, 0.5);
    const poses = new EigenSkinPoses(rig.bones, still, amounts);
    expect(poses.amountsAt(poseOf(clip, rig, 3), new Float32Array(1))[0]).toBe(0.5);
    expect(() => new EigenSkinPoses(rig.bones, clip, amounts)).toThrow(/2 amounts for 24 frames/);
  });
});
