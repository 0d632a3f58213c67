/**
 * The tables of the guide to puppetry, which remake those of Sun (2017, chapter 5) with a performer of the testkit. The
 * guide holds what this computes; a test compares the two.
 */

import type { Bone, JointPose, Registration } from '@pelt/model';
import { dogCharacter, PERFORMER_JOINTS, performerPose, stickRig } from '@pelt/testkit';
import type { PuppetOptions } from '../../src/puppet/options.ts';
import { ExampleSpace } from '../../src/puppet/runtime/example-space.ts';
import { posedOrigin } from '../../src/puppet/runtime/local-pose.ts';
import { LinearProjection } from '../../src/puppet/runtime/project-linear.ts';
import { PenalisedProjection } from '../../src/puppet/runtime/project-penalised.ts';
import { createPuppet } from '../../src/puppet/runtime/puppet.ts';

const DOT: readonly Bone[] = [{ name: 'dot', parent: -1, rest: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0) }];
const IN_PLACE = { delay: 0, travel: 0, turn: false } as const;

type Pose = readonly [name: string, pose: JointPose];

/** Both arms raised sideways by so many degrees. */
const raised = (degrees: number): JointPose => ({
  leftShoulder: { degrees: [0, 0, degrees] },
  rightShoulder: { degrees: [0, 0, -degrees] },
});
const leftArm = (degrees: number): JointPose => ({ leftShoulder: { degrees: [0, 0, degrees] } });
const rightArm = (degrees: number): JointPose => ({ rightShoulder: { degrees: [0, 0, -degrees] } });
const leftLeg = (degrees: number): JointPose => ({ leftHip: { degrees: [-degrees, 0, 0] } });
const rightLeg = (degrees: number): JointPose => ({ rightHip: { degrees: [-degrees, 0, 0] } });

const pairsOf = (bases: readonly Pose[]): Registration => ({
  name: 'bases',
  joints: PERFORMER_JOINTS,
  neutral: 0,
  pairs: bases.map(([name, pose]) => ({
    name,
    performer: performerPose(pose),
    character: { transforms: Float64Array.from([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]) },
  })),
});

function weightsOf(bases: readonly Pose[], pose: JointPose, options: Partial<PuppetOptions>): number[] {
  const puppet = createPuppet(
    { character: stickRig('dot', DOT), pairs: pairsOf(bases), performer: PERFORMER_JOINTS },
    { ...IN_PLACE, ...options },
  );
  puppet.update(performerPose(pose), 0);
  return [...puppet.weights];
}

/** Two decimals; a dash for a weight that rests at zero. */
const figure = (value: number) =>
  Math.abs(value) < 5e-7 ? '–' : value.toFixed(2).replace('-0.00', '0.00').replace('-', '−');
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const head = (cells: readonly string[]) => [row(cells), row(cells.map(() => '---'))];

/** A column for each input, a line for each base pose. */
function weightTable(bases: readonly Pose[], inputs: readonly Pose[], options: Partial<PuppetOptions>): string {
  const columns = inputs.map(([, pose]) => weightsOf(bases, pose, options));
  return [
    ...head(['base pose', ...inputs.map(([name]) => name)]),
    ...bases.map(([name], i) => row([name, ...columns.map((weights) => figure(weights[i]))])),
  ].join('\n');
}

const DOWN: Pose = ['arms down', raised(0)];
const STRAIGHT: Pose = ['arms straight', raised(90)];
const UP: Pose = ['arms up', raised(170)];
const HALF: Pose = ['arms at 50°', raised(50)];
const ANGLES: readonly Pose[] = [15, 35, 65, 80, 100].map((degrees) => [`${degrees}°`, raised(degrees)]);

/** Five bases: three for the arms, two for the legs. */
const MIXED: readonly Pose[] = [
  ['a: arms straight', raised(90)],
  ['b: left arm up', { ...leftArm(150) }],
  ['c: right arm up', { ...rightArm(150) }],
  ['d: left leg', { ...leftLeg(60) }],
  ['e: right leg', { ...rightLeg(60) }],
];
const INPUTS: readonly Pose[] = [
  ['left arm up, right leg', { ...leftArm(150), ...rightLeg(60) }],
  ['both arms up, right leg', { ...leftArm(150), ...rightArm(150), ...rightLeg(60) }],
];
const METHODS = [
  ['linear', { projection: 'linear' }],
  ['l1', { projection: 'l1' }],
  ['positive', { projection: 'positive' }],
] as const;

/** Weights of raw positions, with nothing removed, as the paper shows what a shift does. */
function rawWeights(pose: Float32Array, method: 'linear' | 'l1' | 'positive'): number[] {
  const examples = Float64Array.from(MIXED.flatMap(([, base]) => [...performerPose(base)]));
  const space = new ExampleSpace(examples, MIXED.length, 1e-8);
  const penalty = method === 'l1' ? 0.05 * space.spacing : Number.POSITIVE_INFINITY;
  const projection = method === 'linear' ? new LinearProjection(space) : new PenalisedProjection(space, penalty);
  const weights = new Float64Array(MIXED.length);
  projection.project(Float64Array.from(pose), weights);
  return [...weights];
}

function shiftTable(): string {
  const pose = INPUTS[0][1];
  const moves: readonly (readonly [string, readonly [number, number, number]])[] = [
    ['0.5 m in x', [0.5, 0, 0]],
    ['0.5 m in y', [0, 0.5, 0]],
    ['0.5 m in z', [0, 0, 0.5]],
  ];
  const change = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0);
  const lines = moves.map(([name, at]) => {
    const raw = METHODS.map(([method]) =>
      change(rawWeights(performerPose(pose, { at }), method), rawWeights(performerPose(pose), method)).toFixed(2),
    );
    const removed = METHODS.map(([, options]) => {
      const puppet = createPuppet(
        { character: stickRig('dot', DOT), pairs: pairsOf(MIXED), performer: PERFORMER_JOINTS },
        { ...IN_PLACE, ...options },
      );
      puppet.update(performerPose(pose, { at }), 0);
      return change([...puppet.weights], weightsOf(MIXED, pose, options)).toFixed(2);
    });
    return row([name, ...raw, ...removed]);
  });
  const names = METHODS.map(([method]) => method);
  return [...head(['shift', ...names.map((name) => `${name}, raw`), ...names]), ...lines].join('\n');
}

/** How much longer or shorter a limb gets, at worst, when two of the dog's poses are blended with these weights. */
function limbTable(): string {
  const { rig, registration } = dogCharacter(0.1);
  const weightsAt = ([a, b]: readonly number[]) => {
    const weights = new Float64Array(registration.pairs.length);
    [weights[0], weights[3]] = [a, b];
    return weights;
  };
  const stretch = (interpolation: PuppetOptions['interpolation'], weights: readonly number[]) => {
    const { transforms } = createPuppet(
      { character: rig, pairs: registration, performer: PERFORMER_JOINTS },
      { interpolation },
    ).blend(weightsAt(weights));
    const posed = rig.bones.map((bone, j) => {
      const out = new Float64Array(3);
      posedOrigin(bone, transforms, 12 * j, out);
      return out;
    });
    const rest = rig.bones.map(({ rest: r }) => Float64Array.of(r[3], r[7], r[11]));
    const length = (points: Float64Array[], j: number, p: number) =>
      Math.hypot(...points[j].map((value, k) => value - points[p][k]));
    const ratios = rig.bones.flatMap(({ parent }, j) =>
      parent < 0 ? [] : [length(posed, j, parent) / length(rest, j, parent)],
    );
    return Math.max(...ratios.map((ratio) => Math.abs(ratio - 1)));
  };
  const mixes = [
    [-1, 2],
    [-0.5, 1.5],
    [0, 1],
    [0.5, 0.5],
    [1, 0],
    [1.5, -0.5],
    [2, -1],
  ];
  const line = (name: string, interpolation: PuppetOptions['interpolation']) =>
    row([name, ...mixes.map((weights) => `${(100 * stretch(interpolation, weights)).toFixed(0)} %`)]);
  return [
    ...head(['weights', ...mixes.map(([a, b]) => `(${String(a).replace('-', '−')}, ${String(b).replace('-', '−')})`)]),
    line('forward kinematics', 'kinematic'),
    line('linear blending', 'linear'),
  ].join('\n');
}

/** Part by part: the weights that each part gives, for the second input. */
function partsTable(): string {
  const bases: readonly Pose[] = [['neutral', {}], ...MIXED];
  const [, pose] = INPUTS[1];
  const [whole, parts] = [weightsOf(bases, pose, {}), weightsOf(bases, pose, { parts: 'body' })];
  const N = bases.length;
  return [
    ...head(['base pose', 'whole body', 'arms', 'legs']),
    ...bases.map(([name], i) => row([name, ...[whole[i], parts[i], parts[N + i]].map(figure)])),
  ].join('\n');
}

/** Every table by what it shows. */
export function guideTables(): Record<string, string> {
  const between: readonly Pose[] = [20, 45, 75].map((degrees) => [`${degrees}°`, raised(degrees)]);
  return {
    'two bases': weightTable([DOWN, STRAIGHT], between, { projection: 'linear' }),
    'three bases, linear': weightTable([DOWN, STRAIGHT, UP], between, { projection: 'linear' }),
    'three bases, positive': weightTable([DOWN, STRAIGHT, UP], between, { projection: 'positive' }),
    'beyond, positive': weightTable([HALF, DOWN], ANGLES, { projection: 'positive' }),
    ...Object.fromEntries(
      [0.1, 0.2, 0.3, 0.4].map((lambda) => [
        `beyond, l1 ${lambda}`,
        weightTable([HALF, DOWN], ANGLES, { projection: 'l1', lambda }),
      ]),
    ),
    mixed: [
      ...head(['input', 'projection', ...MIXED.map(([name]) => name)]),
      ...INPUTS.flatMap(([name, pose]) =>
        METHODS.map(([method, options]) => row([name, method, ...weightsOf(MIXED, pose, options).map(figure)])),
      ),
    ].join('\n'),
    parts: partsTable(),
    shift: shiftTable(),
    limbs: limbTable(),
  };
}
