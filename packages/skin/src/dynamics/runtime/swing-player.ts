/**
 * Plays secondary motion: from the pose of the skeleton, time step by time step, to the bones of the palette that swing.
 * Nothing of its output is fed back, so that it is stable whatever the step, and what was fitted is what is played.
 */
import { composeTransforms, rotationExp } from '@pelt/math';
import {
  type Bone,
  DRIVER_INPUTS,
  type Dynamics,
  GRAVITY_INPUTS,
  resolveOptions,
  SWING_CODE,
  TRANSFORM_SIZE,
  UsageError,
} from '@pelt/model';
import { SWING_DEFAULTS, type SwingOptions } from '../options.ts';
import { DriverInputs } from './driver-inputs.ts';
import { kneeFactor } from './knee.ts';
import { PoseFeatures, readsMatrices } from './pose-features.ts';
import { advance, decayOf } from './resonator.ts';
import { firstJoint, SwingContact } from './swing-contact.ts';

/** The state of one instance: every figure of a crowd has its own. */
export interface SwingState {
  /** Seconds of the interval before; −1 before the first pose. */
  interval: number;
  /** J × 12 placements of the drivers in the last pose */
  readonly placement: Float64Array;
  /** 2C: s and ṡ/Ω */
  readonly resonators: Float64Array;
  /** 2C: what drove the channels in the last interval, by motion and by gravity */
  readonly driven: Float64Array;
  /** R */
  readonly amplitudes: Float64Array;
}

/** Damping ratios stay below 1: the solution of a resonator is that of one that oscillates. */
const MOST_DAMPED = 0.98;
const MOTIONS = DRIVER_INPUTS - GRAVITY_INPUTS;

/**
 * Plays secondary motion on a matrix palette; stepping and applying allocate nothing.
 *
 * @example
 * {@includeCode ../../../examples/swing-player.ts}
 */
export class SwingPlayer {
  readonly dynamics: Dynamics;
  /** Multiply-adds of one step with its application, about. */
  readonly cost: number;
  /** Numbers that an instance keeps between steps, beside its pose. */
  readonly states: number;
  readonly #inputs: DriverInputs;
  readonly #pose: PoseFeatures;
  readonly #now: Float64Array;
  readonly #driven: Float64Array;
  readonly #features: Float64Array;
  readonly #code: Float64Array;
  readonly #delta = new Float64Array(TRANSFORM_SIZE);
  readonly #turn = new Float64Array(9);
  readonly #moved = new Float64Array(TRANSFORM_SIZE);
  readonly #omegas: Float64Array;
  readonly #zetas: Float64Array;
  readonly #decays: Float64Array;
  readonly #contact: SwingContact | undefined;
  readonly #joints: number;
  #gain = 1;
  #options: SwingOptions = SWING_DEFAULTS;
  #decayInterval = -1;

  /**
   * @param dynamics  validated
   * @param bones     m of the skeleton
   */
  constructor(dynamics: Dynamics, bones: readonly Bone[], options?: Partial<SwingOptions>) {
    const { drivers, poles, limits, readOut, poseMap, motionMap, modes } = dynamics;
    const K = poles.length / 3;
    const C = readOut.length / (2 * limits.length || 1);
    this.dynamics = dynamics;
    this.#joints = bones.length;
    this.#contact = dynamics.contact && new SwingContact(dynamics.contact, dynamics);
    this.states = 2 * C;
    this.cost =
      readOut.length +
      poseMap.length +
      motionMap.length +
      modes.length +
      dynamics.channels.length +
      12 * C +
      72 * dynamics.bones.length +
      120 * drivers.length +
      24 * (dynamics.contact?.clearances.length ?? 0); // prettier-ignore
    this.#inputs = new DriverInputs(bones, dynamics);
    this.#pose = new PoseFeatures(bones, dynamics, readsMatrices(dynamics));
    this.#now = new Float64Array(this.#inputs.placementSize);
    this.#driven = new Float64Array(2 * C);
    this.#features = new Float64Array(2 * C);
    this.#code = new Float64Array(SWING_CODE);
    this.#omegas = new Float64Array(K);
    this.#zetas = new Float64Array(K);
    this.#decays = new Float64Array(4 * K);
    this.tune(options);
  }

  /** What is played, as multiples of what was learnt. */
  get options(): SwingOptions {
    return this.#options;
  }

  /**
   * Changes what is played, in the middle of the motion if need be: states stay as they are.
   *
   * @param options  multiples of what was learnt; absent ones are 1
   */
  tune(options: Partial<SwingOptions> | undefined): void {
    const resolved = resolveOptions('SwingPlayer', SWING_DEFAULTS, options);
    const { stiffness, damping, gain } = resolved;
    for (const [key, value] of Object.entries({ stiffness, damping })) {
      if (!(value > 0 && value < Number.POSITIVE_INFINITY)) {
        throw new UsageError(`SwingPlayer: ${key} is ${value}; give a number above 0`);
      }
    }
    if (!Number.isFinite(gain)) throw new UsageError(`SwingPlayer: gain is ${gain}; give a number`);
    const { poles } = this.dynamics;
    for (let k = 0; k < this.#omegas.length; k++) {
      this.#omegas[k] = Math.sqrt(stiffness) * poles[3 * k];
      this.#zetas[k] = Math.min(MOST_DAMPED, damping * poles[3 * k + 1]);
    }
    this.#gain = gain;
    this.#options = resolved;
    this.#decayInterval = -1;
  }

  /** A new instance, before its first pose. */
  createState(): SwingState {
    const R = this.dynamics.limits.length;
    return {
      interval: -1,
      placement: new Float64Array(this.#now.length),
      resonators: new Float64Array(this.states),
      driven: new Float64Array(this.states),
      amplitudes: new Float64Array(R),
    };
  }

  /** Forgets all motion: the next pose is taken as one that has been held for long. Call it after a seek. */
  reset(state: SwingState): void {
    state.interval = -1;
  }

  /**
   * Advances an instance to a pose.
   *
   * @param transforms  m × 12, rest → pose
   * @param dt          seconds since the last pose; 0 or less changes nothing but the pose part
   */
  step(state: SwingState, transforms: Float64Array, dt: number): void {
    const now = this.#now;
    this.#inputs.place(transforms, now);
    const first = state.interval < 0;
    const still = this.#inputs.read(first ? now : state.placement, now, first ? 0 : dt) || first || !(dt > 0);
    this.#drive();
    if (first) this.#settle(state);
    else if (dt > 0) this.#advance(state, dt, still);
    state.placement.set(now);
    if (first || dt > 0) {
      state.interval = first ? 0 : dt;
      state.driven.set(this.#driven);
    }
    this.#readOut(state, transforms);
  }

  /** The channels' inputs, from those of the drivers. */
  #drive(): void {
    const { channels } = this.dynamics;
    const u = this.#inputs.values;
    const width = u.length;
    for (let c = 0, at = 0; c < this.states; c += 2, at += width) {
      let [motion, gravity] = [0, 0];
      for (let k = 0; k < width; k += DRIVER_INPUTS) {
        for (let a = 0; a < MOTIONS; a++) motion += channels[at + k + a] * u[k + a];
        for (let a = MOTIONS; a < DRIVER_INPUTS; a++) gravity += channels[at + k + a] * u[k + a];
      }
      this.#driven[c] = motion;
      this.#driven[c + 1] = gravity;
    }
  }

  #settle(state: SwingState): void {
    for (let c = 0; c < this.states; c += 2) {
      state.resonators[c] = this.#driven[c + 1];
      state.resonators[c + 1] = 0;
    }
  }

  /** Motions are means of their intervals: between the middles of two intervals they are taken as linear. */
  #advance(state: SwingState, dt: number, jumped: boolean): void {
    const { poles } = this.dynamics;
    if (dt !== this.#decayInterval) {
      this.#omegas.forEach((omega, k) => {
        decayOf(omega, this.#zetas[k], dt, this.#decays, 4 * k);
      });
      this.#decayInterval = dt;
    }
    const half = jumped || state.interval <= 0 ? 0 : dt / (dt + state.interval);
    for (let k = 0, c = 0; k < this.#omegas.length; k++) {
      const end = c + 2 * poles[3 * k + 2];
      for (; c < end; c += 2) {
        const motion = this.#driven[c];
        const rise = half * (motion - state.driven[c]);
        const gravity = jumped ? this.#driven[c + 1] : state.driven[c + 1];
        const [from, to] = [gravity + motion - rise, this.#driven[c + 1] + motion + rise];
        advance(state.resonators, c, this.#decays, 4 * k, this.#omegas[k], this.#zetas[k], dt, from, to);
      }
    }
  }

  #readOut(state: SwingState, transforms: Float64Array): void {
    const { offsets, poseMap, motionMap, readOut, limits } = this.dynamics;
    const { amplitudes, resonators } = state;
    const theta = this.#pose.read(transforms, this.#inputs.values);
    const u = this.#inputs.values;
    const f = this.#features;
    for (let c = 0; c < f.length; c += 2) {
      f[c] = resonators[c] - this.#driven[c + 1];
      f[c + 1] = resonators[c + 1];
    }
    const motions = motionMap.length > 0;
    for (let r = 0, p = 0, q = 0, o = 0; r < amplitudes.length; r++) {
      let a = offsets[r];
      for (let k = 0; k < theta.length; k++) a += poseMap[p++] * theta[k];
      let swing = 0;
      if (motions) {
        for (let k = 0; k < u.length; k += DRIVER_INPUTS) {
          for (let b = 0; b < MOTIONS; b++) swing += motionMap[q++] * u[k + b];
        }
      }
      for (let k = 0; k < f.length; k++) swing += readOut[o++] * f[k];
      a += this.#gain * swing;
      amplitudes[r] = a * kneeFactor(Math.abs(a), limits[r]);
    }
  }

  /**
   * Lets the bones of a palette swing.
   *
   * @param palette  transforms of all bones of the skin in the pose of the last step, 12 each; changed in place
   */
  apply(state: SwingState, palette: Float64Array): void {
    const { bones, centres, rest, modes } = this.dynamics;
    const { amplitudes } = state;
    const code = this.#code;
    const delta = this.#delta;
    const width = rest.length;
    this.#contact?.pose(palette, firstJoint(palette, this.#joints));
    for (let d = 0; d < bones.length; d++) {
      for (let k = 0; k < SWING_CODE; k++) {
        const at = SWING_CODE * d + k;
        let sum = rest[at];
        for (let r = 0; r < amplitudes.length; r++) sum += amplitudes[r] * modes[r * width + at];
        code[k] = sum;
      }
      rotationExp(code, 0, this.#turn, 0);
      stretched(this.#turn, code, delta);
      for (let r = 0; r < 3; r++) {
        let carried = 0;
        for (let c = 0; c < 3; c++) carried += delta[4 * r + c] * centres[3 * d + c];
        delta[4 * r + 3] = centres[3 * d + r] + code[3 + r] - carried;
      }
      const at = TRANSFORM_SIZE * bones[d];
      composeTransforms(palette, at, delta, 0, this.#moved, 0);
      palette.set(this.#moved, at);
      this.#contact?.push(palette, d, at, centres);
    }
  }
}

/** R (I + S) into the linear part of a transform. */
function stretched(R: Float64Array, code: Float64Array, out: Float64Array): void {
  const xx = 1 + code[6];
  const yy = 1 + code[7];
  const zz = 1 + code[8];
  const xy = code[9];
  const xz = code[10];
  const yz = code[11];
  for (let r = 0; r < 3; r++) {
    const a = R[3 * r];
    const b = R[3 * r + 1];
    const c = R[3 * r + 2];
    out[4 * r] = a * xx + b * xy + c * xz;
    out[4 * r + 1] = a * xy + b * yy + c * yz;
    out[4 * r + 2] = a * xz + b * yz + c * zz;
  }
}
