/** A humanoid registered with twelve poses of a captured motion, on the frames it has not seen. */
import { readFileSync } from 'node:fs';
import { clipFromSkeleton, jointPositions, readBvh } from '@pelt/io';
import { rotationLog } from '@pelt/math';
import { jointsAt } from '@pelt/model';
import { register, suggestKeyPoses } from '@pelt/skin';
import { stickRig } from '@pelt/testkit';
import { localPose } from '../../../packages/skin/dist/puppet/runtime/local-pose.js';
import { removeTravel } from '../../../packages/skin/dist/puppet/training/remove-travel.js';

const PAIRS = 12;
/** motion, target: half of the nearest pose's error for the walk, which is what is asked for. */
const MOTIONS = [
  ['walk', 'ratio <= 0.5'],
  ['run', undefined],
  ['jump', undefined],
  ['dance', undefined],
];
export const needs = MOTIONS.map(([name]) => `motion/cmu-${name}.bvh`);

export async function measure(context) {
  return MOTIONS.map(([name, target]) => {
    context.log(`twelve poses of a ${name}`);
    const skeleton = readBvh(readFileSync(context.data(`motion/cmu-${name}.bvh`)));
    const { bones, clip } = clipFromSkeleton(skeleton);
    const whole = jointPositions(skeleton);
    const J = whole.joints.length;
    // The first frame of these files is a pose for the camera, not of the motion.
    const motion = {
      ...whole,
      times: whole.times.subarray(1),
      positions: whole.positions.subarray(3 * J),
      confidence: whole.confidence.subarray(J),
    };
    const size = 12 * bones.length;
    const poses = Array.from(motion.times, (_, t) =>
      removeTravel(bones, clip.transforms.subarray((t + 1) * size, (t + 2) * size)),
    );
    const locals = poses.map((pose) => localPose(bones, pose).rotations);
    const keys = suggestKeyPoses(motion, PAIRS);
    const pairs = {
      name,
      joints: motion.joints,
      neutral: 0,
      pairs: keys.map((t) => ({ name: `${t}`, performer: jointsAt(motion, t), character: { transforms: poses[t] } })),
    };
    const options = { parts: 'limbs', delay: 0, travel: 0, turn: false };
    const puppet = register(stickRig(name, bones), pairs, motion.joints, options);
    const nearest = nearestPairs(motion, keys);
    let [followed, looked, held] = [0, 0, 0];
    for (let t = 0; t < motion.times.length; t++) {
      const { transforms } = puppet.update(jointsAt(motion, t), motion.times[t]);
      if (keys.includes(t)) continue;
      followed += meanAngle(localPose(bones, transforms).rotations, locals[t]);
      looked += meanAngle(locals[nearest[t]], locals[t]);
      held++;
    }
    return {
      case: `${name}, ${held} held-out frames`,
      metric: 'mean joint angle error',
      value: followed / held,
      unit: '°',
      reference: looked / held,
      referenceName: 'nearest pose',
      ...(target && { target }),
    };
  });
}

/** For each frame the registered pose whose limbs point most alike, seen from the pelvis. */
function nearestPairs(motion, keys) {
  const at = (name) => 3 * motion.joints.indexOf(name);
  const pelvis = ['leftHip', 'rightHip'].map(at);
  const turned = Array.from(motion.times, (_, t) => {
    const joints = jointsAt(motion, t);
    const [l, r] = pelvis;
    const heading = Math.atan2(-(joints[l + 2] - joints[r + 2]), joints[l] - joints[r]);
    const [c, s] = [Math.cos(heading), Math.sin(heading)];
    return Float64Array.from(joints, (_, k) => {
      const j = k - (k % 3);
      const [x, y, z] = [0, 1, 2].map((axis) => joints[j + axis] - (joints[l + axis] + joints[r + axis]) / 2);
      return [c * x - s * z, y, s * x + c * z][k % 3];
    });
  });
  const distance = (a, b) => a.reduce((sum, value, d) => sum + (value - b[d]) ** 2, 0);
  return turned.map((x) => keys.reduce((best, k) => (distance(x, turned[k]) < distance(x, turned[best]) ? k : best)));
}

/** Degrees between two lists of rotations, m × 9. */
function meanAngle(a, b) {
  const relative = new Float64Array(9);
  const log = new Float64Array(3);
  let total = 0;
  for (let j = 0; j < a.length; j += 9) {
    for (let k = 0; k < 9; k++) {
      const [r, c] = [Math.floor(k / 3), k % 3];
      relative[k] = a[j + r] * b[j + c] + a[j + 3 + r] * b[j + 3 + c] + a[j + 6 + r] * b[j + 6 + c];
    }
    rotationLog(relative, 0, log, 0);
    total += Math.hypot(...log);
  }
  return ((180 / Math.PI) * 9 * total) / a.length;
}
