/**
 * Poses for a teacher to solve, so that a skin can learn from it: a first few at random, then one after the other where the
 * skin is expected to be worst.
 *
 * Joints act on the skin around them, so that one pose asks about every joint at once, and each takes the value that is
 * worst for itself. Around a solved value, what the skin misses grows with the distance to it: at the rate at which it
 * would miss that value if it had been left out (`LeftOutErrors`), over the distance to the nearest other one. The next
 * value is the one among random ones whose expected error, rate times distance of the nearest solved value, is largest.
 */
import { Random } from '@pelt/math';
import {
  checkCancelled,
  interruptible,
  type Rig,
  type Run,
  resolveOptions,
  UsageError,
  validateRig,
} from '@pelt/model';
import { JointRanges } from './joint-ranges.ts';
import { LeftOutErrors } from './left-out-errors.ts';
import { TEACH_DEFAULTS, type TeachOptions } from './options.ts';

/** Whoever knows the shape of a pose. */
export interface Teacher {
  /**
   * @param transforms  m × 12, rest → pose
   * @param out         n × 3; overwritten
   */
  solve(transforms: Float64Array, out: Float32Array): void;
}

/** Poses with their shapes. */
export interface TaughtPoses {
  /** S × m × 12; those that are left out come last */
  readonly transforms: Float64Array;
  /** S × n × 3 */
  readonly shapes: Float32Array;
  /** Numbers of the poses to learn from, and of those left out. */
  readonly train: readonly number[];
  readonly heldOut: readonly number[];
}

/** Poses at random before errors say more. */
const FIRST = 6;
/** Random values of a joint among which the worst is looked for. */
const TRIED = 24;
/** Every so many poses one is at random, lest the search look at the ends of the ranges alone. */
const RANDOM_EVERY = 3;
/** Values of a joint closer than this, in radians, count as this far apart. */
const LEAST_DISTANCE = 1e-2;

/**
 * Lets a teacher solve poses of a rig, drawn from the ranges that its joints have in given poses.
 *
 * @param data  the rig, n vertices and m bones, whose weights say which joints act where; poses of m × 12 each; the teacher
 *
 * @example
 * {@includeCode ../../examples/teach-poses.ts}
 */
export function teachPoses(
  { rig, poses, teacher }: { readonly rig: Rig; readonly poses: readonly Float64Array[]; readonly teacher: Teacher },
  options: Partial<TeachOptions> | undefined,
  run: Run,
): TaughtPoses {
  const resolved = resolveOptions('teachPoses', TEACH_DEFAULTS, options);
  validateRig(rig);
  for (const [key, least] of [
    ['poses', 1],
    ['heldOut', 0],
  ] as const) {
    if (Number.isInteger(resolved[key]) && resolved[key] >= least) continue;
    throw new UsageError(`teachPoses: ${key} is ${resolved[key]}; give a whole number from ${least} on`);
  }
  if (!(resolved.range >= 0 && resolved.range <= 180)) {
    throw new UsageError(`teachPoses: range is ${resolved.range}; give degrees from 0 to 180`);
  }
  const ranges = new JointRanges(rig.bones, poses, (resolved.range * Math.PI) / 180);
  if (!rig.bones.some((_, j) => ranges.moves(j))) {
    throw new UsageError('teachPoses: no joint moves in the given poses; give a range in degrees');
  }
  return interruptible(run, () => teach(rig, ranges, teacher, resolved, run));
}

function teach(rig: Rig, ranges: JointRanges, teacher: Teacher, options: TeachOptions, run: Run): TaughtPoses {
  const { poses: S, heldOut } = options;
  const total = S + heldOut;
  const m12 = 12 * ranges.m;
  const size = rig.mesh.positions.length;
  const transforms = new Float64Array(total * m12);
  const shapes = new Float32Array(total * size);
  const errors = new LeftOutErrors(rig);
  // What is left out must not depend on how many poses are learnt from.
  const [asking, testing] = [new Random(1), new Random(2)];
  for (let t = 0; t < total; t++) {
    checkCancelled(run);
    run.onProgress?.({ stage: 'solving poses', fraction: t / total, detail: `pose ${t + 1} of ${total}` });
    const isTest = t >= S;
    const joints = randomJoints(ranges, isTest ? testing : asking);
    if (!isTest && t >= FIRST && t % RANDOM_EVERY !== 0) takeWorst(rig, ranges, errors, asking, joints);
    const pose = ranges.pose(joints);
    const shape = shapes.subarray(t * size, (t + 1) * size);
    teacher.solve(pose, shape);
    transforms.set(pose, t * m12);
    if (!isTest) errors.add(joints, pose, shape);
  }
  const all = Array.from({ length: total }, (_, t) => t);
  return { transforms, shapes, train: all.slice(0, S), heldOut: all.slice(S) };
}

function randomJoints(ranges: JointRanges, random: Random): Float64Array {
  const joints = new Float64Array(3 * ranges.m);
  for (let j = 0; j < ranges.m; j++) ranges.draw(random, j, joints);
  return joints;
}

/** Replaces the value of every joint that moves by the one of the largest expected error. */
function takeWorst({ bones }: Rig, ranges: JointRanges, solved: LeftOutErrors, random: Random, joints: Float64Array) {
  const E = solved.count;
  const errors = solved.errors();
  const tried = new Float64Array(joints.length);
  const rates = new Float64Array(E);
  bones.forEach(({ parent }, j) => {
    if (!ranges.moves(j)) return;
    for (let k = 0; k < E; k++) {
      let nearest = Number.POSITIVE_INFINITY;
      for (let e = 0; e < E; e++) if (e !== k) nearest = Math.min(nearest, away(solved.joints(k), solved.joints(e), j));
      rates[k] = Math.sqrt(errors[j * E + k] + errors[parent * E + k]) / Math.max(nearest, LEAST_DISTANCE);
    }
    let worst = -1;
    for (let c = 0; c < TRIED; c++) {
      ranges.draw(random, j, tried);
      let [nearest, distance] = [0, Number.POSITIVE_INFINITY];
      for (let e = 0; e < E; e++) {
        const d = away(tried, solved.joints(e), j);
        if (d < distance) [nearest, distance] = [e, d];
      }
      const expected = rates[nearest] * distance;
      if (expected <= worst) continue;
      worst = expected;
      joints.set(tried.subarray(3 * j, 3 * j + 3), 3 * j);
    }
  });
}

/** Distance of the values of joint j in two poses. */
function away(a: Float64Array, b: Float64Array, j: number): number {
  return Math.hypot(a[3 * j] - b[3 * j], a[3 * j + 1] - b[3 * j + 1], a[3 * j + 2] - b[3 * j + 2]);
}
