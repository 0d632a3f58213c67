/**
 * Inverse kinematics for reduced deformable models: Gauss–Newton over the blend weights of the examples, with the
 * controls eliminated (see PoseCost), and Levenberg–Marquardt damping where a step does not lower the cost. Moving
 * handles allocates nothing, and the cost of an iteration does not depend on the size of the mesh.
 *
 * Reference: Der, Sumner, Popović. Inverse kinematics for reduced deformable models. 2006 (equations 5 to 10).
 */
import { DISPOSE, factorSmall, LinearBlend, type Numerics, type Scope, solveSmall } from '@pelt/math';
import {
  exampleCount,
  interruptible,
  type Pose,
  type Poser,
  type Run,
  resolveOptions,
  TRANSFORM_SIZE,
  UsageError,
  validatePoser,
} from '@pelt/model';
import { POSE_DEFAULTS, type PoseOptions } from '../options.ts';
import type { Regions } from './control-system.ts';
import type { Handle } from './handle-set.ts';
import { PoseCost } from './pose-cost.ts';
import { transformsOf } from './relative-frame.ts';

/** State of the solver; the same object every time. */
export interface PoseState {
  /** Iterations since the handles last changed. */
  readonly iterations: number;
  readonly cost: number;
  /** The solver has converged: the pose does not change until a handle does. */
  readonly atRest: boolean;
}

/** What poses a mesh by handles: a session on a reduced model, or full MeshIK. */
export interface HandlePoser extends Disposable {
  readonly state: PoseState;
  /** E blend weights of the examples */
  readonly blend: Float64Array;
  /** Replaces all handles. */
  setHandles(handles: readonly Handle[]): void;
  /** Iterates until convergence or until the clock has passed the deadline; at least once unless it has converged. */
  step(deadline?: number): PoseState;
  /** Writes n × 3 posed positions to `out`. */
  positions(out: Float32Array): Float32Array;
  /** Frees the kernels' memory; it must not be used afterwards. */
  dispose(): void;
}

const FIRST_DAMPING = 1e-3;
const LEAST_DAMPING = 1e-7;
const MOST_TRIES = 12;
/** Iterations after which the pose is accepted without convergence. */
const MOST_ITERATIONS = 200;

/**
 * Starts a session that poses a character by dragging points of its skin (Der, Sumner and Popović 2006). Dispose of it
 * to free its memory.
 *
 * @example
 * {@includeCode ../../../examples/create-pose-session.ts}
 */
export function createPoseSession(poser: Poser, options: Partial<PoseOptions> | undefined, run: Run): PoseSession {
  const resolved = poseOptions('createPoseSession', options);
  validatePoser(poser);
  return interruptible(run, () => new PoseSession(poser, resolved, run));
}

/** Options over their defaults, checked. */
export function poseOptions(owner: string, options: Partial<PoseOptions> | undefined): PoseOptions {
  const resolved = resolveOptions(owner, POSE_DEFAULTS, options);
  const { bounds, pull, ridge, tolerance } = resolved;
  if (bounds && !(bounds[0] <= 0 && bounds[1] >= 0)) {
    throw new UsageError(`${owner}: the bounds ${bounds[0]} to ${bounds[1]} exclude 0, the rest pose; include it`);
  }
  if (!(pull > 0)) throw new UsageError(`${owner}: pull is ${pull}; give a number above 0`);
  for (const [name, value] of Object.entries({ ridge, tolerance })) {
    if (!(value >= 0)) throw new UsageError(`${owner}: ${name} is ${value}; give a number from 0 on`);
  }
  return resolved;
}

/** A character that is posed by handles; moving handles allocates nothing. */
export class PoseSession implements HandlePoser {
  readonly blend: Float64Array;
  readonly #poser: Poser;
  readonly #options: PoseOptions;
  readonly #low: number;
  readonly #high: number;
  readonly #scope: Scope;
  readonly #cost: PoseCost;
  readonly #numerics: Numerics;
  /** Created when positions are asked for: an engine has its own skin. */
  #skin: LinearBlend | undefined;
  readonly #a: Float64Array;
  readonly #delta: Float64Array;
  readonly #trial: Float64Array;
  readonly #transforms: Float64Array;
  readonly #pose: Pose;
  readonly #state = { iterations: 0, cost: 0, atRest: true };
  #damping = FIRST_DAMPING;

  constructor(poser: Poser, options: PoseOptions, run: Run) {
    const E = exampleCount(poser);
    this.#poser = poser;
    this.#options = options;
    [this.#low, this.#high] = options.bounds ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    this.#numerics = run.numerics;
    this.#scope = run.numerics.scope();
    try {
      this.#cost = new PoseCost(poser, options, run, this.#scope);
    } catch (error) {
      this.#scope.dispose();
      throw error;
    }
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

  /** Replaces all handles; allocates nothing where only targets change. */
  setHandles(handles: readonly Handle[]): void {
    if (this.#cost.setHandles(handles)) this.#wake();
  }

  /** Replaces the regions that are pinned or free, and recomputes the inverse of the controls' matrix. */
  setRegions(regions: Regions): void {
    this.#cost.setRegions(regions);
    this.#wake();
  }

  /**
   * Restarts from a blend, such as that of one example: zeros and a one.
   *
   * @param blend  E weights
   */
  setBlend(blend: ArrayLike<number>): void {
    const E = this.blend.length;
    if (blend.length !== E) throw new UsageError(`setBlend: ${blend.length} weights for ${E} examples; give one each`);
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
   * The current controls, m × 12, rest → pose in model space: the same array every time. `blend` has the weights of the
   * morph targets that hold the examples' details.
   */
  pose(): Pose {
    const { u, offset } = this.#cost;
    // The offset is part of every control's translation; it is added for the conversion only.
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

  /** Distance of handle c from its target, in model space. */
  handleError(c: number): number {
    return this.#cost.handleError(c);
  }

  /** Frees the kernels' memory; the session must not be used afterwards. */
  dispose(): void {
    this.#skin?.dispose();
    this.#scope.dispose();
  }

  [DISPOSE](): void {
    this.dispose();
  }

  /** One Gauss–Newton iteration. */
  iterate(): void {
    const { blend } = this;
    const state = this.#state;
    const before = state.cost;
    state.iterations++;
    this.#cost.linearise(blend);
    const low = this.#low;
    const high = this.#high;
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
    // No step lowers the cost: the solver has converged.
    this.#evaluate(blend);
    this.#damping = FIRST_DAMPING;
    state.atRest = true;
  }

  #wake(): void {
    this.#evaluate(this.blend);
    this.#damping = FIRST_DAMPING;
    this.#state.iterations = 0;
    // Without handles the pose does not change.
    this.#state.atRest = this.#cost.handleCount === 0 || this.blend.length === 0;
  }

  #evaluate(beta: Float64Array): number {
    this.#state.cost = this.#cost.evaluate(beta);
    return this.#state.cost;
  }

  /** The damped step (A + μ diag A) δ = −gradient, over the weights that are not at an active bound. */
  #direction(): void {
    const a = this.#a;
    const delta = this.#delta;
    const E = delta.length;
    const low = this.#low;
    const high = this.#high;
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
