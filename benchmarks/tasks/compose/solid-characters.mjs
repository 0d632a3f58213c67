/** Closed meshes with a skeleton inside, and the poses that say how far their joints turn. */
import { readFileSync } from 'node:fs';
import { readBvh, readObj } from '@pelt/io';
import { placeSkeleton } from '@pelt/skin';
import { closingHand } from '../volume/closing-hand.mjs';
import { ARMADILLO, HAND } from '../volume/landmarks.mjs';

const DANCE = 'motion/cmu-dance.bvh';
const FILES = { armadillo: 'closed/armadillo.obj', hand: 'closed/hand_closed.obj' };
/** Every so many frames of the capture. */
const STEP = 8;
const CLOSING = 30;

export const needs = [DANCE, ...Object.values(FILES)];

/** Mesh, bones, and a clip of them. */
export function solidCharacter(context, name) {
  const mesh = readObj(readFileSync(context.data(FILES[name])), { name });
  if (name === 'hand') {
    const { bones, poses } = closingHand(HAND, CLOSING);
    return { mesh, bones, clip: clipOf('close', poses) };
  }
  const motion = readBvh(readFileSync(context.data(DANCE)), { name: 'dance' });
  const { bones, clip } = placeSkeleton({ motion, landmarks: new Map(Object.entries(ARMADILLO)) });
  const size = 12 * bones.length;
  const S = Math.floor(clip.times.length / STEP);
  const poses = Array.from({ length: S }, (_, t) => clip.transforms.slice(t * STEP * size, t * STEP * size + size));
  return { mesh, bones, clip: clipOf('dance', poses) };
}

function clipOf(name, poses) {
  const transforms = new Float64Array(poses.length * poses[0].length);
  poses.forEach((pose, t) => {
    transforms.set(pose, t * pose.length);
  });
  return { name, times: Float64Array.from(poses, (_, t) => t / 15), transforms };
}
