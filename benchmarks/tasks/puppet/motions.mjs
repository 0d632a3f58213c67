/**
 * A humanoid registered with twelve poses of a captured motion, on the frames it has not seen: the angles of its joints
 * beside the nearest registered pose; where its joints come to be, beside linear blending of the same poses; and the same
 * performance by a person of other proportions who stands elsewhere and is seen by a noisy tracker, beside comparing
 * positions in place of directions.
 */
import { rotationLog } from '@pelt/math';
import { jointsAt } from '@pelt/model';
import { createPuppet, suggestKeyPoses } from '@pelt/skin';
import { byAnotherPerformer, captureOf, heightOf, registrationOf } from './captured-motion.mjs';

const PAIRS = 12;
/** In place. A capture needs no smoothing; a tracker has the usual one, and sees every fourth frame of 120 a second. */
const IN_PLACE = { base: 'pairs', parts: 'limbs', travel: 0, turn: false };
const CAPTURED = { options: { ...IN_PLACE, delay: 0 }, step: 1 };
const TRACKED = { options: IN_PLACE, step: 4 };
/** What is reached beside the nearest pose; twelve poses do not cover a dance of many figures. */
const MOTIONS = [
  ['walk', 'ratio <= 0.5'],
  ['run', 'ratio <= 0.5'],
  ['jump', 'ratio <= 0.5'],
  ['dance', 'ratio < 1'],
];
export const needs = MOTIONS.map(([name]) => `motion/cmu-${name}.bvh`);

export async function measure(context) {
  return MOTIONS.flatMap(([name, target]) => {
    const place = `twelve poses of a ${name}`;
    if (!context.wants(place)) return [];
    context.log(place);
    const capture = captureOf(context, name);
    const keys = suggestKeyPoses(capture.motion, { count: PAIRS });
    const followed = errorsOf(capture, keys, capture.motion, CAPTURED);
    const blended = errorsOf(capture, keys, capture.motion, CAPTURED, { interpolation: 'linear' });
    const other = byAnotherPerformer(capture);
    const [own, others] = [capture.motion, other].map((motion) => errorsOf(capture, keys, motion, TRACKED));
    const byPositions = errorsOf(capture, keys, other, TRACKED, { features: 'positions' });
    const beside = (reference, referenceName, target) => ({ reference, referenceName, ...(target && { target }) });
    const degrees = (metric, value, ...rest) => ({ case: place, metric, value, unit: '°', ...beside(...rest) });
    const share = (metric, value, ...rest) => ({
      case: place,
      metric,
      value,
      unit: '% of the height',
      ...beside(...rest),
    });
    return [
      degrees(
        'joint angle error, held-out frames',
        followed.degrees,
        nearestPoseError(capture, keys),
        'nearest pose',
        target,
      ),
      share('joint distance from the root', followed.fromRoot, blended.fromRoot, 'linear blending', 'ratio < 1'),
      share('joint distance', followed.distance, blended.distance, 'linear blending'),
      degrees(
        'joint angle error, another performer',
        others.degrees,
        own.degrees,
        'the performer of the pairs',
        'ratio <= 1.5',
      ),
      degrees(
        'joint angle error, another performer, by directions',
        others.degrees,
        byPositions.degrees,
        'by positions',
        'ratio <= 1.05',
      ),
    ];
  });
}

/**
 * Means over the frames that are no pair: degrees of the joints, and distances of the bones' origins in % of the height,
 * in place and seen from the root.
 */
function errorsOf(capture, keys, performance, { options, step }, more) {
  const { rig, motion, poses } = capture;
  const puppet = createPuppet(
    { character: rig, pairs: registrationOf(capture, keys), performer: performance.joints },
    { ...options, ...more },
  );
  const percent = 100 / heightOf(motion);
  const sum = { degrees: 0, distance: 0, fromRoot: 0 };
  let count = 0;
  for (let t = 0; t < performance.times.length; t += step) {
    const { transforms } = puppet.update(jointsAt(performance, t), performance.times[t]);
    if (keys.includes(t)) continue;
    const [posed, truth] = [transforms, poses[t]].map((pose) => originsOf(rig.bones, pose));
    sum.degrees += meanAngle(localRotations(rig.bones, transforms), localRotations(rig.bones, poses[t]));
    sum.distance += percent * meanDistance(posed, truth);
    sum.fromRoot += percent * meanDistance(fromFirst(posed), fromFirst(truth));
    count++;
  }
  return Object.fromEntries(Object.entries(sum).map(([name, value]) => [name, value / count]));
}

/** Degrees by taking, for each frame, the registered pose whose joints lie most alike, seen from the pelvis. */
function nearestPoseError({ rig, motion, poses }, keys) {
  const locals = poses.map((pose) => localRotations(rig.bones, pose));
  const seen = Array.from(motion.times, (_, t) => fromThePelvis(motion, t));
  const apart = (a, b) => a.reduce((sum, value, d) => sum + (value - b[d]) ** 2, 0);
  const unseen = [...seen.keys()].filter((t) => !keys.includes(t));
  const errors = unseen.map((t) => {
    const nearest = keys.reduce((best, k) => (apart(seen[t], seen[k]) < apart(seen[t], seen[best]) ? k : best));
    return meanAngle(locals[nearest], locals[t]);
  });
  return errors.reduce((sum, error) => sum + error, 0) / errors.length;
}

function fromThePelvis(motion, t) {
  const [l, r] = ['leftHip', 'rightHip'].map((name) => 3 * motion.joints.indexOf(name));
  const joints = jointsAt(motion, t);
  const heading = Math.atan2(-(joints[l + 2] - joints[r + 2]), joints[l] - joints[r]);
  const [c, s] = [Math.cos(heading), Math.sin(heading)];
  return Float64Array.from(joints, (_, k) => {
    const j = k - (k % 3);
    const [x, y, z] = [0, 1, 2].map((axis) => joints[j + axis] - (joints[l + axis] + joints[r + axis]) / 2);
    return [c * x - s * z, y, s * x + c * z][k % 3];
  });
}

/** m × 9: R_pᵀ R_j of bones that only turn. */
function localRotations(bones, transforms) {
  const out = new Float64Array(9 * bones.length);
  bones.forEach(({ parent }, j) => {
    for (let k = 0; k < 9; k++) {
      const [r, c] = [Math.floor(k / 3), k % 3];
      for (let e = 0; e < 3; e++) {
        const above = parent < 0 ? Number(e === r) : transforms[12 * parent + 4 * e + r];
        out[9 * j + k] += above * transforms[12 * j + 4 * e + c];
      }
    }
  });
  return out;
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

/** Where a pose carries the bones' origins. */
function originsOf(bones, pose) {
  return bones.map(({ rest }, j) =>
    [0, 4, 8].map((row) => {
      const [x, y, z, t] = pose.subarray(12 * j + row, 12 * j + row + 4);
      return x * rest[3] + y * rest[7] + z * rest[11] + t;
    }),
  );
}

function fromFirst(points) {
  return points.map((point) => point.map((value, axis) => value - points[0][axis]));
}

function meanDistance(a, b) {
  return a.reduce((sum, p, j) => sum + Math.hypot(...p.map((value, axis) => value - b[j][axis])), 0) / a.length;
}
