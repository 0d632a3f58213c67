import { InputError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { captureSkeleton } from '../../src/jobs/capture-skeleton.ts';

/** Hips at the origin, the head two above, an arm one to either side, with hands one further. */
const BVH = `HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Head
  {
    OFFSET 0 2 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 1 0
    }
  }
${arm('Left', 1)}
${arm('Right', -1)}
}
MOTION
Frames: 1
Frame Time: 0.1
${new Array(6 + 3 * 5).fill(0).join(' ')}
`;

function arm(side: string, x: number): string {
  return `  JOINT ${side}Arm
  {
    OFFSET ${x} 1 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT ${side}Hand
    {
      OFFSET ${x} 0 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      End Site
      {
        OFFSET ${x} 0 0
      }
    }
  }`;
}

const read = (landmarks?: Parameters<typeof captureSkeleton>[2]) =>
  captureSkeleton('walk.bvh', new TextEncoder().encode(BVH), landmarks, () => {});

describe('captureSkeleton', () => {
  it('tells which joints of a body a capture has', () => {
    expect(read()).toEqual({
      found: ['hips', 'head', 'leftShoulder', 'leftWrist', 'rightShoulder', 'rightWrist'],
      joints: [],
    });
  });

  it('fits the skeleton to what was clicked, joints between and beyond going along', () => {
    // Half as large, and three above the ground.
    const { joints } = read({ hips: [0, 3, 0], head: [0, 4, 0], leftWrist: [1, 3.5, 0], rightWrist: [-1, 3.5, 0] });
    expect(joints.map(({ name, parent, twin }) => [name, parent, twin])).toEqual([
      ['Hips', -1, -1],
      ['Head', 0, -1],
      ['LeftArm', 0, 4],
      ['LeftHand', 2, 5],
      ['RightArm', 0, 2],
      ['RightHand', 4, 3],
    ]);
    const [x, y, z] = joints[2].at;
    expect(x).toBeCloseTo(0.5, 6);
    expect(y).toBeCloseTo(3.5, 6);
    expect(z).toBeCloseTo(0, 6);
  });

  it('refuses too few landmarks, and files that are no capture, in words', () => {
    expect(() => read({ hips: [0, 0, 0] })).toThrow(/too few/);
    expect(() => captureSkeleton('a.bvh', new TextEncoder().encode('v 0 0 0'), undefined, () => {})).toThrow(
      InputError,
    );
  });
});
