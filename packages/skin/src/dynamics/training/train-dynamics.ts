/**
 * Learns secondary motion from clips: the motion of the skin that its pose does not explain, as a response of proxy bones
 * to the motion of the joints.
 *
 * 1. Proxy bones and weights by a decomposition of the examples (swing-skin.ts); 2. how each of them moved beside the
 * pose-only skin (swing-codes.ts), in principal modes (swing-modes.ts); 3. a read-out of the modes from the pose, the
 * motion and resonators, chosen by leaving takes out (choose-poles.ts); 4. as few states as it needs (fewer-channels.ts).
 */
import { symmetricEigen } from '@pelt/math';
import {
  type Clip,
  DRIVER_INPUTS,
  type Dynamics,
  frameCount,
  InputError,
  interruptible,
  type MeshSequence,
  poseAt,
  type ReducedEnvelope,
  type Run,
  resolveOptions,
  SWING_CODE,
  stageOf,
  UsageError,
  uniformTimes,
  validateCapsules,
  validateClip,
  validateMeshSequence,
  validateReducedEnvelope,
} from '@pelt/model';
import { ReducedDeformer, uncorrected } from '../../envelope/runtime/reduced-deformer.ts';
import { samplePoses } from '../../envelope/training/sample-poses.ts';
import { DYNAMICS_DEFAULTS, type DynamicsMethod, type DynamicsOptions } from '../options.ts';
import { chooseCodes } from './choose-codes.ts';
import { chooseDrivers } from './choose-drivers.ts';
import { chooseReadOut } from './choose-poles.ts';
import { bodyCapsules, type LearntTakes, learnContact } from './learn-contact.ts';
import { readOutOf } from './read-out.ts';
import type { TakeData } from './read-out-data.ts';
import { shrunkRest } from './shrunk-rest.ts';
import { swingModes } from './swing-modes.ts';
import { swingSkin } from './swing-skin.ts';
import { channelsOf, type TakeInputs, takeInputs } from './take-features.ts';

/** A pose-only skin, and takes: each a clip of the skeleton with the shapes at its frames. */
export interface SwingExamples {
  readonly envelope: ReducedEnvelope;
  readonly takes: readonly { readonly clip: Clip; readonly sequence: MeshSequence }[];
}

export interface TrainedDynamics {
  /** The pose-only skin over proxies that swing; without displacements. */
  readonly envelope: ReducedEnvelope;
  readonly dynamics: Dynamics;
  readonly method: Exclude<DynamicsMethod, 'auto'>;
  /** Frequencies in Hz and damping ratios. */
  readonly poles: readonly { readonly hertz: number; readonly damping: number }[];
  /** RMS distances on frames left out: of a skin that is still, and of the best read-out of each method tried. */
  readonly leftOut: { readonly static: number } & Readonly<Partial<Record<Exclude<DynamicsMethod, 'auto'>, number>>>;
}

/** Frames that are decomposed into proxies, evenly spaced over all takes. */
const MOST_DECOMPOSED = 48;
/** Poses of joints by themselves, beside them. */
const MOST_SAMPLED = 24;
const LEAST_PROXIES = 24;
const PROXIES_PER_BONE = 3;
/** Multiply-adds of an update, those of a bone, and numbers that each mode is usually read from. */
const MOST_COST = 25_000;
const BONE_COST = 72;
const USUALLY_READ = 300;
const LEAST_MODES = 8;
/** Pieces that are left out, one after another. */
const LEAST_GROUPS = 4;
/** Scale of inputs that are products of velocities: what a ridge makes of them is wrong in faster motion. */
const QUADRATIC = 0.2;
/** Most channels that the inputs are reduced to before anything is fitted. */
const MOST_CHANNELS = 24;

/**
 * Learns secondary motion from takes of a skin.
 *
 * @param data  n vertices, m bones; takes with at least 8 frames in all
 *
 * @example
 * {@includeCode ../../../examples/train-dynamics.ts}
 */
export function trainDynamics(
  data: SwingExamples,
  options: Partial<DynamicsOptions> | undefined,
  run: Run,
): TrainedDynamics {
  const given = resolveOptions('trainDynamics', DYNAMICS_DEFAULTS, options);
  validateReducedEnvelope(data.envelope);
  const { rig } = data.envelope;
  const m = rig.bones.length;
  for (const { clip, sequence } of data.takes) {
    validateClip(clip, m);
    validateMeshSequence(sequence);
    if (clip.times.length === frameCount(sequence) && sequence.rest.positions.length === rig.mesh.positions.length)
      continue;
    throw new InputError(`trainDynamics: take '${clip.name}' does not have a shape of this skin for every pose`);
  }
  const frames = data.takes.reduce((sum, { clip }) => sum + clip.times.length, 0);
  if (frames < 2 * LEAST_GROUPS) throw new InputError(`trainDynamics: ${frames} frames are too few; give 8 or more`);
  for (const key of ['weights', 'modes', 'drivers'] as const) {
    if (Number.isInteger(given[key]) && given[key] >= 1) continue;
    throw new UsageError(`trainDynamics: ${key} is ${given[key]}; give a whole number from 1 on`);
  }
  const proxies = given.proxies === 'auto' ? Math.max(LEAST_PROXIES, PROXIES_PER_BONE * m) : given.proxies;
  return interruptible(run, () => {
    const shapes = sampled(data, frames, run);
    const envelope = swingSkin(data.envelope, shapes, { proxies, weights: given.weights }, stageOf(run, 0, 0.5));
    return learn(envelope, data.takes, given, stageOf(run, 0.5, 1));
  });
}

function learn(
  envelope: ReducedEnvelope,
  takes: SwingExamples['takes'],
  options: DynamicsOptions,
  run: Run,
): TrainedDynamics {
  const { rig, proxies: D } = envelope;
  const size = SWING_CODE * D;
  const modes = Math.min(options.modes, affordable(D));
  const fitting = chooseCodes(envelope, takes, modes, run);
  const each = takes.map(({ clip, sequence }) => fitting.fit(clip.transforms, sequence.frames));
  const codes = concatenated(each);
  const diagonal = Float64Array.from({ length: size }, (_, k) => {
    let sum = 0;
    for (let c = 0; c <= k; c++) sum += fitting.metric[k * size + c] ** 2;
    return sum;
  });
  const pieces = takes.map(({ clip }) => piecesOf(clip.times.length, takes.length));
  const rest = shrunkRest(codes, diagonal, groupsOf(takes, pieces));
  const found = swingModes(codes, rest, fitting.metric, size, modes, run);
  const R = found.modes.length / size;
  const about = codes.map((x, k) => x - rest[k % size]);
  const { drivers, posed } = chooseDrivers(envelope, about, diagonal, options.drivers);
  const length = Math.hypot(...options.gravity) || 1;
  const base = { drivers, posed, gravity: Float64Array.from(options.gravity, (g) => g / length) };
  const inputs = takes.map(({ clip }) => takeInputs(rig.bones, base, clip));
  const width = DRIVER_INPUTS * drivers.length;
  const projection = projectionOf(inputs, width);
  const identity = Float64Array.from({ length: width * width }, (_, k) => (k % (width + 1) === 0 ? 1 : 0));
  let at = 0;
  const data: TakeData[] = inputs.map((take, k) => {
    const S = take.times.length;
    const targets = found.amplitudes.subarray(at * R, (at + S) * R);
    at += S;
    return {
      times: take.times,
      pose: take.pose,
      turns: take.turns,
      channels: channelsOf(take, projection),
      inputs: channelsOf(take, identity),
      targets,
      pieces: pieces[k],
    };
  });
  const chosen = chooseReadOut(data, options.method, run);
  const widths = { pose: (chosen.form.pose === 'vectors' ? 3 : 9) * posed.length + 3 * drivers.length, targets: R };
  const swinging: Dynamics = {
    ...base,
    speeds: speedsOf(inputs, drivers.length),
    bones: Uint16Array.from({ length: D }, (_, d) => d),
    centres: fitting.centres,
    rest,
    modes: found.modes,
    limits: limitsOf(found.amplitudes, R),
    ...readOutOf(chosen, data, widths, projection, width),
  };
  const contact = contactOf(envelope, swinging, { takes, codes: each }, about, options.contact, run);
  const dynamics = contact ? { ...swinging, contact } : swinging;
  // What the modes leave out is missed by all.
  const spread = found.amplitudes.reduce((sum, a) => sum + a * a, 0) / (at || 1);
  const lost = (spread * found.lost) / (1 - found.lost || 1);
  const distance = (square: number) => Math.sqrt((square + lost) / fitting.vertices);
  const leftOut = Object.fromEntries(Object.entries(chosen.leftOut).map(([key, value]) => [key, distance(value)]));
  return {
    envelope,
    dynamics,
    method: chosen.form.method,
    poles: chosen.form.poles.map(({ omega, zeta }) => ({ hertz: omega / (2 * Math.PI), damping: zeta })),
    leftOut: { static: distance(spread), ...leftOut },
  };
}

/** Modes for which an update of D bones stays below `MOST_COST`, with as many numbers read as there usually are. */
function affordable(D: number): number {
  return Math.max(LEAST_MODES, Math.floor((MOST_COST - BONE_COST * D) / (SWING_CODE * D + USUALLY_READ)));
}

/** First frames of the pieces of a take that are left out together. */
function piecesOf(S: number, takes: number): number[] {
  const count = Math.min(S, takes >= LEAST_GROUPS - 1 ? 1 : Math.ceil(LEAST_GROUPS / takes));
  return Array.from({ length: count }, (_, k) => Math.floor((k * S) / count));
}

/** The pieces of all takes, by their frames among those of all. */
function groupsOf(takes: SwingExamples['takes'], pieces: readonly (readonly number[])[]): number[] {
  let before = 0;
  return takes.flatMap(({ clip }, k) => {
    const own = pieces[k].map((first) => before + first);
    before += clip.times.length;
    return own;
  });
}

function contactOf(
  envelope: ReducedEnvelope,
  swinging: Dynamics,
  takes: LearntTakes,
  about: Float64Array,
  asked: DynamicsOptions['contact'],
  run: Run,
): Dynamics['contact'] {
  if (asked === 'none') return undefined;
  const { rig, skin, proxies } = envelope;
  const capsules = asked === 'auto' ? bodyCapsules(rig, skin, about, proxies, run) : asked;
  validateCapsules(capsules, rig.bones.length);
  return learnContact(envelope, swinging, takes, capsules, run);
}

/**
 * Frames of all takes, evenly spaced, and then shapes of the pose-only skin in poses in which every joint moves by itself:
 * parts that only ever moved together in the takes shall not share their bones.
 */
function sampled({ envelope, takes }: SwingExamples, frames: number, run: Run): MeshSequence {
  const { mesh, name, bones } = envelope.rig;
  const size = mesh.positions.length;
  const count = Math.min(MOST_DECOMPOSED, frames);
  const poses: Float64Array[] = [];
  const shown: Float32Array[] = [];
  let [k, at] = [0, 0];
  for (const { sequence, clip } of takes) {
    const S = frameCount(sequence);
    for (; k < count && Math.floor(((k + 0.5) * frames) / count) < at + S; k++) {
      const t = Math.floor(((k + 0.5) * frames) / count) - at;
      shown.push(sequence.frames.subarray(t * size, (t + 1) * size));
      poses.push(poseAt(clip, t, bones.length).transforms);
    }
    at += S;
  }
  const turns = bones.some(({ parent }) => parent >= 0);
  const apart = turns
    ? samplePoses(bones, envelope.centres, poses, poses.length + 1 + MOST_SAMPLED).slice(poses.length + 1)
    : [];
  const out = new Float32Array((count + apart.length) * size);
  for (const [t, frame] of shown.entries()) out.set(frame, t * size);
  if (apart.length > 0) {
    const skin = new ReducedDeformer(uncorrected(envelope), run);
    for (const [t, pose] of apart.entries())
      skin.deform(pose, out.subarray((count + t) * size, (count + t + 1) * size));
    skin.dispose();
  }
  return { name, rest: mesh, frames: out, times: uniformTimes(count + apart.length, 1) };
}

function concatenated(parts: readonly Float64Array[]): Float64Array {
  const out = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** Principal components of the inputs, each kind scaled to unit variance; all of them where they are few. */
function projectionOf(takes: readonly TakeInputs[], width: number): Float64Array {
  const squares = new Float64Array(width);
  const means = new Float64Array(width);
  let S = 0;
  for (const { inputs } of takes) {
    for (let k = 0; k < inputs.length; k++) means[k % width] += inputs[k];
    S += inputs.length / width;
  }
  for (let k = 0; k < width; k++) means[k] /= S;
  for (const { inputs } of takes)
    for (let k = 0; k < inputs.length; k++) squares[k % width] += (inputs[k] - means[k % width]) ** 2 / S;
  // One scale for each kind of input of a driver: velocity, angular velocity, their product, products, gravity.
  const kinds = [0, 3, 6, 9, 15, DRIVER_INPUTS];
  const scales = Float64Array.from({ length: width }, (_, k) => {
    const driver = k - (k % DRIVER_INPUTS);
    const kind = kinds.findLastIndex((first) => k % DRIVER_INPUTS >= first);
    let sum = 0;
    for (let c = kinds[kind]; c < kinds[kind + 1]; c++) sum += squares[driver + c];
    const quadratic = kind === 2 || kind === 3;
    return sum > 0 ? (quadratic ? QUADRATIC : 1) * Math.sqrt((kinds[kind + 1] - kinds[kind]) / sum) : 0;
  });
  if (width <= MOST_CHANNELS) {
    return Float64Array.from({ length: width * width }, (_, k) => (k % (width + 1) === 0 ? scales[k % width] : 0));
  }
  const covariance = new Float64Array(width * width);
  for (const { inputs } of takes) {
    for (let t = 0; t < inputs.length; t += width) {
      for (let a = 0; a < width; a++) {
        const x = scales[a] * (inputs[t + a] - means[a]);
        for (let b = 0; b <= a; b++) covariance[a * width + b] += x * scales[b] * (inputs[t + b] - means[b]);
      }
    }
  }
  const { vectors } = symmetricEigen(covariance, width);
  const out = new Float64Array(MOST_CHANNELS * width);
  for (let c = 0; c < MOST_CHANNELS; c++) {
    for (let k = 0; k < width; k++) out[c * width + k] = scales[k] * vectors[k * width + width - 1 - c];
  }
  return out;
}

function speedsOf(takes: readonly TakeInputs[], J: number): Float64Array {
  const speeds = new Float64Array(2 * J);
  for (const { inputs } of takes) {
    for (let at = 0; at < inputs.length; at += DRIVER_INPUTS) {
      const d = (at / DRIVER_INPUTS) % J;
      for (let k = 0; k < 2; k++) {
        const [x, y, z] = inputs.subarray(at + 3 * k, at + 3 * k + 3);
        speeds[2 * d + k] = Math.max(speeds[2 * d + k], Math.hypot(x, y, z));
      }
    }
  }
  return speeds;
}

function limitsOf(amplitudes: Float64Array, R: number): Float64Array {
  const limits = new Float64Array(R);
  amplitudes.forEach((a, k) => {
    limits[k % R] = Math.max(limits[k % R], Math.abs(a));
  });
  return limits;
}
