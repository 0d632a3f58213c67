/** Times of a projection, of a whole update, and of five minutes of capture from the file to the GLB. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMotion, writePairs, writeSkinnedGlb } from '@pelt/io';
import { Random } from '@pelt/math';
import { jointsAt, poseFromJoints } from '@pelt/model';
import { createPuppet, pairsToDocument, suggestKeyPoses } from '@pelt/skin';
import { dogCharacter, PERFORMER_JOINTS, performerPose, stickRig } from '@pelt/testkit';
import { median } from '../../harness/measure.mjs';
import { peltOf, runCommand } from '../../harness/run-command.mjs';

const RECORDING = 'motion/mediapipe33-a.csv';
const DANCE = 'motion/cmu-dance.bvh';
export const needs = [RECORDING, DANCE];

const PAIRS = 23;
/** Calls that are timed at once: long enough for the clock, short enough not to be interrupted on a busy machine. */
const REPEATS = 10;
/** Many runs: each is short. */
const SHORT = { runs: 101, warmMilliseconds: 300, milliseconds: 2000, maxRuns: 1001 };
/** Runs of the whole command. */
const RUNS = 3;

export async function measure(context) {
  const motion = readMotion(readFileSync(context.data(RECORDING)), { name: RECORDING });
  const keys = suggestKeyPoses(motion, { count: PAIRS });
  return [
    ...(await projections(context, motion, keys)),
    ...updates(context, motion, keys),
    ...allocation(context),
    ...(await longPerformance(context)),
  ];
}

/**
 * An update of one bone is little more than its projection: positions of all 33 landmarks, 99 numbers a pose, onto 23
 * examples. The rival solves the same kind of problem on the same landmarks as a quadratic programme.
 */
async function projections(context, motion, keys) {
  const { solveByProgramme } = await context.twin('packages/skin/test/puppet/quadratic-programme.ts');
  const frames = Array.from(motion.times, (_, t) => jointsAt(motion, t));
  const rest = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
  const bones = [{ name: 'bone', parent: -1, rest }];
  const pairs = {
    name: 'one bone',
    joints: motion.joints,
    neutral: 0,
    pairs: keys.map((t) => ({
      name: `frame ${t}`,
      performer: frames[t],
      character: poseFromJoints(bones, { bone: { degrees: [t % 90, 0, 0] } }),
    })),
  };
  const options = { joints: 'all', features: 'positions', delay: 0, travel: 0, turn: false };
  const examples = keys.map((t) => [...frames[t]]);
  const lambda = 0.05 * spacingOf(examples);
  return [
    ['linear', undefined],
    ['positive', false],
    ['l1', true],
  ].flatMap(([projection, split]) => {
    const name = `update, one bone, ${projection} projection`;
    if (!context.wants(name)) return [];
    context.log(`${name}, ${keys.length} pairs of ${motion.joints.length} joints`);
    const puppet = createPuppet(
      { character: stickRig('one bone', bones), pairs, performer: motion.joints },
      { ...options, projection },
    );
    let t = 0;
    const value =
      context.medianTime(() => {
        for (let k = 0; k < REPEATS; k++, t++) puppet.update(frames[t % frames.length], t / 30);
      }, SHORT) / REPEATS;
    const row = { case: name, metric: 'time', value, unit: 'ms', target: 'value <= 0.05' };
    if (split === undefined) return row;
    const reference = context.medianTime(
      () => solveByProgramme(examples, [...frames[t++ % frames.length]], lambda, split),
      { warmMilliseconds: SHORT.warmMilliseconds },
    );
    return { ...row, reference, referenceName: 'dual active set (quadprog)' };
  });
}

/** Mean squared distance of an example from the nearest other. */
function spacingOf(examples) {
  const apart = (a, b) => a.reduce((sum, value, d) => sum + (value - b[d]) ** 2, 0);
  const nearest = examples.map((a) => Math.min(...examples.filter((b) => b !== a).map((b) => apart(a, b))));
  return nearest.reduce((sum, value) => sum + value, 0) / nearest.length;
}

/** A character of sixty bones, five to a limb. */
function manyBones() {
  const random = new Random(6);
  const bones = Array.from({ length: 60 }, (_, j) => {
    const parent = j === 0 ? -1 : j % 5 === 1 ? 0 : j - 1;
    const [x, y, z] = j === 0 ? [0, 1, 0] : [0, 0, 0].map(() => 0.3 * random.normal());
    return { name: `bone ${j}`, parent, at: [x, y, z] };
  });
  const origins = [];
  for (const { parent, at } of bones) origins.push(at.map((value, k) => value + (parent < 0 ? 0 : origins[parent][k])));
  return bones.map(({ name, parent }, j) => {
    const [x, y, z] = origins[j];
    return { name, parent, rest: Float64Array.of(1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z) };
  });
}

function updates(context, motion, keys) {
  const bones = manyBones();
  const random = new Random(7);
  const pairs = {
    name: 'many',
    joints: motion.joints,
    neutral: 0,
    pairs: keys.map((t) => {
      const turn = () => 25 * random.normal();
      const joints = Object.fromEntries(bones.map(({ name }) => [name, { degrees: [turn(), turn(), turn()] }]));
      return { name: `frame ${t}`, performer: jointsAt(motion, t), character: poseFromJoints(bones, joints) };
    }),
  };
  const rig = stickRig('many', bones);
  const cases = [
    ['whole', {}],
    ['limbs, contacts, springs', { parts: 'limbs', contacts: 'auto', loose: ['bone 3', 'bone 8'] }],
    ['linear blending', { interpolation: 'linear' }],
  ];
  return cases.flatMap(([name, options]) => {
    const place = `update, 60 bones, ${name}`;
    if (!context.wants(place)) return [];
    context.log(place);
    const puppet = createPuppet({ character: rig, pairs, performer: motion.joints }, { joints: 'all', ...options });
    let t = 0;
    const value =
      context.medianTime(() => {
        for (let k = 0; k < REPEATS; k++, t++) puppet.update(jointsAt(motion, t % motion.times.length), t / 30);
      }, SHORT) / REPEATS;
    return { case: place, metric: 'time', value, unit: 'ms', target: 'value <= 0.2' };
  });
}

/** What an update leaves for the collector, once it is compiled: numbers that the engine boxes, and nothing else. */
function allocation(context) {
  const place = 'update, 22 bones';
  if (!context.wants(place)) return [];
  context.log(`memory of an ${place}`);
  const { rig, registration } = dogCharacter(0.1);
  const puppet = createPuppet({ character: rig, pairs: registration, performer: PERFORMER_JOINTS });
  const frames = Array.from({ length: 64 }, (_, t) =>
    performerPose({ leftShoulder: { degrees: [60 * Math.sin(t / 5), 0, 40] } }),
  );
  let t = 0;
  const run = (count) => {
    for (let k = 0; k < count; k++, t++) puppet.update(frames[t % 64], t / 60);
  };
  run(10_000);
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    const before = process.memoryUsage().heapUsed;
    run(4000);
    const grown = (process.memoryUsage().heapUsed - before) / 4000;
    if (grown >= 0) least = Math.min(least, grown);
  }
  return [{ case: place, metric: 'memory', value: least, unit: 'bytes', target: 'value <= 512' }];
}

/** The dance played forth and back for five minutes at 120 Hz, by the command itself. */
async function longPerformance(context) {
  const place = '5 minutes at 120 Hz';
  if (!context.wants(place)) return [];
  context.log(`${place}, from BVH to GLB`);
  const folder = mkdtempSync(join(tmpdir(), 'pelt-bench-'));
  try {
    const text = readFileSync(context.data(DANCE), 'latin1');
    const start = text.indexOf('MOTION');
    const rows = text
      .slice(start)
      .split(/\r?\n/)
      .slice(3)
      .filter((row) => row.trim() !== '');
    const S = 5 * 60 * 120;
    const long = Array.from({ length: S }, (_, t) => {
      const turn = t % (2 * rows.length - 2);
      return rows[turn < rows.length ? turn : 2 * rows.length - 2 - turn];
    });
    const { rig, registration } = dogCharacter(0.03);
    writeFileSync(
      join(folder, 'long.bvh'),
      `${text.slice(0, start)}MOTION\nFrames: ${S}\nFrame Time: ${1 / 120}\n${long.join('\n')}\n`,
    );
    writeFileSync(join(folder, 'dog.glb'), (await writeSkinnedGlb({ rig, clips: [] })).bytes);
    writeFileSync(join(folder, 'dog.json'), writePairs(pairsToDocument({ pairs: registration, bones: rig.bones })));
    const pelt = peltOf(resolve(dirname(fileURLToPath(import.meta.url)), '../../..'));
    const args = ['puppet', 'dog.glb', '--pairs', 'dog.json', '--motion', 'long.bvh', '-o', 'out.glb', '--quiet'];
    const runs = Array.from({ length: RUNS }, () => runCommand([...pelt, ...args], { cwd: folder }));
    const seconds = (kind) => ({ value: median(runs.map((run) => run[kind])), unit: 's' });
    return [
      { case: place, metric: 'BVH to GLB', ...seconds('wall'), target: 'value <= 20' },
      // On a busy machine the wall clock says little.
      { case: place, metric: 'processor time', ...seconds('processor') },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
