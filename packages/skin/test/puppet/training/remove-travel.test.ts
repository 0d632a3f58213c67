import { type Bone, poseFromJoints } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { posedOrigin } from '../../../src/puppet/runtime/local-pose.ts';
import { removeTravel } from '../../../src/puppet/training/remove-travel.ts';
import { expectClose } from '../expect-close.ts';

const boneAt = (name: string, parent: number, y: number): Bone => ({
  name,
  parent,
  rest: Float64Array.of(1, 0, 0, 1, 0, 1, 0, y, 0, 0, 1, 0),
});
const BONES = [boneAt('hips', -1, 1), boneAt('head', 0, 2), boneAt('hat', -1, 3)];

describe('removeTravel', () => {
  it('keeps a pose that has not travelled', () => {
    const { transforms } = poseFromJoints(BONES, {
      hips: { degrees: [25, 0, 0], translation: [0, -0.3, 0] },
      head: { degrees: [0, 40, 0] },
    });
    expectClose(removeTravel(BONES, transforms), transforms, 1e-12);
  });

  it('takes heading and way along the ground from all bones, and leaves lean and height', () => {
    const inPlace = poseFromJoints(BONES, {
      hips: { degrees: [25, 0, 0], translation: [0, 0.2, 0] },
      head: { degrees: [0, 0, 10] },
    }).transforms;
    const [c, s] = [Math.cos(2), Math.sin(2)];
    const travelled = inPlace.slice();
    for (let j = 0; j < 3; j++) {
      for (let k = 0; k < 4; k++) {
        const [x, z] = [inPlace[12 * j + k], inPlace[12 * j + 8 + k]];
        travelled[12 * j + k] = c * x + s * z + (k === 3 ? 5 : 0);
        travelled[12 * j + 8 + k] = -s * x + c * z + (k === 3 ? -7 : 0);
      }
    }
    expectClose(removeTravel(BONES, travelled), inPlace, 1e-9);
    const origin = new Float64Array(3);
    posedOrigin(BONES[0], removeTravel(BONES, travelled), 0, origin);
    expectClose(origin, [1, 1.2, 0], 1e-9);
  });

  it('knows no heading of one who is upside down', () => {
    const { transforms } = poseFromJoints(BONES, { hips: { degrees: [0, 0, 180], translation: [3, 0, 0] } });
    const out = removeTravel(BONES, transforms);
    expect(out.every(Number.isFinite)).toBe(true);
    expectClose(out.subarray(0, 3), transforms.subarray(0, 3), 1e-9);
  });
});
