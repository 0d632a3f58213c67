/**
 * Pose by pulling points of the skin: Gauss–Newton over the blend of the examples, with the controls eliminated (see
 * PoseCost); each step is checked against the cost and damped (Levenberg–Marquardt) where it does not fall. While handles
 * move nothing is allocated, and no part of the cost grows with the mesh.
 *
 * Reference: Der, Sumner, Popović. Inverse kinematics for reduced deformable models. 2006 (equations 5 to 10).
 */

import { factorSmall, LinearBlend, type Numerics, type Scope, solveSmall } from '@pelt/math';
import { exampleCount, type Pose, type Poser, resolveOptions, TRANSFORM_SIZE, UsageError } from '@pelt/model';
import { POSE_DEFAULTS, type PoseOptions } from '../options.ts';
import type { Regions } from './control-system.ts';
import type { Handle } from './handle-set.ts';
import { PoseCost } from './pose-cost.ts';
import { transformsOf } from './relative-frame.ts';

/** What a session shows of itself; the object is the same every time. */
export interface PoseState {
  /** Iterations since the handles last changed. */
  readonly iterations: number;
  readonly cost: number;
  /** Nothing moves until a handle does. */
  readonly atRest: boolean;
}

/** What poses by handles: the reduced model here, full MeshIK beside it. */
export interface HandlePoser {
  readonly state: PoseState;
  /** E shares of the examples */
  readonly blend: Float64Array;
  setHandles(handles: readonly Handle[]): void;
  /** Iterates until the pose is at rest or the clock has reached the deadline; at least once where it is not at rest. */
  step(deadline?: number): PoseState;
  /** n × 3 posed positions into `out` */
  positions(out: Float32Array): Float32Array;
  dispose(): void;
}

const FIRST_DAMPING = 1e-3;
const LEAST_DAMPING = 1e-7;
const MOST_TRIES = 12;
/** After so many iterations without coming to rest the pose is taken as it is. */
const MOST_ITERATIONS = 200;

export function begin(poser: Poser, numerics: Numerics, options?: Partial<PoseOptions>): PoseSession {
  return new PoseSession(poser, numerics, resolveOptions('begin', POSE_DEFAULTS, options));
}

export class PoseSession implements HandlePoser {
  readonly blend: Float64Array;
  readonly #poser: Poser;
  readonly #options: PoseOptions;
  readonly #scope: Scope;
  readonly #cost: PoseCost;
  readonly #numerics: Numerics;
  /** Made when positions are asked for: an engine has a skin of its own. */
  #skin: LinearBlend | undefined;
  readonly #a: Float64Array;
  readonly #delta: Float64Array;
  readonly #trial: Float64Array;
  readonly #transforms: Float64Array;
  readonly #pose: Pose;
  readonly #state = { iterations: 0, cost: 0, atRest: true };
  #damping = FIRST_DAMPING;

  constructor(poser: Poser, numerics: Numerics, options: PoseOptions) {
    const [low, high] = options.bounds;
    if (!(low <= 0 && high >= 0))
      throw new UsageError(`begin: the bounds ${low} to ${high} must hold 0, the rest pose`);
    if (!(options.pull > 0)) throw new UsageError(`begin: pull is ${options.pull}; it must be above 0`);
    if (!(options.ridge >= 0)) throw new UsageError(`begin: ridge is ${options.ridge}; it must be 0 or more`);
    const E = exampleCount(poser);
    this.#poser = poser;
    this.#options = options;
    this.#scope = numerics.scope();
    this.#cost = new PoseCost(poser, numerics, this.#scope, options.pull, options.ridge);
    this.#numerics = numerics;
    this.#a = new Float64Array(E * E);
    this.#delta = new Float64Array(E);
    this.#trial = new Float64Array(E);
    this.#transforms = new Float64Array(TRANSFORM_SIZE * poser.rig.bones.length);
    this.#pose = { transforms: this.#transforms };
    this.blend = new Float64Array(E);
    this.#state.cost = this.#cost.evaluate(this.blend);
  }

  get state(): PoseState {
    return this.#state;
  }

  /** The handles of the next steps; those that were set before are gone. No allocation where only targets move. */
  setHandles(handles: readonly Handle[]): void {
    if (this.#cost.setHandles(handles)) this.#wake();
  }

  /** Regions that are held, or that need not follow the examples; makes the inverse of the controls anew. */
  setRegions(regions: Regions): void {
    this.#cost.setRegions(regions);
    this.#wake();
  }

  /** Starts again from a blend, such as one example's: all zeros but for a one. */
  setBlend(blend: ArrayLike<number>): void {
    const E = this.blend.length;
    if (blend.length !== E) throw new UsageError(`setBlend: ${blend.length} shares for ${E} examples`);
    this.blend.set(blend);
    this.#wake();
  }

  step(deadline = Number.POSITIVE_INFINITY): PoseState {
    const { clock } = this.#options;
    while (!this.#state.atRest) {
      this.iterate();
      if (clock && clock() >= deadline) break;
    }
    return this.#state;
  }

  /**
   * The controls as they are now, rest → pose in model space: the same array every time. An engine that plays them has
   * `blend` for the weights of the details' morph targets.
   */
  pose(): Pose {
    const { u, offset } = this.#cost;
    // The offset belongs to every control's translation; it is put in for the way out alone.
    for (let k = 9; k < u.length; k += 12) for (let r = 0; r < 3; r++) u[k + r] += offset[r];
    transformsOf(this.#poser, u, this.#transforms);
    for (let k = 9; k < u.length; k += 12) for (let r = 0; r < 3; r++) u[k + r] -= offset[r];
    return this.#pose;
  }

  positions(out: Float32Array): Float32Array {
    const { rig, exampleDetails } = this.#poser;
    const { bones, weights } = rig.weights;
    this.#skin ??= new LinearBlend(
      this.#numerics,
      rig.mesh.positions,
      bones,
      weights,
      rig.bones.length,
      exampleDetails,
    );
    out.set(this.#skin.pose(this.pose().transforms, exampleDetails.length > 0 ? this.blend : undefined));
    return out;
  }

  /** How far handle c is from its target, in model units. */
  handleError(c: number): number {
    return this.#cost.handleError(c);
  }

  /** Frees what lies in wasm memory; the session must not be used any more. */
  dispose(): void {
    this.#skin?.dispose();
    this.#scope.dispose();
  }

  /** One Gauss–Newton iteration. */
  iterate(): void {
    const { blend } = this;
    const state = this.#state;
    const before = state.cost;
    state.iterations++;
    this.#cost.linearise(blend);
    const low = this.#options.bounds[0];
    const high = this.#options.bounds[1];
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      this.#direction();
      let moves = false;
      for (let e = 0; e < blend.length; e++) {
        this.#trial[e] = Math.min(Math.max(blend[e] + this.#delta[e], low), high);
        moves ||= this.#trial[e] !== blend[e];
      }
      if (!moves) break;
      if (this.#evaluate(this.#trial) < before) {
        blend.set(this.#trial);
        this.#damping = Math.max(this.#damping / 8, LEAST_DAMPING);
        state.atRest = before - state.cost <= this.#options.tolerance * before || state.iterations >= MOST_ITERATIONS;
        return;
      }
      this.#damping *= 8;
    }
    // No step lowers the cost: this is the pose.
    this.#evaluate(blend);
    this.#damping = FIRST_DAMPING;
    state.atRest = true;
  }

  #wake(): void {
    this.#evaluate(this.blend);
    this.#damping = FIRST_DAMPING;
    this.#state.iterations = 0;
    // Without handles nothing pulls: the pose stays.
    this.#state.atRest = this.#cost.handleCount === 0 || this.blend.length === 0;
  }

  #evaluate(beta: Float64Array): number {
    this.#state.cost = this.#cost.evaluate(beta);
    return this.#state.cost;
  }

  /** The damped step: (A + μ diag A) δ = −gradient over the shares that are not at a bound they press against. */
  #direction(): void {
    const a = this.#a;
    const delta = this.#delta;
    const E = delta.length;
    const low = this.#options.bounds[0];
    const high = this.#options.bounds[1];
    this.#cost.matrix(a);
    for (let e = 0; e < E; e++) {
      a[e * E + e] *= 1 + this.#damping;
      delta[e] = -this.#cost.gradient[e];
    }
    for (let e = 0; e < E; e++) {
      const presses = (this.blend[e] <= low && delta[e] < 0) || (this.blend[e] >= high && delta[e] > 0);
      if (!presses) continue;
      for (let f = 0; f < E; f++) a[Math.max(e, f) * E + Math.min(e, f)] = e === f ? 1 : 0;
      delta[e] = 0;
    }
    factorSmall(a, E, E);
    solveSmall(a, E, E, delta, 1);
  }
}
