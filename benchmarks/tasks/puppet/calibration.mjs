/**
 * Known motion as a tilted camera sees it: landmarks of captured people with noise, after two seconds of standing. Heading,
 * lean, knees and limbs of a humanoid, beside its pose by the same landmarks as they were; and beside those without calibration.
 */
import { readFileSync } from 'node:fs';
import { jointPositions, MEDIAPIPE_JOINTS, readBvh } from '@pelt/io';
import { Random } from '@pelt/math';
import { jointsAt } from '@pelt/model';
import { calibratePerformer, createPuppet, recogniseHumanoid, suggestNeutral, uprightMotion } from '@pelt/skin';
import { characterOf, originOf } from './follow.mjs';

const MOTIONS = ['walk', 'jump', 'dance', '08_01', '16_17'];
export const needs = [...MOTIONS.map((name) => `motion/cmu-${name}.bvh`), 'gltf/Soldier.glb'];

/** Metres of noise; degrees by which the camera looks down, and by which the performer first faces away from it. */
const NOISE = 0.01;
const PITCH = 18;
const YAW = -47;
const FPS = 30;
const STANDS = 2;
/** Cosine of the largest lean of a pelvis with a heading. */
const UPRIGHT = Math.SQRT1_2;
/** Times the noise across the line of sight, along it. */
const DEEP = 4;

export async function measure(context) {
  const places = MOTIONS.map((name) => [name, `landmarks of a ${name}`]).filter(([, place]) => context.wants(place));
  if (places.length === 0) return [];
  const rig = await characterOf(context, 'Soldier');
  return places.flatMap(([name, place]) => {
    context.log(place);
    const known = performanceOf(context, name);
    const exact = asLandmarks(known, 0, [0, 0]);
    const truth = posesOf(rig, exact, known, { neutral: jointsAt(exact, 0), facing: 0 }, { delay: 0 });
    const seen = asLandmarks(known, NOISE, [PITCH, YAW]);
    const found = calibratePerformer(seen);
    const { motion, calibration } = uprightMotion(seen, found);
    const with_ = posesOf(rig, motion, known, { calibration, camera: 'picture' }, {});
    const without = posesOf(rig, seen, known, { neutral: suggestNeutral(seen) }, {});
    const [ours, plain] = [with_, without].map((poses) => errorsOf(rig, poses, truth));
    const deep = uprightMotion(asLandmarks(known, NOISE, [PITCH, YAW], DEEP), found);
    const [kept, free] = [true, false].map((prior) => {
      const data = { calibration: deep.calibration, camera: 'picture' };
      return errorsOf(rig, posesOf(rig, deep.motion, known, data, { prior }), truth).limbs;
    });
    const row = (metric, key, target) => ({
      case: place,
      metric,
      value: ours[key],
      unit: '°',
      reference: plain[key],
      referenceName: 'without calibration',
      target,
    });
    return [
      row('heading error', 'yaw', 'value <= 3'),
      row('lean error', 'lean', 'value <= 2'),
      row('knee error', 'knees', 'value <= 5'),
      row('limb direction error', 'limbs', 'value <= 5'),
      {
        case: place,
        metric: 'limb direction error, depth four times as noisy',
        value: kept,
        unit: '°',
        reference: free,
        referenceName: 'without the prior of a body',
        target: 'ratio < 1',
      },
    ];
  });
}

/** A capture at the camera's rate without its reference pose, after two seconds in its most upright frame. */
export function performanceOf(context, name) {
  const whole = jointPositions(readBvh(readFileSync(context.data(`motion/cmu-${name}.bvh`)), { name }));
  const J = whole.joints.length;
  const step = Math.round(1 / (FPS * (whole.times[1] - whole.times[0])));
  const frames = Array.from(whole.times.keys()).filter((t) => t > 0 && t % step === 0);
  const held = Math.round(STANDS * FPS);
  const standing = Float32Array.from(suggestNeutral(whole, { limit: 30 }));
  const metres = 1.7 / (Math.max(...heights(standing)) - Math.min(...heights(standing)));
  const [l, r] = ['leftHip', 'rightHip'].map((joint) => 3 * whole.joints.indexOf(joint));
  const heading = Math.atan2(-(standing[l + 2] - standing[r + 2]), standing[l] - standing[r]);
  const turned = (points) =>
    rotateY(
      points.map((value) => metres * value),
      -heading,
    );
  const poses = [...Array(held).fill(standing), ...frames.map((t) => jointsAt(whole, t))].map(turned);
  const positions = new Float32Array(poses.length * 3 * J);
  for (const [t, pose] of poses.entries()) positions.set(pose, 3 * J * t);
  return {
    name,
    joints: whole.joints,
    positions,
    confidence: new Float32Array(poses.length * J).fill(1),
    times: Float64Array.from(poses, (_, t) => t / FPS),
  };
}

const heights = (points) => points.filter((_, k) => k % 3 === 1);

/** The 33 points that a tracker would give, from the middle of the hips, tilted, turned and with noise. */
export function asLandmarks(known, noise, angles, depth = 1) {
  const random = new Random(5);
  const stand = { Heel: 'Ankle', Index: 'Hand', Pinky: 'Hand', Thumb: 'Hand' };
  const sources = MEDIAPIPE_JOINTS.map((joint) => {
    const at = known.joints.indexOf(joint);
    const other = Object.keys(stand).find((word) => joint.endsWith(word));
    if (at >= 0) return at;
    return known.joints.indexOf(other ? joint.replace(other, stand[other]) : 'head');
  });
  const S = known.times.length;
  const [pitch, yaw] = angles.map((degrees) => (degrees * Math.PI) / 180);
  const positions = new Float32Array(S * MEDIAPIPE_JOINTS.length * 3);
  const [l, r] = ['leftHip', 'rightHip'].map((joint) => 3 * known.joints.indexOf(joint));
  for (let t = 0; t < S; t++) {
    const pose = jointsAt(known, t);
    sources.forEach((j, k) => {
      const apart = [0, 1, 2].map((axis) => pose[3 * j + axis] - (pose[l + axis] + pose[r + axis]) / 2);
      const [x, y, z] = rotateY(apart, yaw);
      const [c, s] = [Math.cos(pitch), Math.sin(pitch)];
      const tilted = [x, c * y - s * z, s * y + c * z];
      for (let axis = 0; axis < 3; axis++) {
        positions[3 * (t * MEDIAPIPE_JOINTS.length + k) + axis] =
          tilted[axis] + noise * (axis === 2 ? depth : 1) * random.normal();
      }
    });
  }
  const confidence = new Float32Array(S * MEDIAPIPE_JOINTS.length).fill(1);
  return { name: known.name, joints: MEDIAPIPE_JOINTS, positions, confidence, times: known.times, camera: 'picture' };
}

function rotateY(points, angle) {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return points.map((_, k) => {
    const j = k - (k % 3);
    return k % 3 === 0
      ? c * points[j] + s * points[j + 2]
      : k % 3 === 1
        ? points[k]
        : -s * points[j] + c * points[j + 2];
  });
}

function posesOf(rig, motion, known, data, options) {
  const puppet = createPuppet({ character: rig, performer: motion.joints, ...data }, { travel: 0, ...options });
  return Array.from(known.times, (time, t) => puppet.update(jointsAt(motion, t), time).transforms.slice());
}

/** Means over the frames after standing, in degrees. */
function errorsOf({ bones, name }, poses, truths) {
  const { pelvis, spine, arms, legs } = recogniseHumanoid(bones, name);
  const chest = spine.at(-1) ?? pelvis;
  const axes = (pose, bone) => [0, 4, 8].map((row) => [0, 1, 2].map((c) => pose[12 * bone + row + c]));
  const sum = { yaw: 0, lean: 0, knees: 0, limbs: 0 };
  const from = Math.round(STANDS * FPS);
  let upright = 0;
  for (let t = from; t < poses.length; t++) {
    const [a, b] = [poses[t], truths[t]];
    const [p, q] = [axes(a, pelvis), axes(b, pelvis)];
    const yaw = Math.atan2(p[0][2], p[2][2]) - Math.atan2(q[0][2], q[2][2]);
    // A pelvis that lies has no heading.
    if (q[1][1] > UPRIGHT) {
      sum.yaw += Math.abs(Math.atan2(Math.sin(yaw), Math.cos(yaw)));
      upright++;
    }
    const up = (pose) => axes(pose, chest).map((row) => row[1]);
    sum.lean += Math.abs(Math.acos(clamp(up(a)[1])) - Math.acos(clamp(up(b)[1])));
    for (const limb of legs) sum.knees += Math.abs(kneeOf(bones, a, limb) - kneeOf(bones, b, limb)) / 2;
    for (const { upper, lower, end } of [...arms, ...legs]) {
      for (const [i, j] of [
        [upper, lower],
        [lower, end],
      ]) {
        sum.limbs += angle(segment(bones, a, i, j), segment(bones, b, i, j)) / 8;
      }
    }
  }
  const scale = 180 / Math.PI / (poses.length - from);
  sum.yaw *= (poses.length - from) / upright;
  return Object.fromEntries(Object.entries(sum).map(([key, value]) => [key, value * scale]));
}

const clamp = (x) => Math.min(1, Math.max(-1, x));

function segment(bones, pose, i, j) {
  const [a, b] = [originOf(bones[i], pose, i), originOf(bones[j], pose, j)];
  return b.map((value, k) => value - a[k]);
}

function kneeOf(bones, pose, { upper, lower, end }) {
  return angle(segment(bones, pose, upper, lower), segment(bones, pose, lower, end));
}

function angle(a, b) {
  return Math.acos(clamp(a.reduce((sum, value, k) => sum + value * b[k], 0) / (Math.hypot(...a) * Math.hypot(...b))));
}
