/** Four feet that people drive: how fast the dog's paws slide while they are on the ground, walking and running. */
import { createPuppet } from '@pelt/skin';
import { dogCharacter } from '@pelt/testkit';
import { play, recordingOf } from './follow.mjs';

/** Captured walks at two paces, a strut, and a run. */
const CLIPS = ['cmu-08_01.bvh', 'cmu-16_17.bvh', 'cmu-walk.bvh', 'cmu-run.bvh'];
export const needs = CLIPS.map((file) => `motion/${file}`);
/** Height above the ground, relative to the dog's, below which a paw is on it; and seconds before it counts. */
const LOW = 0.03;
const STARTS = 0.2;

export async function measure(context) {
  const dog = dogCharacter(0.06);
  return CLIPS.flatMap((file) => {
    const place = `dog, ${file}`;
    if (!context.wants(place)) return [];
    context.log(place);
    const motion = recordingOf(context, file);
    const [value, reference] = ['auto', 'none'].map((contacts) => slideOf(dog, motion, contacts));
    return {
      case: place,
      metric: 'paw slide',
      value,
      unit: 'heights per second',
      reference,
      referenceName: 'without contacts',
      target: 'value <= 0.15',
    };
  });
}

function slideOf({ rig, registration }, motion, contacts) {
  const puppet = createPuppet(
    { character: rig, pairs: registration, performer: motion.joints },
    { delay: 0, contacts },
  );
  const paws = solesOf(rig);
  const heights = rig.mesh.positions.filter((_, k) => k % 3 === 1);
  const floor = Math.min(...heights);
  const height = Math.max(...heights) - floor;
  const poses = play(puppet, motion);
  const rate = (poses.length - 1) / motion.times[poses.length - 1];
  let [slid, count] = [0, 0];
  for (let t = 1; t < poses.length; t++) {
    if (motion.times[t] < STARTS) continue;
    for (const { bone, point } of paws) {
      const [a, b] = [poses[t - 1], poses[t]].map((pose) => carry(pose, bone, point));
      if (Math.max(a[1], b[1]) > floor + LOW * height) continue;
      slid += (rate * Math.hypot(a[0] - b[0], a[2] - b[2])) / height;
      count++;
    }
  }
  return slid / count;
}

/** Of each paw, the mean of its lowest vertices. */
function solesOf({ bones, mesh: { positions }, weights }) {
  return bones.flatMap(({ name }, bone) => {
    if (!name.endsWith(' foot')) return [];
    const carried = Array.from({ length: positions.length / 3 }, (_, i) => i).filter((i) => {
      const row = Array.from(weights.weights.subarray(i * weights.slots, (i + 1) * weights.slots));
      return weights.bones[i * weights.slots + row.indexOf(Math.max(...row))] === bone;
    });
    const low = Math.min(...carried.map((i) => positions[3 * i + 1]));
    const sole = carried.filter((i) => positions[3 * i + 1] < low + 0.01);
    return { bone, point: [0, 1, 2].map((k) => sole.reduce((sum, i) => sum + positions[3 * i + k], 0) / sole.length) };
  });
}

function carry(pose, bone, [x, y, z]) {
  return [0, 4, 8].map((row) => {
    const [a, b, c, d] = pose.subarray(12 * bone + row, 12 * bone + row + 4);
    return a * x + b * y + c * z + d;
  });
}
