import { type Bone, type JointPose, poseFromJoints } from '@pelt/model';
import { barCharacter, dogCharacter, flourSackCharacter } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import type { Interpolation, InterpolationInput } from '../../../src/puppet/runtime/interpolate.ts';
import { KinematicInterpolation } from '../../../src/puppet/runtime/interpolate-kinematic.ts';
import { LinearInterpolation } from '../../../src/puppet/runtime/interpolate-linear.ts';
import { kinematicValues } from '../../../src/puppet/runtime/kinematic-values.ts';
import { posedOrigin } from '../../../src/puppet/runtime/local-pose.ts';
import { expectClose } from '../expect-close.ts';

/** One part; pairs follow each other in a row. */
function inputOf(bones: readonly Bone[], poses: readonly Float64Array[]): InterpolationInput {
  const tree = Int32Array.from(poses, (_, i) => i - 1);
  const shares = new Float64Array(bones.length * poses.length).fill(1);
  return { poses, neutral: 0, shares, values: kinematicValues(bones, poses, 0, tree) };
}

function pose(interpolation: Interpolation, bones: readonly Bone[], weights: number[]): Float64Array {
  const out = new Float64Array(bones.length * 12);
  interpolation.interpolate(Float64Array.from(weights), out);
  return out;
}

function origins(bones: readonly Bone[], transforms: Float64Array): Float64Array {
  const out = new Float64Array(bones.length * 3);
  bones.forEach((bone, j) => {
    posedOrigin(bone, transforms, 12 * j, out.subarray(3 * j, 3 * j + 3));
  });
  return out;
}

/** How far the distances between joints and their parents are from those at rest, relatively, at most. */
function limbStretch(bones: readonly Bone[], transforms: Float64Array): number {
  const posed = origins(bones, transforms);
  const identity = Float64Array.from(bones.flatMap(() => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]));
  const rest = origins(bones, identity);
  const length = (points: Float64Array, j: number, p: number) =>
    Math.hypot(...[0, 1, 2].map((k) => points[3 * j + k] - points[3 * p + k]));
  return Math.max(
    ...bones.map(({ parent }, j) =>
      parent < 0 ? 0 : Math.abs(length(posed, j, parent) / length(rest, j, parent) - 1),
    ),
  );
}

const boneAt = (name: string, parent: number, x: number): Bone => ({
  name,
  parent,
  rest: Float64Array.of(1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0),
});
const ARM = [boneAt('shoulder', -1, 1), boneAt('elbow', 0, 2), boneAt('wrist', 1, 3)];
const armPose = (joints: JointPose) => poseFromJoints(ARM, joints).transforms;

describe.each([
  ['kinematic', (bones: readonly Bone[], input: InterpolationInput) => new KinematicInterpolation(bones, input)],
  ['linear', (bones: readonly Bone[], input: InterpolationInput) => new LinearInterpolation(bones.length, input)],
] as const)('%s interpolation', (_, make) => {
  it.each([
    ['bar', barCharacter()],
    ['dog', dogCharacter(0.1)],
    ['flour sack', flourSackCharacter(0.1)],
  ])('gives the poses of the %s back', (_name, { rig, registration }) => {
    const poses = registration.pairs.map((pair) => pair.character.transforms);
    const interpolation = make(rig.bones, inputOf(rig.bones, poses));
    poses.forEach((expected, i) => {
      const weights = poses.map((_pose, k) => Number(k === i));
      expectClose(pose(interpolation, rig.bones, weights), expected, 1e-9);
    });
  });

  it('takes one pose, and poses that are the same', () => {
    const bent = armPose({ elbow: { degrees: [0, 50, 0] } });
    expectClose(pose(make(ARM, inputOf(ARM, [bent])), ARM, [1]), bent);
    expectClose(pose(make(ARM, inputOf(ARM, [bent, bent])), ARM, [-3, 4]), bent);
  });

  it('follows a rigid motion of all poses', () => {
    const poses = [armPose({}), armPose({ elbow: { degrees: [0, 0, 60] } })];
    const moved = [
      armPose({ shoulder: { degrees: [0, 0, 30] } }),
      armPose({ shoulder: { degrees: [0, 0, 30] }, elbow: { degrees: [0, 0, 60] } }),
    ];
    const weights = [0.3, 0.7];
    const plain = origins(ARM, pose(make(ARM, inputOf(ARM, poses)), ARM, weights));
    const turned = origins(ARM, pose(make(ARM, inputOf(ARM, moved)), ARM, weights));
    const [c, s] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)];
    for (let j = 0; j < 3; j++) {
      const [x, y] = [plain[3 * j] - 1, plain[3 * j + 1]];
      expect(turned[3 * j]).toBeCloseTo(1 + c * x - s * y, 9);
      expect(turned[3 * j + 1]).toBeCloseTo(s * x + c * y, 9);
    }
  });
});

describe('kinematic against linear interpolation', () => {
  it('limbs keep their length at (−1, 2) by forward kinematics, and do not by linear blending', () => {
    const poses = [armPose({}), armPose({ shoulder: { degrees: [0, 0, 50] }, elbow: { degrees: [0, 30, 40] } })];
    const input = inputOf(ARM, poses);
    const [kinematic, linear] = [new KinematicInterpolation(ARM, input), new LinearInterpolation(3, input)];
    for (const weights of [
      [-1, 2],
      [2, -1],
      [-0.5, 1.5],
      [0.5, 0.5],
    ]) {
      expect(limbStretch(ARM, pose(kinematic, ARM, weights))).toBeLessThan(1e-12);
    }
    expect(limbStretch(ARM, pose(linear, ARM, [-1, 2]))).toBeGreaterThan(0.2);
    expect(limbStretch(ARM, pose(linear, ARM, [2, -1]))).toBeGreaterThan(0.2);
  });

  it('a turn goes on beyond the examples at the same pace', () => {
    const poses = [armPose({}), armPose({ elbow: { degrees: [0, 0, 70] } })];
    const beyond = pose(new KinematicInterpolation(ARM, inputOf(ARM, poses)), ARM, [-1, 2]);
    expectClose(beyond, armPose({ elbow: { degrees: [0, 0, 140] } }), 1e-9);
  });

  it('a twist registered at 120° and 240° goes on to 360°', () => {
    const twist = (degrees: number) => armPose({ wrist: { degrees: [degrees, 0, 0] } });
    const interpolation = new KinematicInterpolation(ARM, inputOf(ARM, [twist(0), twist(120), twist(240)]));
    expectClose(pose(interpolation, ARM, [0, 0.5, 0.5]), twist(180), 1e-9);
    expectClose(pose(interpolation, ARM, [0, -1, 2]), twist(360), 1e-9);
    expectClose(pose(interpolation, ARM, [0.5, 0, 0.5]), twist(120), 1e-9);
  });

  it('a stretch stays a stretch: half of a half is a quarter', () => {
    const scaled = (x: number) => armPose({ elbow: { scale: [x, 1, 1] } });
    const interpolation = new KinematicInterpolation(ARM, inputOf(ARM, [scaled(1), scaled(0.5)]));
    expectClose(pose(interpolation, ARM, [-1, 2]), scaled(0.25), 1e-9);
    expectClose(pose(interpolation, ARM, [2, -1]), scaled(2), 1e-9);
  });

  it('a sliding joint goes on sliding, along the parent', () => {
    const slid = (d: number) => armPose({ shoulder: { degrees: [0, 0, 30] }, elbow: { translation: [d, 0, 0] } });
    const interpolation = new KinematicInterpolation(ARM, inputOf(ARM, [slid(0), slid(-0.2)]));
    expectClose(pose(interpolation, ARM, [-1, 2]), slid(-0.4), 1e-9);
  });
});
