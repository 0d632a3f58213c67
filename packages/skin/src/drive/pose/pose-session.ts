/**
 * Pose by pulling points of the skin: over the blend β of the examples and the controls t minimise
 *
 *   ½‖G t − m(β)‖²_W + Σ_c φ(C_c t − b_c) + ½λ‖β − β₀‖²,
 *
 * where φ holds each handle at its target, up to the largest force that it may pull with, and β₀ is the blend that the
 * handles speak for by themselves (see ExamplePrior). For a given β the rest is a
 * fixed quadratic in t with one 4m × 4m matrix for x, y and z, whose inverse K is made once; handles enter it by a
 * correction of their own number (K − V(S + a)⁻¹Vᵀ, the projection onto their null space where they are hard), so that
 * handles come and go without a new factor. With t eliminated, Gauss–Newton steps over β alone:
 *
 *   A = dmᵀW dm − dmᵀWG K GᵀW dm + λI,
 *
 * each checked against the cost and damped (Levenberg–Marquardt) where it does not fall. While handles move nothing is
 * allocated, and no part of the cost grows with the mesh.
 *
 * Reference: Der, Sumner, Popović. Inverse kinematics for reduced deformable models. 2006 (equations 5 to 10).
 */
import type { Block, Numerics, Scope } from '@pelt/math';
import {
  exampleCount,
  type Pose,
  type Poser,
  proxyCount,
  resolveOptions,
  TRANSFORM_SIZE,
  UsageError,
} from '@pelt/model';
import { deformLinear } from '../../deform/linear.ts';
import { ControlSystem, type Regions } from './control-system.ts';
import { ExamplePrior } from './example-prior.ts';
import { type Handle, HandleSet } from './handle-set.ts';
import { ProxyBlend } from './proxy-blend.ts';
import { transformsOf } from './relative-frame.ts';
import { factorSmall, solveSmall } from './small-cholesky.ts';

export interface PoseOptions {
  /** λ: how much the blend is drawn to the nearest examples, or to the rest pose where none is near. */
  readonly ridge: number;
  /** The largest force of a handle, in energy over the model's size. */
  readonly pull: number;
  /** Least and most share of an example; Infinity for no bounds. */
  readonly bounds: readonly [number, number];
  /** The pose is at rest when an iteration lowers the cost by less than this share. */
  readonly tolerance: number;
  /** Milliseconds or any other clock, for deadlines; absent: deadlines are not looked at. */
  readonly clock: (() => number) | undefined;
}

export const POSE_DEFAULTS: PoseOptions = {
  ridge: 1e-3,
  pull: 0.05,
  bounds: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  tolerance: 1e-8,
  clock: undefined,
};

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

/** Numbers in a row of three: an even number. */
const NARROW = 4;
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
  readonly #system: ControlSystem;
  readonly #handles: HandleSet;
  readonly #prior: ExamplePrior;
  readonly #blender: ProxyBlend;
  readonly #E: number;
  /** Numbers of one coordinate in a row of shapes (m, then its derivatives, to an even number), and of all three. */
  readonly #width: number;
  readonly #columns: number;
  readonly #scope: Scope;
  /** 3p rows: m − I and its derivatives */
  readonly #shapes: Block<Float64Array>;
  /** 3p × 4: m − I alone */
  readonly #target: Block<Float64Array>;
  /** N rows: GᵀW of the shapes, and K of that */
  readonly #pulled: Block<Float64Array>;
  readonly #moved: Block<Float64Array>;
  /** N × 4: GᵀW m and the pins, and K of that */
  readonly #g: Block<Float64Array>;
  readonly #free: Block<Float64Array>;
  /** width × width, A in the end */
  readonly #gram: Block<Float64Array>;
  readonly #a: Float64Array;
  readonly #gradient: Float64Array;
  readonly #delta: Float64Array;
  readonly #trial: Float64Array;
  /** N × 3 from the rest pose and the handles' offset, of the blend that was last evaluated */
  readonly #u: Float64Array;
  readonly #transforms: Float64Array;
  readonly #pose: Pose;
  readonly #state = { iterations: 0, cost: 0, atRest: true };
  #held: Float64Array = new Float64Array(0);
  #damping = FIRST_DAMPING;

  constructor(poser: Poser, numerics: Numerics, options: PoseOptions) {
    const [low, high] = options.bounds;
    if (!(low <= 0 && high >= 0))
      throw new UsageError(`begin: the bounds ${low} to ${high} must hold 0, the rest pose`);
    if (!(options.pull > 0)) throw new UsageError(`begin: pull is ${options.pull}; it must be above 0`);
    if (!(options.ridge >= 0)) throw new UsageError(`begin: ridge is ${options.ridge}; it must be 0 or more`);
    const [p, E] = [proxyCount(poser), exampleCount(poser)];
    this.#poser = poser;
    this.#options = options;
    this.#scope = numerics.scope();
    this.#system = new ControlSystem(poser, numerics, this.#scope);
    this.#handles = new HandleSet(poser, this.#system.x, options.pull);
    this.#prior = new ExamplePrior(poser);
    this.#blender = new ProxyBlend(p, E, poser.exampleLogs, poser.exampleStretches);
    this.#E = E;
    this.#width = this.#system.width;
    this.#columns = 3 * this.#width;
    const { N } = this.#system;
    this.#shapes = this.#scope.f64(3 * p * this.#columns);
    this.#target = this.#scope.f64(3 * p * NARROW);
    this.#pulled = this.#scope.f64(N * this.#columns);
    this.#moved = this.#scope.f64(N * this.#columns);
    this.#g = this.#scope.f64(N * NARROW);
    this.#free = this.#scope.f64(N * NARROW);
    this.#gram = this.#scope.f64(this.#width * this.#width);
    this.#a = new Float64Array(E * E);
    this.#gradient = new Float64Array(E);
    this.#delta = new Float64Array(E);
    this.#trial = new Float64Array(E);
    this.#u = new Float64Array(3 * N);
    this.#transforms = new Float64Array(TRANSFORM_SIZE * poser.rig.bones.length);
    this.#pose = { transforms: this.#transforms };
    this.blend = new Float64Array(E);
    this.#evaluate(this.blend);
  }

  get state(): PoseState {
    return this.#state;
  }

  /** The handles of the next steps; those that were set before are gone. No allocation where only targets move. */
  setHandles(handles: readonly Handle[]): void {
    const { capacity } = this.#handles;
    if (!this.#handles.set(handles, this.#system.inverse.view, this.#prior)) return;
    if (this.#handles.capacity !== capacity) this.#held = this.#handles.reserve(this.#columns);
    this.#wake();
  }

  /** Regions that are held, or that need not follow the examples; makes the inverse of the controls anew. */
  setRegions(regions: Regions): void {
    const now = this.#u.slice();
    for (let k = 9; k < now.length; k += 12) for (let r = 0; r < 3; r++) now[k + r] += this.#handles.offset[r];
    this.#system.setRegions(regions, now);
    this.#handles.refresh(this.#system.inverse.view);
    this.#wake();
  }

  /** Starts again from a blend, such as one example's: all zeros but for a one. */
  setBlend(blend: ArrayLike<number>): void {
    if (blend.length !== this.#E) throw new UsageError(`setBlend: ${blend.length} shares for ${this.#E} examples`);
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

  /** The controls as they are now, rest → pose in model space: the same array every time. */
  pose(): Pose {
    const { offset } = this.#handles;
    const u = this.#u;
    // The offset belongs to every control's translation; it is put in for the way out alone.
    for (let k = 9; k < u.length; k += 12) for (let r = 0; r < 3; r++) u[k + r] += offset[r];
    transformsOf(this.#poser, u, this.#transforms);
    for (let k = 9; k < u.length; k += 12) for (let r = 0; r < 3; r++) u[k + r] -= offset[r];
    return this.#pose;
  }

  positions(out: Float32Array): Float32Array {
    const { mesh, weights } = this.#poser.rig;
    return deformLinear(mesh.positions, weights, this.pose().transforms, out);
  }

  /** How far handle c is from its target, in model units. */
  handleError(c: number): number {
    return this.#handles.distance(c, this.#u);
  }

  /** Frees what lies in wasm memory; the session must not be used any more. */
  dispose(): void {
    this.#scope.dispose();
  }

  /** One Gauss–Newton iteration. */
  iterate(): void {
    const { blend } = this;
    const E = this.#E;
    const state = this.#state;
    const before = state.cost;
    state.iterations++;
    this.#linearise();
    const low = this.#options.bounds[0];
    const high = this.#options.bounds[1];
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      this.#direction();
      let moves = false;
      for (let e = 0; e < E; e++) {
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
    this.#state.atRest = this.#handles.count === 0 || this.#E === 0;
  }

  /** Solves for the controls under a blend; returns and stores the cost. */
  #evaluate(beta: Float64Array): number {
    const { N, weights, inverse, products, pinForce, pinMass, spread } = this.#system;
    const E = this.#E;
    const { offset } = this.#handles;
    const target = this.#target.view;
    this.#blender.fill(beta, false, target, NARROW, 1);
    products.transposed(this.#target, NARROW, this.#g);
    const g = this.#g.view;
    for (let k = 0; k < N; k++) {
      for (let r = 0; r < 3; r++) {
        g[NARROW * k + r] += pinForce[3 * k + r] - pinMass[k] * offset[r];
      }
    }
    const spreadEnergy = spread.addForces(beta, this.#g, NARROW);
    products.square(inverse, this.#g, NARROW, this.#free);
    const free = this.#free.view;
    const u = this.#u;
    for (let k = 0; k < N; k++) for (let r = 0; r < 3; r++) u[3 * k + r] = free[NARROW * k + r];
    let cost = spreadEnergy + this.#handles.pull(u);
    for (let k = 0; k < N; k++) for (let r = 0; r < 3; r++) cost -= 0.5 * g[NARROW * k + r] * u[3 * k + r];
    for (let k = 0; k < target.length; k++) cost += 0.5 * weights[(k / (3 * NARROW)) | 0] * target[k] * target[k];
    for (let e = 0; e < E; e++) {
      cost += 0.5 * this.#options.ridge * (beta[e] - this.#prior.blend[e]) ** 2;
    }
    this.#state.cost = cost;
    return cost;
  }

  /** A and the gradient at the blend that was last evaluated. */
  #linearise(): void {
    const { N, inverse, products, spread } = this.#system;
    const E = this.#E;
    const columns = this.#columns;
    const width = this.#width;
    const { ridge } = this.#options;
    this.#blender.fill(this.blend, true, this.#shapes.view, columns, width);
    products.transposed(this.#shapes, columns, this.#pulled);
    products.gram(this.#shapes, columns, width, this.#gram);
    const gram = this.#gram.view;
    const pulled = this.#pulled.view;
    // dmᵀW m is in the first column; what comes off belongs to A alone.
    for (let e = 0; e < E; e++) this.#gradient[e] = gram[(e + 1) * width];
    spread.addDerivatives(this.blend, this.#pulled, columns, gram, this.#gradient);
    products.square(inverse, this.#pulled, columns, this.#moved);
    products.subtractProducts(this.#pulled, this.#moved, columns, width, this.#gram);
    const held = this.#held;
    const yielding = this.#handles.hold(pulled, columns, held);
    const k = this.#handles.count;
    const u = this.#u;
    for (let e = 0; e < E; e++) {
      let slope = this.#gradient[e] + ridge * (this.blend[e] - this.#prior.blend[e]);
      for (let j = 0, at = e + 1; j < N; j++, at += columns) {
        slope -= pulled[at] * u[3 * j] + pulled[at + width] * u[3 * j + 1] + pulled[at + 2 * width] * u[3 * j + 2];
      }
      this.#gradient[e] = slope;
      for (let f = 0; f <= e; f++) {
        let sum = gram[(e + 1) * width + f + 1] + (e === f ? ridge : 0);
        for (let c = 0, row = 0; c < k; c++, row += columns) {
          for (let r = row; r < row + columns; r += width) sum += held[r + e + 1] * yielding[r + f + 1];
        }
        gram[(e + 1) * width + f + 1] = sum;
      }
    }
  }

  /** The damped step: (A + μ diag A) δ = −gradient over the shares that are not at a bound they press against. */
  #direction(): void {
    const E = this.#E;
    const a = this.#a;
    const delta = this.#delta;
    const gram = this.#gram.view;
    for (let e = 0; e < E; e++) {
      for (let f = 0; f <= e; f++) a[e * E + f] = gram[(e + 1) * this.#width + f + 1];
      a[e * E + e] *= 1 + this.#damping;
      delta[e] = -this.#gradient[e];
    }
    const low = this.#options.bounds[0];
    const high = this.#options.bounds[1];
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
