/** A captured motion as performer and as character, through a pairs document as users write one. */
import { readFileSync } from 'node:fs';
import { clipFromSkeleton, jointPositions, readBvh } from '@pelt/io';
import { Random } from '@pelt/math';
import { jointsAt } from '@pelt/model';
import { resolvePairs } from '@pelt/skin';
import { stickRig } from '@pelt/testkit';

/**
 * How another performer differs: lengths of limbs by the names of their joints, place, heading, and the tracker's noise,
 * which is that of the recorded MediaPipe landmarks: the median of their joints, from second differences.
 */
const OTHER = {
  lengths: [
    [/shoulder|arm|elbow|wrist|hand|finger|thumb/i, 1.15],
    [/hip|leg|knee|ankle|foot|toe/i, 0.9],
  ],
  degrees: 110,
  /** Of the height. */
  shift: [1.5, 0, -0.8],
  noise: 0.002,
};

/**
 * @returns rig; motion: the performer's joints; poses: the character's pose in every frame, in place
 */
export function captureOf(context, name) {
  const skeleton = withoutFirst(readBvh(readFileSync(context.data(`motion/cmu-${name}.bvh`)), { name }));
  const { bones, clip } = clipFromSkeleton(skeleton);
  const rig = stickRig(name, bones);
  const motion = jointPositions(skeleton);
  return { name, skeleton, rig, motion, poses: posesInPlace(rig, clip, motion) };
}

/** The first frame of these files is a pose for the camera, not of the motion. */
function withoutFirst(skeleton) {
  const J = skeleton.joints.length;
  return {
    ...skeleton,
    times: skeleton.times.slice(1),
    rotations: skeleton.rotations.slice(4 * J),
    translations: skeleton.translations.slice(3 * J),
  };
}

/** Every frame as a pair: what the document makes of a clip's frame is what a puppet can be asked for. */
function posesInPlace(rig, clip, motion) {
  const pairs = Array.from(motion.times, (time, t) => ({
    name: `${t}`,
    performer: { time },
    character: { clip: clip.name, time },
  }));
  const document = { name: rig.name, neutral: '0', motions: {}, pairs };
  const registration = resolvePairs({ document, sources: { rig, clips: [clip], motions: new Map(), played: motion } });
  return registration.pairs.map(({ character }) => character.transforms);
}

/** The pairs of some frames. */
export function registrationOf({ name, motion, poses }, frames) {
  return {
    name,
    joints: motion.joints,
    neutral: 0,
    pairs: frames.map((t) => ({ name: `${t}`, performer: jointsAt(motion, t), character: { transforms: poses[t] } })),
  };
}

/** The same performance by somebody of other proportions, elsewhere, turned, and seen by a noisy tracker. */
export function byAnotherPerformer({ skeleton, motion }) {
  const scaled = (name, offset) => {
    const [, scale] = OTHER.lengths.find(([pattern]) => pattern.test(name)) ?? [undefined, 1];
    return offset?.map((value) => scale * value);
  };
  const other = jointPositions({
    ...skeleton,
    joints: skeleton.joints.map((joint) => ({
      ...joint,
      offset: scaled(joint.name, joint.offset),
      ...(joint.tip && { tip: scaled(joint.name, joint.tip) }),
    })),
  });
  const height = heightOf(motion);
  const random = new Random(8);
  const angle = (OTHER.degrees * Math.PI) / 180;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const positions = new Float32Array(other.positions.length);
  for (let k = 0; k < positions.length; k += 3) {
    const [x, y, z] = other.positions.subarray(k, k + 3);
    [c * x + s * z, y, -s * x + c * z].forEach((value, axis) => {
      positions[k + axis] = value + height * (OTHER.shift[axis] + OTHER.noise * random.normal());
    });
  }
  return { ...other, positions };
}

/** Of the first pose. */
export function heightOf(motion) {
  const heights = jointsAt(motion, 0).filter((_, k) => k % 3 === 1);
  return Math.max(...heights) - Math.min(...heights);
}
