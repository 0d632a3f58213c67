/**
 * The cost of a pose as a function of the blend β of the examples alone,
 *
 *   min over t of ½‖G t − m(β)‖²_W + Σ_c φ(C_c t − b_c) + ½λ‖β − β₀‖²,
 *
 * where φ is the Huber penalty of a handle, with its force limit, and β₀ a prior from the positions of the handles (see
 * ExamplePrior). For a given β the rest is quadratic in the controls t, with one constant 4m × 4m matrix for x, y and z
 * whose inverse K is computed once. Handles enter by a low-rank correction (K − V(S + a)⁻¹Vᵀ, the projection onto their
 * null space where they are hard), so that they can be added and removed without refactoring. With t eliminated, the
 * Gauss–Newton matrix over β is
 *
 *   A = dmᵀW dm − dmᵀWG K GᵀW dm + λI,
 *
 * with three more rows for the rotation of the whole (see HandleTurn).
 *
 * Evaluating it allocates nothing and does not depend on the size of the mesh.
 *
 * Reference: Der, Sumner, Popović. Inverse kinematics for reduced deformable models. 2006 (equations 5 to 10).
 */
import { ShapeBlend } from '@pelt/kernels';
import type { Block, Scope } from '@pelt/math';
import { exampleCount, type Poser, proxyCount, type Run } from '@pelt/model';
import type { PoseOptions } from '../options.ts';
import { ControlSystem, type Regions } from './control-system.ts';
import { ExamplePrior } from './example-prior.ts';
import { type Handle, HandleSet } from './handle-set.ts';
import { LEAST_HANDLES, type RigidStarts } from './rigid-starts.ts';

/** Stride of rows of three numbers: kernels need an even one. */
const NARROW = 4;

export class PoseCost {
  /** E, or E + 3 where the frame turns: gradient of the cost, after `linearise` */
  readonly gradient: Float64Array;
  /** N × 3 controls, relative to the rest pose and the handles' offset, for the last evaluated blend */
  readonly u: Float64Array;
  /** Whether the frame may turn: pinned vertices keep it. */
  mayTurn = true;
  readonly #ridge: number;
  readonly #system: ControlSystem;
  readonly #handles: HandleSet;
  readonly #prior: ExamplePrior;
  readonly #blender: ShapeBlend;
  readonly #E: number;
  /** Entries per coordinate in a row of shapes (m and its derivatives, padded to an even number), and of all three. */
  readonly #width: number;
  readonly #columns: number;
  /** 3p rows: m − I and its derivatives */
  readonly #shapes: Block<Float64Array>;
  /** 3p × 4: m − I alone */
  readonly #target: Block<Float64Array>;
  /** N rows: GᵀW times the shapes, and L⁻¹ times that */
  readonly #pulled: Block<Float64Array>;
  readonly #moved: Block<Float64Array>;
  /** N × 4: GᵀW m plus the pins, and K times that */
  readonly #g: Block<Float64Array>;
  readonly #free: Block<Float64Array>;
  /** width × width */
  readonly #gram: Block<Float64Array>;
  #held: Float64Array = new Float64Array(0);
  /** (E + 3)²: A and behind it the rows of the rotation, at and below the diagonal, after `linearise` */
  readonly #a: Float64Array;

  /**
   * @param options  force limit of the handles, λ, and how many nearest examples are wanted
   * @param scope    owns the blocks in wasm memory
   */
  constructor(
    poser: Poser,
    { pull, ridge, starts }: Pick<PoseOptions, 'pull' | 'ridge' | 'starts'>,
    run: Run,
    scope: Scope,
  ) {
    const [p, E] = [proxyCount(poser), exampleCount(poser)];
    this.#E = E;
    this.#ridge = ridge;
    this.#system = new ControlSystem(poser, run, scope);
    this.#handles = new HandleSet(poser, this.#system.x, pull);
    this.#prior = new ExamplePrior(poser, starts);
    this.#blender = new ShapeBlend(run.numerics, scope, p, E, poser.exampleLogs, poser.exampleStretches);
    this.#width = this.#blender.width;
    this.#columns = 3 * this.#width;
    const { N } = this.#system;
    this.#shapes = scope.f64(3 * p * this.#columns);
    this.#target = scope.f64(3 * p * NARROW);
    this.#pulled = scope.f64(N * this.#columns);
    this.#moved = scope.f64(N * this.#columns);
    this.#g = scope.f64(N * NARROW);
    this.#free = scope.f64(N * NARROW);
    this.#gram = scope.f64(this.#width * this.#width);
    this.gradient = new Float64Array(E + 3);
    this.#a = new Float64Array((E + 3) ** 2);
    this.u = new Float64Array(3 * N);
  }

  /** 9: rotation of the frame that `u` is in, about the centre of the model; row-major */
  get frame(): Float64Array {
    return this.#handles.turn.frame;
  }

  /** @param rotation  9 from index `at` */
  setFrame(rotation: ArrayLike<number>, at: number): void {
    this.#handles.setFrame(rotation, at);
  }

  /** Turns the frame by a step of the rotation, which is behind that of the blend, from what it was. */
  turnFrom(frame: Float64Array, step: Float64Array): void {
    this.#handles.turnFrom(frame, step, this.#E);
  }

  /** Unknowns of a step: the blend and, where handles determine it, the rotation of the frame. */
  get unknowns(): number {
    return this.#E + (this.mayTurn && this.#handles.count >= LEAST_HANDLES ? 3 : 0);
  }

  /** The examples that are nearest to the handles when they are placed rigidly. */
  get starts(): RigidStarts {
    return this.#prior.starts;
  }

  get handleCount(): number {
    return this.#handles.count;
  }

  /** RMS distance by which the handles were moved last, in model sizes. */
  get handlesMoved(): number {
    return this.#handles.moved;
  }

  /** Mean displacement of all handles, in model sizes; `u` is relative to it. */
  get offset(): Float64Array {
    return this.#handles.offset;
  }

  /** @returns whether anything changed; allocates nothing where only targets change */
  setHandles(handles: readonly Handle[]): boolean {
    const { capacity } = this.#handles;
    if (!this.#handles.set(handles, this.#system.inverse.view, this.#prior)) return false;
    if (this.#handles.capacity !== capacity) this.#held = this.#handles.reserve(this.#columns);
    return true;
  }

  /** Recomputes K; pinned vertices stay where `u` has them. */
  setRegions(regions: Regions): void {
    this.mayTurn = (regions.pinned?.length ?? 0) === 0;
    const now = this.u.slice();
    for (let k = 9; k < now.length; k += 12) for (let r = 0; r < 3; r++) now[k + r] += this.offset[r];
    this.#system.setRegions(regions, now);
    this.#handles.refresh(this.#system.inverse.view);
  }

  /** Distance of handle c from its target in model space, for the last evaluated blend. */
  handleError(c: number): number {
    return this.#handles.distance(c, this.u);
  }

  /** Solves for the controls of a blend, and returns the cost. */
  evaluate(beta: Float64Array): number {
    const { N, weights, inverse, products, pinForce, pinMass, spread } = this.#system;
    const { u, offset } = this;
    const target = this.#target.view;
    this.#handles.setBlend(beta, inverse.view);
    this.#blender.gradients(beta, this.#target, NARROW);
    products.transposed(this.#target, NARROW, this.#g);
    const spreadEnergy = spread.addForces(beta, this.#g, NARROW);
    const g = this.#g.view;
    for (let k = 0; k < N; k++) {
      for (let r = 0; r < 3; r++) g[NARROW * k + r] += pinForce[3 * k + r] - pinMass[k] * offset[r];
    }
    products.square(inverse, this.#g, NARROW, this.#free);
    const free = this.#free.view;
    for (let k = 0; k < N; k++) for (let r = 0; r < 3; r++) u[3 * k + r] = free[NARROW * k + r];
    const ridge = this.#ridge * this.#prior.stiffness;
    let cost = spreadEnergy + this.#handles.pull(u) + this.#handles.turn.cost;
    for (let k = 0; k < N; k++) for (let r = 0; r < 3; r++) cost -= 0.5 * g[NARROW * k + r] * u[3 * k + r];
    for (let k = 0; k < target.length; k++) cost += 0.5 * weights[(k / (3 * NARROW)) | 0] * target[k] * target[k];
    for (let e = 0; e < this.#E; e++) cost += 0.5 * ridge * (beta[e] - this.#prior.blend[e]) ** 2;
    return cost;
  }

  /** Computes A and the gradient at the last evaluated blend. */
  linearise(beta: Float64Array): void {
    const { N, lowerInverse, products, spread } = this.#system;
    const { u, gradient } = this;
    const E = this.#E;
    const columns = this.#columns;
    const width = this.#width;
    this.#blender.derivatives(beta, this.#shapes, columns);
    products.transposed(this.#shapes, columns, this.#pulled);
    products.gram(this.#shapes, columns, width, this.#gram);
    const gram = this.#gram.view;
    const pulled = this.#pulled.view;
    // The first column of the Gram matrix is dmᵀW m; what is subtracted below concerns A only.
    for (let e = 0; e < E; e++) gradient[e] = gram[(e + 1) * width];
    spread.addDerivatives(beta, this.#pulled, columns, this.#gram, gradient);
    // PᵀKP = (L⁻¹P)ᵀ(L⁻¹P)
    products.lower(lowerInverse, this.#pulled, columns, this.#moved);
    products.addProducts(N, -1, this.#moved, this.#moved, columns, width, this.#gram);
    const held = this.#held;
    const yielding = this.#handles.hold(pulled, columns, width, u, held);
    this.#handles.addDetailSlopes(u, gradient);
    const k = this.#handles.count;
    const ridge = this.#ridge * this.#prior.stiffness;
    const a = this.#a;
    const M = this.unknowns;
    for (let e = 0; e < E; e++) {
      let slope = gradient[e] + ridge * (beta[e] - this.#prior.blend[e]);
      for (let j = 0, at = e + 1; j < N; j++, at += columns) {
        slope -= pulled[at] * u[3 * j] + pulled[at + width] * u[3 * j + 1] + pulled[at + 2 * width] * u[3 * j + 2];
      }
      gradient[e] = slope;
      for (let f = 0; f <= e; f++) {
        let sum = gram[(e + 1) * width + f + 1] + (e === f ? ridge : 0);
        for (let c = 0, row = 0; c < k; c++, row += columns) {
          for (let r = row; r < row + columns; r += width) sum += held[r + e + 1] * yielding[r + f + 1];
        }
        a[e * M + f] = sum;
      }
    }
    if (M > E) this.#handles.holdTurn(gradient, E).addRows(k, E, yielding, width, a);
  }

  /** @param a  square, of as many rows as there are unknowns; its lower triangle is overwritten */
  matrix(a: Float64Array): void {
    for (let k = 0; k < this.unknowns ** 2; k++) a[k] = this.#a[k];
  }
}
