/**
 * Inverse kinematics for reduced deformable models: Gauss–Newton over the blend weights of the examples, how regions of the
 * body depart from them, and the rotation of the whole, with the controls eliminated (see PoseCost), and
 * Levenberg–Marquardt damping where a step does not lower the cost. Moving handles allocates nothing, and the cost of an iteration does not depend on the size of the mesh.
 *
 * The cost has several minima, in which a descent from the last pose can be stuck: facing the wrong way, for example.
 * Once it has converged, the nearest examples, placed rigidly, are tried as further starts, and the least cost wins. Where
 * the pose stretches the surface too much, the handles pull less (see ForceLimit).
 *
 * Reference: Der, Sumner, Popović. Inverse kinematics for reduced deformable models. 2006 (equations 5 to 10).
 */
import { DISPOSE, type Numerics, type Scope } from '@pelt/math';
import {
  exampleCount,
  interruptible,
  type Pose,
  type Poser,
  type Run,
  TRANSFORM_SIZE,
  UsageError,
  validatePoser,
} from '@pelt/model';
import type { PoseOptions } from '../options.ts';
import type { Regions } from './control-system.ts';
import { dampedStep } from './damped-step.ts';
import { EasedPose } from './eased-pose.ts';
import { EdgeLimit } from './edge-limit.ts';
import { ForceLimit } from './force-limit.ts';
import { GUESS_GAIN, guessedStart } from './guessed-start.ts';
import { type HandlePoser, type PoseState, poseOptions } from './handle-poser.ts';
import type { Handle } from './handle-set.ts';
import { PoseCost } from './pose-cost.ts';
import { PoseJump } from './pose-jump.ts';
import { PosedSkin } from './posed-skin.ts';
import { RegionAnchors } from './region-anchors.ts';
import { transformsOf, turnTransforms } from './relative-frame.ts';
import { LEAST_HANDLES } from './rigid-starts.ts';

const FIRST_DAMPING = 1e-3;
const LEAST_DAMPING = 1e-7;
const MOST_TRIES = 12;
/** Iterations after which the pose is accepted without convergence. */
const MOST_ITERATIONS = 200;
/** Another start must lower the cost to this fraction: the pose should not change sides for nothing. */
const SWITCH_GAIN = 0.7;
/** `#start` while the pose of the last handles is followed. */
const WARM = -1;
const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];

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

/** A character that is posed by handles; moving handles allocates nothing. */
export class PoseSession implements HandlePoser {
  readonly blend: Float64Array;
  /** Everything that determines the pose: the blend of the whole body, then each region's modes and rotation. */
  readonly parameters: Float64Array;
  readonly #poser: Poser;
  readonly #options: PoseOptions;
  readonly #low: number;
  readonly #high: number;
  readonly #scope: Scope;
  readonly #cost: PoseCost;
  readonly #numerics: Numerics;
  /** Created when positions are asked for: an engine has its own skin. */
  #skin: PosedSkin | undefined;
  readonly #a: Float64Array;
  readonly #delta: Float64Array;
  readonly #trial: Float64Array;
  readonly #transforms: Float64Array;
  readonly #pose: Pose;
  readonly #state = { iterations: 0, cost: 0, atRest: true };
  #damping = FIRST_DAMPING;
  /** 9: the frame before a step */
  readonly #frame = new Float64Array(9);
  /** The start that is being tried: `WARM`, or the number of a nearest example. */
  #start = WARM;
  /** What is tried, a blend in a frame, and what it has to beat. */
  readonly #candidate: Float64Array;
  readonly #tried = Float64Array.from(IDENTITY);
  readonly #kept = { frame: Float64Array.from(IDENTITY), cost: 0 };
  /** The handles have changed since the last iteration. */
  #isWoken = false;
  readonly #jump: PoseJump;
  /** All descents are done; what is left is easing. */
  #settled = true;
  readonly #forces = new ForceLimit(() => new EdgeLimit(this.#poser, this.#posed().shapes()));
  /** Iterations of all descents since the handles, or their forces, changed. */
  #descent = 0;
  readonly #easing: EasedPose;
  readonly #anchors: RegionAnchors;
  /** The handles, and behind them what holds the pose that they leave open. */
  readonly #all: Handle[] = [];
  #given = 0;
  /** Handles and planted feet: what says where the pose goes. */
  #determining = 0;

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
    const { count } = this.#cost.body;
    this.#a = new Float64Array((count + 3) ** 2);
    this.#delta = new Float64Array(count + 3);
    this.#trial = new Float64Array(count);
    this.#transforms = new Float64Array(TRANSFORM_SIZE * poser.rig.bones.length);
    this.#pose = { transforms: this.#transforms };
    this.#candidate = new Float64Array(count);
    this.#jump = new PoseJump(E);
    this.#easing = new EasedPose(this.#transforms.length, options.ease);
    this.#anchors = new RegionAnchors(poser);
    this.parameters = new Float64Array(count);
    this.blend = new Float64Array(E);
    this.#evaluate(this.parameters);
  }

  get state(): PoseState {
    return this.#state;
  }

  /** Replaces all handles; allocates nothing where only targets change. */
  setHandles(handles: readonly Handle[]): void {
    const before = this.#given;
    this.#gather(handles);
    if (!this.#cost.setHandles(this.#all, this.#determining)) return;
    this.#jump.move(this.#cost.handlesMoved);
    // Another set of handles is another task: nothing to ease from.
    if (this.#given !== before) {
      this.#easing.reset();
      this.#forces.share = 1;
      this.#cost.setForceShare(1);
    }
    this.#wake();
  }

  /** The handles and, where they leave the pose open, anchors: those of before as long as the same vertices are pulled. */
  #gather(handles: readonly Handle[]): void {
    const all = this.#all;
    let other = handles.length !== this.#given;
    for (let c = 0; c < handles.length && !other; c++) other = all[c].vertex !== handles[c].vertex;
    this.#given = handles.length;
    if (other) {
      all.length = 0;
      for (const handle of handles) all.push(handle);
      this.#cost.anchor.set(this.parameters);
      this.#cost.body.hold([]);
      if (handles.length > 0) {
        const shown = this.#shown();
        if (this.#options.plants) this.#anchors.plant(handles, shown, this.blend, all);
        this.#determining = all.length;
        const isOpen = all.length < LEAST_HANDLES;
        if (isOpen && this.#options.stays && this.#cost.body.R > 1) {
          this.#anchors.hold(handles, shown, this.blend, all);
          this.#cost.body.hold(handles.map(({ vertex }) => this.#anchors.regionOf(vertex)));
        }
      } else this.#determining = 0;
    }
    for (let c = 0; c < handles.length; c++) all[c] = handles[c];
  }

  /** Replaces the regions that are pinned or free, and recomputes the inverse of the controls' matrix. */
  setRegions(regions: Regions): void {
    this.#cost.setRegions(regions);
    this.#wake();
  }

  /**
   * Restarts from a blend, such as that of one example: zeros and a one.
   *
   * @param blend  E weights, the same for all regions, or all `parameters` of an earlier pose
   */
  setBlend(blend: ArrayLike<number>): void {
    const E = this.blend.length;
    if (blend.length !== E && blend.length !== this.parameters.length) {
      throw new UsageError(`setBlend: ${blend.length} weights for ${E} examples; give one each`);
    }
    this.parameters.fill(0);
    this.parameters.set(blend);
    this.#cost.anchor.set(this.parameters);
    this.#cost.setFrame(IDENTITY, 0);
    this.#easing.reset();
    this.#wake();
  }

  step(deadline = Number.POSITIVE_INFINITY): PoseState {
    const { clock } = this.#options;
    const state = this.#state;
    this.#enterGuess();
    if (this.#start > WARM) this.#enter(this.#candidate, this.#tried, 0);
    while (!this.#settled) {
      const converged = this.#descend(this.#start === WARM ? this.parameters : this.#candidate);
      if (converged) this.#nextStart();
      if (this.#settled) this.#limitForces();
      if (clock && clock() >= deadline) break;
    }
    // What is tried is not shown.
    if (this.#start > WARM) {
      this.#tried.set(this.#cost.frame);
      this.#enter(this.parameters, this.#kept.frame, 0);
    }
    this.blend.set(this.#cost.body.details);
    if (this.#settled && this.#jump.find(this.parameters)) this.#easing.begin();
    const eases = this.#easing.advance();
    state.atRest = this.#settled && !eases;
    return state;
  }

  /**
   * The current controls, m × 12, rest → pose in model space: the same array every time. `blend` has the weights of the
   * morph targets that hold the examples' details.
   */
  pose(): Pose {
    this.#easing.show(this.#shown());
    return this.#pose;
  }

  /** The controls of the pose that was found. */
  #shown(): Float64Array {
    const { u, offset } = this.#cost;
    // The offset is part of every control's translation; it is added for the conversion only.
    for (let k = 9; k < u.length; k += 12) for (let r = 0; r < 3; r++) u[k + r] += offset[r];
    transformsOf(this.#poser, u, this.#transforms);
    for (let k = 9; k < u.length; k += 12) for (let r = 0; r < 3; r++) u[k + r] -= offset[r];
    turnTransforms(this.#poser, this.#cost.frame, this.#transforms);
    return this.#transforms;
  }

  positions(out: Float32Array): Float32Array {
    out.set(this.#posed().pose(this.pose().transforms, this.blend));
    return out;
  }

  #posed(): PosedSkin {
    this.#skin ??= new PosedSkin(this.#poser, this.#numerics);
    return this.#skin;
  }

  /** Goes on with other forces of the handles where edges are too long, or where forces were reduced and need not be. */
  #limitForces(): void {
    const shown = () => this.#posed().pose(this.#shown(), this.#cost.body.details);
    if (!this.#forces.update(this.#cost.distance, shown)) return;
    this.#cost.setForceShare(this.#forces.share);
    this.#descent = 0;
    this.#evaluate(this.parameters);
    this.#damping = FIRST_DAMPING;
    this.#settled = false;
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
    this.#enterGuess();
    this.#settled = this.#descend(this.parameters);
    this.blend.set(this.#cost.body.details);
    this.#state.atRest = this.#settled;
  }

  /** Handles that have jumped: starts from what their positions suggest, if that costs much less than the last pose. */
  #enterGuess(): void {
    if (!this.#isWoken || this.#settled || !this.#cost.guess) return;
    this.#isWoken = false;
    this.#keep();
    const kept = this.#kept;
    const guess = guessedStart(this.#cost, this.#poser, this.#low, this.#high, this.#candidate);
    if (guess < GUESS_GAIN * kept.cost) {
      this.parameters.set(this.#candidate);
      this.#state.cost = guess;
    } else this.#enter(this.parameters, kept.frame, 0);
  }

  /** One Gauss–Newton iteration over a blend and the current frame; returns whether it has converged. */
  #descend(blend: Float64Array): boolean {
    const state = this.#state;
    const before = state.cost;
    state.iterations++;
    this.#descent++;
    this.#cost.linearise(blend);
    const low = this.#low;
    const high = this.#high;
    const turns = this.#cost.unknowns > blend.length;
    this.#frame.set(this.#cost.frame);
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      dampedStep(this.#cost, this.#damping, blend, this.blend.length, this.#low, this.#high, this.#a, this.#delta);
      let moves = turns;
      for (let e = 0; e < blend.length; e++) {
        const moved = blend[e] + this.#delta[e];
        this.#trial[e] = e < this.blend.length ? Math.min(Math.max(moved, low), high) : moved;
        moves ||= this.#trial[e] !== blend[e];
      }
      if (!moves) break;
      if (turns) this.#cost.turnFrom(this.#frame, this.#delta);
      if (this.#evaluate(this.#trial) < before) {
        blend.set(this.#trial);
        this.#damping = Math.max(this.#damping / 8, LEAST_DAMPING);
        const least = this.#forces.tolerance(this.#options.tolerance);
        return before - state.cost <= least * before || this.#descent >= MOST_ITERATIONS;
      }
      this.#damping *= 8;
    }
    // No step lowers the cost: the solver has converged.
    if (turns) this.#cost.setFrame(this.#frame, 0);
    this.#evaluate(blend);
    this.#damping = FIRST_DAMPING;
    return true;
  }

  /**
   * A descent has converged. Tries the next start whose cost, before any step, is below that of the pose: it ends
   * lower still, or where the pose is already.
   */
  #nextStart(): void {
    const state = this.#state;
    const kept = this.#kept;
    const { count, order, rotations } = this.#cost.starts;
    if (this.#start === WARM) this.#keep();
    else if (state.cost < SWITCH_GAIN * kept.cost) {
      this.#easing.begin();
      this.parameters.set(this.#candidate);
      this.#keep();
    }
    while (this.#cost.mayTurn && this.#forces.rounds === 0 && ++this.#start < count) {
      const e = order[this.#start];
      this.#candidate.fill(0);
      this.#candidate[e] = Math.min(1, this.#high);
      this.#enter(this.#candidate, rotations, 9 * e);
      if (state.cost < kept.cost) return;
    }
    this.#start = WARM;
    this.#enter(this.parameters, kept.frame, 0);
    this.#settled = true;
  }

  /** Notes the frame and the cost of the pose, which is in `parameters`. */
  #keep(): void {
    this.#kept.cost = this.#state.cost;
    this.#kept.frame.set(this.#cost.frame);
  }

  /** Goes on with another blend, in the frame of a rotation. */
  #enter(blend: Float64Array, rotation: ArrayLike<number>, at: number): void {
    this.#cost.setFrame(rotation, at);
    this.#evaluate(blend);
    this.#damping = FIRST_DAMPING;
  }

  #wake(): void {
    this.#start = WARM;
    this.#isWoken = true;
    this.#evaluate(this.parameters);
    this.blend.set(this.#cost.body.details);
    this.#damping = FIRST_DAMPING;
    this.#forces.rounds = 0;
    this.#descent = 0;
    this.#state.iterations = 0;
    // Without handles the pose does not change.
    this.#settled = this.#given === 0 || this.blend.length === 0;
    this.#state.atRest = this.#settled;
  }

  #evaluate(beta: Float64Array): number {
    this.#state.cost = this.#cost.evaluate(beta);
    return this.#state.cost;
  }
}
