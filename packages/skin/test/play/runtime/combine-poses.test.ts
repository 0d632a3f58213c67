import { type Bone, IDENTITY_TRANSFORM, type JointPose, poseFromJoints } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { combinePoses, jointMask } from '../../../src/play/runtime/combine-poses.ts';

const at = (x: number, y: number) => Float64Array.of(1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, 0);
// A trunk with an arm of two bones and a leg.
const bones: Bone[] = [
  { name: 'trunk', parent: -1, rest: at(0, 0) },
  { name: 'arm', parent: 0, rest: at(1, 1) },
  { name: 'hand', parent: 1, rest: at(2, 1) },
  { name: 'leg', parent: 0, rest: at(0, -1) },
];
const pose = (joints: JointPose) => poseFromJoints(bones, joints);
const combine = (...layers: Parameters<typeof combinePoses>[1]) => combinePoses(bones, layers, new Float64Array(48));
const apart = (a: Float64Array, b: Float64Array) =>
  a.reduce((most, value, k) => Math.max(most, Math.abs(value - b[k])), 0);

describe('combinePoses', () => {
  it('is the pose itself where there is one, and where nothing is driven', () => {
    const walk = pose({ leg: { degrees: [20, 0, 0] }, trunk: { translation: [0, 3, 0] } });
    expect(combine(walk)).toEqual(walk.transforms);
    const none = { ...pose({ arm: { degrees: [90, 0, 0] } }), mask: new Uint8Array(4) };
    expect(apart(combine(walk, none), walk.transforms)).toBeLessThan(1e-14);
  });

  it('takes each joint from the topmost driver that has it, against its parent', () => {
    const walk = pose({ trunk: { degrees: [0, 40, 0] }, leg: { degrees: [20, 0, 0] }, hand: { degrees: [0, 0, 5] } });
    const reach = {
      ...pose({ arm: { degrees: [0, 0, 60] }, trunk: { degrees: [0, 0, 9] } }),
      mask: jointMask(bones, ['arm']),
    };
    const step = { ...pose({ leg: { degrees: [-30, 0, 0] } }), mask: jointMask(bones, ['leg']) };
    const wanted = pose({
      trunk: { degrees: [0, 40, 0] },
      arm: { degrees: [0, 0, 60] },
      leg: { degrees: [-30, 0, 0] },
    });
    expect(apart(combine(walk, reach, step), wanted.transforms)).toBeLessThan(1e-12);
    // Drivers of different joints may come in any order.
    expect(apart(combine(walk, step, reach), wanted.transforms)).toBeLessThan(1e-12);
  });

  it('holds joints where a driver has them in the model, and takes along what hangs on them', () => {
    const walk = pose({ trunk: { translation: [5, 0, 0] }, hand: { degrees: [0, 0, 30] } });
    const hold = { ...pose({}), mask: Uint8Array.of(0, 1, 0, 0), space: 'model' as const };
    const out = combine(walk, hold);
    expect([...out.subarray(12, 24)]).toEqual([...IDENTITY_TRANSFORM]);
    expect(
      apart(out.subarray(24, 36), pose({ hand: { degrees: [0, 0, 30] } }).transforms.subarray(24, 36)),
    ).toBeLessThan(1e-12);
    expect(out[39]).toBe(5);
  });

  it('may write over a layer, and refuses poses of other skeletons', () => {
    const [walk, wave] = [pose({ leg: { degrees: [9, 0, 0] } }), pose({ arm: { degrees: [0, 9, 0] } })];
    const expected = combine(walk, wave);
    expect(combinePoses(bones, [walk, wave], walk.transforms)).toEqual(expected);
    expect(() => combine()).toThrow('give at least one layer');
    expect(() => combine({ transforms: new Float64Array(12) })).toThrow('is not of 4 joints');
    expect(() => jointMask(bones, ['wing'])).toThrow("there is no joint 'wing'; there are trunk, arm, hand, leg");
  });
});
