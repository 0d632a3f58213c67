/** What is measured of a performance: directions of limbs, jitter, steps, and feet that slide. */
import { readFileSync } from 'node:fs';
import { readGltf, readMotion, readRig } from '@pelt/io';
import { jointsAt } from '@pelt/model';
import { fillGaps } from '@pelt/skin';
import { Soles } from './soles.mjs';

const SIDES = ['left', 'right'];
const LIMBS = SIDES.flatMap((side) =>
  [
    ['Shoulder', 'Elbow'],
    ['Elbow', 'Wrist'],
    ['Hip', 'Knee'],
    ['Knee', 'Ankle'],
  ].map((limb) => limb.map((place) => side + place)),
);
const JOINTS = [...new Set(LIMBS.flat())];
/** A foot stands while its ankle or toes move slower than this, in leg lengths per second, near their lowest height. */
const STANDS = { speed: 0.2, height: 0.1 };

export function characterOf(context, name) {
  return rigOf(context, `gltf/${name}.glb`);
}

export async function rigOf(context, file) {
  return readRig(await readGltf(readFileSync(context.data(file)), { name: file })).rig;
}

/** A recording; the first frame of the captures is a pose for the camera, not of the motion. */
export function recordingOf(context, file) {
  const read = readMotion(readFileSync(context.data(`motion/${file}`)), { name: file, fps: 30 });
  const { motion } = fillGaps(read);
  if (!file.startsWith('cmu')) return motion;
  const J = motion.joints.length;
  return {
    ...motion,
    times: motion.times.slice(1).map((time) => time - motion.times[1]),
    positions: motion.positions.slice(3 * J),
    confidence: motion.confidence.slice(J),
  };
}

/** S poses of a puppet. */
export function play(puppet, motion, step = 1) {
  puppet.reset();
  const J = motion.joints.length;
  const poses = [];
  for (let t = 0; t < motion.times.length; t += step) {
    const confidence = motion.confidence.subarray(t * J, (t + 1) * J);
    poses.push(puppet.update(jointsAt(motion, t), motion.times[t], confidence).transforms.slice());
  }
  return poses;
}

/** Where a pose carries the origin of a bone. */
export function originOf({ rest }, pose, j) {
  return [0, 4, 8].map((row) => {
    const [x, y, z, t] = pose.subarray(12 * j + row, 12 * j + row + 4);
    return x * rest[3] + y * rest[7] + z * rest[11] + t;
  });
}

/**
 * Means over a performance, of limbs in degrees; jitter (mean second difference) and the largest step of the limbs' joints,
 * relative to the length of an arm and a leg; and the mean speed of feet that stand, in % of the height per second, at the
 * joint that stands and at the sole.
 *
 * @param bones  index of a bone by the name of a body joint
 */
export function measureFollowing(rig, bones, poses, motion) {
  const S = poses.length;
  const rate = (S - 1) / motion.times[S - 1];
  const character = {
    at: (t, name) => originOf(rig.bones[bones[name]], poses[t], bones[name]),
    has: (name) => bones[name] >= 0,
    rest: (name) => originOf(rig.bones[bones[name]], identity(rig.bones.length), bones[name]),
  };
  const performer = {
    at: (t, name) => [
      ...jointsAt(motion, t)
        .subarray(3 * motion.joints.indexOf(name))
        .subarray(0, 3),
    ],
    has: (name) => motion.joints.includes(name),
  };
  const both = (name) => character.has(name) && performer.has(name);
  const chain = (at, names) => names.slice(1).reduce((sum, name, k) => sum + length(sub(at(name), at(names[k]))), 0);
  const legOf = (at) => chain(at, ['leftHip', 'leftKnee', 'leftAnkle']);
  const limbsOf = (at) => legOf(at) + chain(at, ['leftShoulder', 'leftElbow', 'leftWrist']);
  const leg = legOf((name) => performer.at(0, name));
  const turn = turnBetween(performer, character);
  let [angle, trunk] = [0, 0];
  const limbs = LIMBS.filter((limb) => limb.every(both));
  for (let t = 0; t < S; t++) {
    for (const [a, b] of limbs) {
      const [own, theirs] = [character, performer].map(({ at }) => sub(at(t, b), at(t, a)));
      angle += degreesBetween(own, turn(theirs)) / limbs.length;
    }
    const [own, theirs] = [character, performer].map(({ at }) => trunkOf((name) => at(t, name)));
    trunk += degreesBetween(own, turn(theirs));
  }
  const joints = JOINTS.filter(both);
  const [out, input] = [
    unsteadiness(character.at, joints, S, limbsOf(character.rest)),
    unsteadiness(
      performer.at,
      joints,
      S,
      limbsOf((name) => performer.at(0, name)),
    ),
  ];
  const heights = rig.mesh.positions.filter((_, k) => k % 3 === 1);
  const floor = heights.reduce((low, y) => Math.min(low, y), Infinity);
  const height = heights.reduce((high, y) => Math.max(high, y), -Infinity) - floor;
  const soles = new Soles(rig, floor, height);
  const speed = (100 * rate) / height;
  let [slid, solesSlid, stood] = [0, 0, 0];
  for (const [t, name, ankle] of standing(performer, both, S, rate, leg)) {
    const [x, , z] = sub(character.at(t, name), character.at(t - 1, name));
    slid += speed * Math.hypot(x, z);
    solesSlid += speed * soles.slide(bones[ankle], poses[t - 1], poses[t]);
    stood++;
  }
  return {
    limbs: angle / S,
    trunk: trunk / S,
    jitter: out.jitter / input.jitter,
    step: out.step / input.step,
    slide: stood > 0 ? slid / stood : 0,
    soles: stood > 0 ? solesSlid / stood : 0,
    stood,
  };
}

function identity(bones) {
  return Float64Array.from({ length: 12 * bones }, (_, k) => Number((k % 12) % 5 === 0));
}

const sub = (a, b) => a.map((value, k) => value - b[k]);
const length = (a) => Math.hypot(...a);

function degreesBetween(a, b) {
  const dot = a.reduce((sum, value, k) => sum + value * b[k], 0) / (length(a) * length(b));
  return (180 / Math.PI) * Math.acos(Math.min(1, Math.max(-1, dot)));
}

function trunkOf(at) {
  const [a, b, c, d] = ['leftShoulder', 'rightShoulder', 'leftHip', 'rightHip'].map(at);
  return a.map((value, k) => value + b[k] - c[k] - d[k]);
}

/** The rotation about +Y from the performer's first heading to the character's at rest. */
function turnBetween(performer, character) {
  const heading = (at) => {
    const [a, b, c, d] = ['leftShoulder', 'rightShoulder', 'leftHip', 'rightHip'].map(at);
    return Math.atan2(-(a[2] - b[2] + c[2] - d[2]), a[0] - b[0] + c[0] - d[0]);
  };
  const angle = heading(character.rest) - heading((name) => performer.at(0, name));
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return ([x, y, z]) => [c * x + s * z, y, -s * x + c * z];
}

function unsteadiness(at, joints, S, unit) {
  let [jitter, step] = [0, 0];
  for (const name of joints) {
    let [a, b] = [at(0, name), at(1, name)];
    for (let t = 2; t < S; t++) {
      const c = at(t, name);
      jitter += length(c.map((value, k) => value - 2 * b[k] + a[k])) / unit;
      step = Math.max(step, length(sub(c, b)) / unit);
      [a, b] = [b, c];
    }
  }
  return { jitter: jitter / (joints.length * (S - 2)), step };
}

/**
 * Frames in which a foot of the performer stands: [frame, the joint it stands on (the slower of ankle and toes), its ankle].
 */
function standing(performer, both, S, rate, leg) {
  return SIDES.flatMap((side) => {
    const names = [`${side}Ankle`, `${side}Toes`].filter(both);
    const lowest = names.map((name) => Math.min(...Array.from({ length: S }, (_, t) => performer.at(t, name)[1])));
    const frames = [];
    for (let t = 1; t < S; t++) {
      const speeds = names.map((name) => (rate * length(sub(performer.at(t, name), performer.at(t - 1, name)))) / leg);
      const slowest = speeds.indexOf(Math.min(...speeds));
      const high = (performer.at(t, names[slowest])[1] - lowest[slowest]) / leg;
      if (speeds[slowest] < STANDS.speed && high < STANDS.height) frames.push([t, names[slowest], names[0]]);
    }
    return frames;
  });
}
