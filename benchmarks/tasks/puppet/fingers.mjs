/**
 * Fingers of one character's animation on others, from every format that has them: the direction of each of their bones in
 * the palm, beside the performer's.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fbxToGlb, readGltfMotion, readMotion } from '@pelt/io';
import { jointsAt } from '@pelt/model';
import { createPuppet, recogniseHumanoid, suggestNeutral } from '@pelt/skin';
import { peltOf, runCommand } from '../../harness/run-command.mjs';
import { originOf, rigOf } from './follow.mjs';

const PERFORMER = 'gltf/Soldier.glb';
/** What `pelt convert` makes of the performer. */
const FORMATS = ['glb', 'bvh', 'fbx', 'vrma'];
const CHARACTERS = ['gltf/Soldier.glb', 'rigs/human-male.glb', 'gltf/cryptovoxels.vrm'];
export const needs = [...new Set([PERFORMER, ...CHARACTERS])];

/** Names of the joints of a finger in the three files, from the knuckle on. */
const FINGERS = ['Index', 'Middle', 'Ring'];
const NAMES = {
  'gltf/Soldier.glb': (side, finger, k) => `mixamorig:${side}Hand${finger}${k}`,
  'rigs/human-male.glb': (side, finger, k) => `${finger.toLowerCase()}_0${k}_${side[0].toLowerCase()}`,
  'gltf/cryptovoxels.vrm': (side, finger, k) => `${finger === 'Pinky' ? 'Little' : finger}Finger${k}_${side[0]}`,
};

export async function measure(context) {
  const rows = [];
  const [from, exact] = [PERFORMER, await readGltfMotion(readFileSync(context.data(PERFORMER)), { name: PERFORMER })];
  for (const format of FORMATS) {
    for (const to of CHARACTERS) {
      const place = `fingers of ${stem(from)}, ${format}, on ${stem(to)}`;
      if (from === to || !context.wants(place)) continue;
      context.log(place);
      const character = await rigOf(context, to);
      const motion = await motionAs(context, format);
      const puppet = createPuppet(
        { character, performer: motion.joints, neutral: suggestNeutral(motion) },
        { delay: 0, travel: 0 },
      );
      const still = createPuppet(
        { character, performer: motion.joints.filter(isBody), neutral: undefined },
        { delay: 0, travel: 0 },
      );
      const body = motion.joints.flatMap((name, j) => (isBody(name) ? [j] : []));
      let [moved, unmoved, count] = [0, 0, 0];
      for (let t = 0; t < motion.times.length; t += 4) {
        const joints = jointsAt(motion, t);
        const own = performerDirections(exact, jointsAt(exact, nearest(exact.times, motion.times[t])), from);
        const poses = [
          puppet.update(joints, motion.times[t]).transforms,
          still.update(Float32Array.from(body.flatMap((j) => [...joints.subarray(3 * j, 3 * j + 3)])), motion.times[t])
            .transforms,
        ];
        const [ours, plain] = poses.map((pose) => characterDirections(character, pose, to));
        own.forEach((direction, k) => {
          moved += angle(ours[k], direction);
          unmoved += angle(plain[k], direction);
          count++;
        });
      }
      const degrees = 180 / Math.PI / count;
      rows.push({
        case: place,
        metric: 'direction of a bone of a finger in the palm',
        value: moved * degrees,
        unit: '°',
        reference: unmoved * degrees,
        referenceName: 'fingers at rest',
        target: 'value <= 5',
      });
    }
  }
  return rows;
}

/** The performer's first animation in a format, read as the command does. */
async function motionAs(context, format) {
  const file = context.data(PERFORMER);
  if (format === 'glb') return readGltfMotion(readFileSync(file), { name: file });
  const folder = mkdtempSync(join(tmpdir(), 'pelt-bench-'));
  try {
    const name = join(folder, `performer.${format}`);
    const pelt = peltOf(resolve(dirname(fileURLToPath(import.meta.url)), '../../..'));
    runCommand([...pelt, 'convert', file, '-o', name, '--quiet']);
    const bytes = readFileSync(name);
    if (format === 'bvh') return readMotion(bytes, { name });
    return readGltfMotion(format === 'fbx' ? await fbxToGlb(bytes, { name }) : bytes, { name });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The frame next to a time. */
const nearest = (times, time) =>
  times.reduce((best, other, t) => (Math.abs(other - time) < Math.abs(times[best] - time) ? t : best), 0);

const stem = (file) => file.split('/')[1].split('.')[0];
const isBody = (name) => !/thumb|index|middle|ring|pinky|little/i.test(name);

/** Directions of the bones of fingers, each in the axes of its palm: along, from the wrist; across; and out of it. */
function directionsOf(at) {
  return ['Left', 'Right'].flatMap((side) => {
    const [wrist, first, last] = [at(side), at(side, 'Index', 1), at(side, 'Pinky', 1)];
    const along = unit(between(wrist, middle(first, last)));
    const out = unit(cross(along, between(last, first)));
    const axes = [along, cross(out, along), out];
    return FINGERS.flatMap((finger) => {
      const points = [1, 2, 3].map((k) => at(side, finger, k));
      if (points.includes(undefined)) return [];
      const bones = [between(points[0], points[1]), between(points[1], points[2])];
      return bones.map((bone) => axes.map((axis) => dot(axis, bone)));
    });
  });
}

function performerDirections(motion, joints, file) {
  const place = (name) => {
    const j = motion.joints.indexOf(name);
    return j < 0 ? undefined : [...joints.subarray(3 * j, 3 * j + 3)];
  };
  return directionsOf((side, finger, k) => {
    const lower = side.toLowerCase();
    if (!finger) return place(`${lower}Wrist`);
    return place(NAMES[file](side, finger, k)) ?? (k === 1 && finger === 'Index' ? place(`${lower}Hand`) : undefined);
  });
}

function characterDirections(rig, pose, file) {
  const { arms } = recogniseHumanoid(rig.bones, rig.name);
  return directionsOf((side, finger, k) => {
    const wrist = arms[side === 'Left' ? 0 : 1].end;
    const j = finger ? rig.bones.findIndex(({ name }) => name === NAMES[file](side, finger, k)) : wrist;
    return j < 0 ? undefined : originOf(rig.bones[j], pose, j);
  });
}

const between = (a, b) => b.map((value, k) => value - a[k]);

const middle = (a, b) => a.map((value, k) => (value + b[k]) / 2);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const unit = (a) => a.map((value) => value / Math.hypot(...a));
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const angle = (a, b) => Math.acos(Math.min(1, Math.max(-1, dot(unit(a), unit(b)))));
