/**
 * The tables of Sun (2017, chapter 5) on a recording of one's own: what the projections make of its frames by a few base
 * poses, how far they extrapolate, what a shift does to them with raw positions and with features, what parts change, and
 * how limbs keep their lengths.
 *
 * Reference: R. Sun. Example-based approach for real-time rigged character animation. Delft University of Technology, 2017.
 */
import { distance3 } from '@pelt/math';
import {
  checkCancelled,
  InputError,
  jointsAt,
  type Motion,
  type Registration,
  type Rig,
  type RunContext,
  resolveOptions,
  UsageError,
} from '@pelt/model';
import { type PuppetOptions, STUDY_PROJECTIONS_DEFAULTS, type StudyProjectionsOptions } from '../options.ts';
import { ExampleSpace } from '../runtime/example-space.ts';
import { posedOrigin } from '../runtime/local-pose.ts';
import { LinearProjection } from '../runtime/project-linear.ts';
import { PenalisedProjection } from '../runtime/project-penalised.ts';
import { createPuppet, type Puppet } from '../runtime/puppet.ts';
import { suggestKeyPoses } from './key-poses.ts';

/** A table: figures of each row by column. */
export interface ProjectionTable {
  readonly title: string;
  readonly note: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly name: string; readonly values: readonly number[] }[];
}

export interface ProjectionStudyInput {
  /** S frames of J joints, none of them lost. */
  readonly motion: Motion;
  /** Base poses, with the character that they belong to; absent: key poses of the motion. */
  readonly pairs?: Registration | undefined;
  readonly character?: Rig | undefined;
}

const PROJECTIONS = ['linear', 'l1', 'positive'] as const;
type Projection = (typeof PROJECTIONS)[number];
const LAMBDAS = [0.05, 0.1, 0.2, 0.3, 0.4];
/** Heights of the performer by which it is shifted: half a metre of a person of 1.75 m. */
const SHIFT = 0.5 / 1.75;
/** Frames that are shown on their own, and the most that figures are taken over. */
const [SHOWN, MOST_FRAMES] = [5, 300];
const IN_PLACE = { base: 'pairs', delay: 0, travel: 0, turn: false } as const;

/**
 * Tables on the projections of a motion onto base poses.
 *
 * @example
 * {@includeCode ../../../examples/study-projections.ts}
 */
export function studyProjections(
  input: ProjectionStudyInput,
  options?: Partial<StudyProjectionsOptions>,
  run?: RunContext,
): ProjectionTable[] {
  const { count } = resolveOptions('studyProjections', STUDY_PROJECTIONS_DEFAULTS, options);
  if (!(Number.isInteger(count) && count >= 2)) {
    throw new UsageError(`studyProjections: count is ${count}; give a whole number of base poses from 2 on`);
  }
  const { motion, character } = input;
  const bases = input.pairs ?? keyPoses(motion, count, run);
  if (bases.pairs.length < 2) throw new InputError(`studyProjections: '${bases.name}' has one pose; give two or more`);
  const study = new ProjectionStudy(motion, bases, character ?? DOT, run);
  return [
    ...PROJECTIONS.map((projection) => study.weights(projection)),
    study.numbers(),
    study.extrapolation(),
    study.shift(),
    study.parts(),
    ...(character && input.pairs ? [study.limbs()] : []),
  ];
}

/** A character of one bone: projections do not depend on it. */
const DOT: Rig = {
  name: 'dot',
  mesh: { name: 'dot', positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), triangles: Uint32Array.of(0, 1, 2) },
  bones: [{ name: 'dot', parent: -1, rest: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0) }],
  weights: { slots: 1, bones: new Uint16Array(3), weights: Float32Array.of(1, 1, 1) },
};

function keyPoses(motion: Motion, count: number, run: RunContext | undefined): Registration {
  const frames = suggestKeyPoses(motion, { count }, run);
  const pairs = frames.map((t) => ({
    name: `${motion.times[t].toFixed(2)} s`,
    performer: jointsAt(motion, t),
    character: { transforms: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0) },
  }));
  return { name: motion.name, joints: motion.joints, neutral: 0, pairs };
}

class ProjectionStudy {
  readonly #motion: Motion;
  readonly #bases: Registration;
  readonly #character: Rig;
  readonly #run: RunContext | undefined;
  /** Frames that figures are taken over, and those that are shown. */
  readonly #frames: readonly number[];
  readonly #shown: readonly number[];
  /** By which the performer is moved. */
  readonly #shift: number;

  constructor(motion: Motion, bases: Registration, character: Rig, run: RunContext | undefined) {
    [this.#motion, this.#bases, this.#character, this.#run] = [motion, bases, character, run];
    const S = motion.times.length;
    const step = Math.max(1, Math.ceil(S / MOST_FRAMES));
    this.#frames = Array.from({ length: Math.ceil(S / step) }, (_, k) => k * step);
    this.#shift = SHIFT * Math.max(...bases.pairs.map(({ performer }) => heightOf(performer)));
    this.#shown = Array.from({ length: SHOWN }, (_, k) => Math.floor(((k + 0.5) * S) / SHOWN));
  }

  weights(projection: Projection): ProjectionTable {
    const columns = this.#weightsAt(this.#open({ projection }), this.#shown);
    return {
      title: `Weights, ${projection}`,
      note: NOTES[projection],
      columns: this.#shown.map((t) => `${this.#motion.times[t].toFixed(2)} s`),
      rows: this.#bases.pairs.map(({ name }, i) => ({ name, values: columns.map((weights) => weights[i]) })),
    };
  }

  /** Two base poses, three, and so on: what unrelated ones do to a projection. */
  numbers(): ProjectionTable {
    const { pairs } = this.#bases;
    return {
      title: 'Number of base poses',
      note: 'Mean sum of the sizes of the weights over the recording: 1 where none is negative. More base poses overfit a linear projection.',
      columns: PROJECTIONS,
      rows: pairs.slice(1).map((_, k) => ({
        name: `${k + 2}`,
        values: PROJECTIONS.map((projection) => {
          const bases = { ...this.#bases, pairs: pairs.slice(0, k + 2), neutral: 0 };
          return mean(this.#weightsAt(this.#open({ projection }, bases), this.#frames).map(sizes));
        }),
      })),
    };
  }

  extrapolation(): ProjectionTable {
    const rows: readonly (readonly [string, Partial<PuppetOptions>])[] = [
      ['linear', { projection: 'linear' }],
      ...LAMBDAS.map((lambda) => [`l1, λ ${lambda}`, { projection: 'l1', lambda }] as const),
      ['positive', { projection: 'positive' }],
    ];
    return {
      title: 'Extrapolation',
      note: 'Over the recording, its frames as they are: how far weights leave the range from 0 to 1, and how much they change.',
      columns: ['least weight', 'largest weight', 'mean sum of sizes', 'mean change a second'],
      rows: rows.map(([name, options]) => {
        const all = this.#weightsAt(this.#open(options), this.#frames);
        const { times } = this.#motion;
        const changes = all.slice(1).map((weights, k) => {
          const seconds = times[this.#frames[k + 1]] - times[this.#frames[k]];
          return sizes(weights.map((value, i) => value - all[k][i])) / seconds;
        });
        const [least, most] = [Math.min, Math.max].map((pick) => pick(...all.map((weights) => pick(...weights))));
        return { name, values: [least, most, mean(all.map(sizes)), mean(changes)] };
      }),
    };
  }

  shift(): ProjectionTable {
    return {
      title: 'Shift by half a metre of a person of 1.75 m',
      note: 'Mean sum of the changes of the weights when the performer is moved: with raw positions, and with the features that pelt compares.',
      columns: [...PROJECTIONS.map((name) => `${name}, raw`), ...PROJECTIONS],
      rows: ['x', 'y', 'z'].map((axis, r) => ({
        name: axis,
        values: [
          ...PROJECTIONS.map((projection) => {
            const project = this.#raw(projection);
            return this.#change((pose) => project(pose), r);
          }),
          ...PROJECTIONS.map((projection) => {
            const puppet = this.#open({ projection });
            return this.#change((pose) => weightsOf(puppet, pose), r);
          }),
        ],
      })),
    };
  }

  /** The frame in which the weights of parts differ most from those of the whole. */
  parts(): ProjectionTable {
    const [whole, parts] = [this.#open({}), this.#open({ parts: 'body' })];
    const N = this.#bases.pairs.length;
    const own = (weights: readonly number[]) => parts.parts.map((_, p) => weights.slice(p * N, (p + 1) * N));
    const all = this.#frames.map((t) => {
      const pose = jointsAt(this.#motion, t);
      return { t, whole: weightsOf(whole, pose), parts: own(weightsOf(parts, pose)) };
    });
    const apart = (entry: (typeof all)[number]) =>
      entry.parts.reduce((sum, weights) => sum + sizes(weights.map((value, i) => value - entry.whole[i])), 0);
    const found = all.reduce((best, entry) => (apart(entry) > apart(best) ? entry : best));
    return {
      title: `Parts, at ${this.#motion.times[found.t].toFixed(2)} s`,
      note: 'Weights of one projection of the whole body, and of parts on their own, in the frame in which they differ most.',
      columns: ['whole', ...parts.parts],
      rows: this.#bases.pairs.map(({ name }, i) => ({
        name,
        values: [found.whole[i], ...found.parts.map((weights) => weights[i])],
      })),
    };
  }

  limbs(): ProjectionTable {
    const { bones } = this.#character;
    const limbs = bones.flatMap(({ parent, rest }, j) => {
      if (parent < 0) return [];
      const length = distance3(originOf(rest), 0, originOf(bones[parent].rest), 0);
      return length > 0 ? [{ j, parent, length }] : [];
    });
    const [a, b] = [new Float64Array(3), new Float64Array(3)];
    const stretch = (transforms: Float64Array) =>
      limbs.map(({ j, parent, length }) => {
        posedOrigin(bones[j], transforms, 12 * j, a);
        posedOrigin(bones[parent], transforms, 12 * parent, b);
        return 100 * Math.abs(distance3(a, 0, b, 0) / length - 1);
      });
    return {
      title: 'Lengths of limbs',
      note: "Changes of the lengths of the character's limbs over the recording, in per cent.",
      columns: ['mean', 'largest'],
      rows: (['kinematic', 'linear'] as const).map((interpolation) => {
        const puppet = this.#open({ interpolation });
        const all = this.#frames.flatMap((t) => {
          puppet.reset();
          return stretch(puppet.update(jointsAt(this.#motion, t), 0).transforms);
        });
        return { name: interpolation, values: [mean(all), all.reduce((most, value) => Math.max(most, value), 0)] };
      }),
    };
  }

  #open(options: Partial<PuppetOptions>, pairs = this.#bases): Puppet {
    checkCancelled(this.#run);
    const posed = pairs.pairs[0].character.transforms.length === 12 * this.#character.bones.length;
    const data = { character: posed ? this.#character : DOT, pairs, performer: this.#motion.joints };
    return createPuppet(data, { ...IN_PLACE, ...options });
  }

  #weightsAt(puppet: Puppet, frames: readonly number[]): number[][] {
    checkCancelled(this.#run);
    return frames.map((t) => weightsOf(puppet, jointsAt(this.#motion, t)));
  }

  /** Positions as they are, of the joints that the base poses have. */
  #raw(projection: Projection): (pose: Float32Array) => number[] {
    const { joints, pairs } = this.#bases;
    const from = joints.map((name) => this.#motion.joints.indexOf(name));
    const shared = from.flatMap((j, k) => (j < 0 ? [] : [k]));
    const pick = (pose: ArrayLike<number>, order: readonly number[]) =>
      Float64Array.from(order.flatMap((j) => [pose[3 * j], pose[3 * j + 1], pose[3 * j + 2]]));
    const examples = Float64Array.from(pairs.flatMap(({ performer }) => [...pick(performer, shared)]));
    const space = new ExampleSpace(examples, pairs.length, RIDGE);
    const penalty = projection === 'l1' ? LAMBDAS[0] * space.spacing : Number.POSITIVE_INFINITY;
    const solver = projection === 'linear' ? new LinearProjection(space) : new PenalisedProjection(space, penalty);
    const weights = new Float64Array(pairs.length);
    return (pose) => {
      solver.project(
        pick(
          pose,
          shared.map((k) => from[k]),
        ),
        weights,
      );
      return [...weights];
    };
  }

  #change(project: (pose: Float32Array) => number[], axis: number): number {
    checkCancelled(this.#run);
    return mean(
      this.#shown.map((t) => {
        const pose = jointsAt(this.#motion, t);
        const [before, after] = [project(pose), project(pose.map((x, k) => (k % 3 === axis ? x + this.#shift : x)))];
        return sizes(after.map((value, i) => value - before[i]));
      }),
    );
  }
}

/** Of raw positions; see `PuppetOptions.ridge`. */
const RIDGE = 1e-8;

const NOTES: Readonly<Record<Projection, string>> = {
  linear: 'Least squares with weights that sum to one: extrapolates without limit.',
  l1: 'Extrapolation has a price, λ = 0.05.',
  positive: 'No weight is negative: never extrapolates.',
};

function weightsOf(puppet: Puppet, pose: Float32Array): number[] {
  puppet.reset();
  puppet.update(pose, 0);
  return [...puppet.weights];
}

function heightOf(pose: Float32Array): number {
  const heights = pose.filter((_, k) => k % 3 === 1);
  return (
    heights.reduce((most, y) => Math.max(most, y), -Infinity) -
    heights.reduce((least, y) => Math.min(least, y), Infinity)
  );
}

const originOf = (rest: Float64Array) => [rest[3], rest[7], rest[11]];
const sizes = (weights: readonly number[]) => weights.reduce((sum, value) => sum + Math.abs(value), 0);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
