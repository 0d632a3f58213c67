/**
 * The cost of a pose as a function of how the examples are blended alone,
 *
 *   min over t of ½‖G t − m(x)‖²_W + Σ_c φ(C_c t − b_c) + ½λ‖β − β₀‖² + departures,
 *
 * where x holds the blend β of the whole body and how its regions depart from it (see BodyBlend), φ is the Huber penalty of
 * a handle, with its force limit, and β₀ a prior from the positions of the handles (see ExamplePrior). Where fewer than
 * three handles leave the pose open, the prior is the pose at hand, and holds the common blend much more than that of the
 * regions: what is pulled moves, what is far stays.
 *
 * For a given x the rest is quadratic in the controls t, with one constant 4m × 4m matrix for x, y and z whose inverse K is
 * computed once. Handles enter by a low-rank correction (K − V(S + a)⁻¹Vᵀ, the projection onto their null space where they
 * are hard), so that they can be added and removed without refactoring. With t eliminated, the Gauss–Newton matrix is
 *
 *   A = dmᵀW dm − dmᵀWG K GᵀW dm + λI + departures,
 *
 * with three more rows for the rotation of the whole (see HandleTurn). Where there are regions, the first two terms, which
 * change slowly, are computed again only when the blend has changed: the handles' part and the gradient are exact in every
 * iteration. In them a proxy of several regions counts Σ_r φ_r‖dm x_r‖² in place of ‖dm Σ_r φ_r x_r‖², which it bounds, so
 * that regions couple through K and the departures alone.
 *
 * Evaluating it allocates nothing and does not depend on the size of the mesh.
 *
 * Reference: Der, Sumner, Popović. Inverse kinematics for reduced deformable models. 2006 (equations 5 to 10).
 */
import type { Block, Scope } from '@pelt/math';
import { exampleCount, type Poser, type Run } from '@pelt/model';
import type { PoseOptions } from '../options.ts';
import { BodyBlend } from './body-blend.ts';
import { NARROW } from './body-part.ts';
import { ControlSystem, type Regions } from './control-system.ts';
import { ExamplePrior } from './example-prior.ts';
import { type Handle, HandleSet } from './handle-set.ts';
import { ReducedMatrix } from './reduced-matrix.ts';
import { LEAST_HANDLES, type RigidStarts } from './rigid-starts.ts';

/** λ where handles leave the pose open, against its value elsewhere. */
const STAYING = 1000;

export class PoseCost {
  /** As many as unknowns, and 3: gradient of the cost, after `linearise` */
  readonly gradient: Float64Array;
  /** N × 3 controls, relative to the rest pose and the handles' offset, for the last evaluated blend */
  readonly u: Float64Array;
  /** The unknowns of the regions, and what follows from them. */
  readonly body: BodyBlend;
  /** The unknowns that a pose which the handles leave open stays near. */
  readonly anchor: Float64Array;
  /** Whether the frame may turn: pinned vertices keep it. */
  mayTurn: boolean;
  readonly #turns: boolean;
  readonly #follows: boolean;
  readonly #ridge: number;
  readonly #system: ControlSystem;
  readonly #handles: HandleSet;
  readonly #prior: ExamplePrior;
  readonly #reduced: ReducedMatrix;
  readonly #E: number;
  /** Handles that determine the pose, of all. */
  #determining = 0;
  /** N × 4: GᵀW m plus the pins, and K times that */
  readonly #g: Block<Float64Array>;
  readonly #free: Block<Float64Array>;
  /** (count + 3)²: A and behind it the rows of the rotation, at and below the diagonal, after `linearise` */
  readonly #a: Float64Array;

  /**
   * @param options  force limit of the handles, λ, how many nearest examples are wanted, and what else may decide
   * @param scope    owns the blocks in wasm memory
   */
  constructor(
    poser: Poser,
    {
      pull,
      ridge,
      starts,
      turns = true,
      follows = false,
    }: Pick<PoseOptions, 'pull' | 'ridge' | 'starts'> & Partial<Pick<PoseOptions, 'turns' | 'follows'>>,
    run: Run,
    scope: Scope,
  ) {
    this.#E = exampleCount(poser);
    this.#ridge = ridge;
    this.#turns = turns && !follows;
    this.#follows = follows;
    this.mayTurn = this.#turns;
    this.#system = new ControlSystem(poser, run, scope);
    this.body = new BodyBlend(poser, this.#system.areas);
    this.#handles = new HandleSet(poser, this.#system.x, pull);
    this.#prior = new ExamplePrior(poser, starts);
    this.#reduced = new ReducedMatrix(this.#system, this.body, scope);
    const { N } = this.#system;
    const { count } = this.body;
    this.#g = scope.f64(N * NARROW);
    this.#free = scope.f64(N * NARROW);
    this.gradient = new Float64Array(count + 3);
    this.anchor = new Float64Array(count);
    this.#a = new Float64Array((count + 3) ** 2);
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
    this.#handles.turnFrom(frame, step, this.body.count);
  }

  /** Unknowns of a step: those of the body and, where handles determine it, the rotation of the frame. */
  get unknowns(): number {
    return this.body.count + (this.mayTurn && this.#isDetermined ? 3 : 0);
  }

  /** E: the blend that the positions of the handles alone suggest; undefined where they leave the pose open. */
  get guess(): Float64Array | undefined {
    return this.#stays || this.distance === Number.POSITIVE_INFINITY ? undefined : this.#prior.blend;
  }

  /** The examples that are nearest to the handles when they are placed rigidly. */
  get starts(): RigidStarts {
    return this.#prior.starts;
  }

  get handleCount(): number {
    return this.#handles.count;
  }

  /** RMS distance of the handles from those of the nearest example, in model sizes; infinite where handles leave it open. */
  get distance(): number {
    return this.#isDetermined ? this.#prior.distance : Number.POSITIVE_INFINITY;
  }

  /** RMS distance by which the handles were moved last, in model sizes. */
  get handlesMoved(): number {
    return this.#handles.moved;
  }

  /** Mean displacement of all handles, in model sizes; `u` is relative to it. */
  get offset(): Float64Array {
    return this.#handles.offset;
  }

  get #isDetermined(): boolean {
    return this.#determining >= LEAST_HANDLES;
  }

  /** Whether the pose stays near the anchor. */
  get #stays(): boolean {
    return this.#follows || (this.body.R > 1 && !this.#isDetermined);
  }

  /**
   * @param determining  how many of the handles, the first ones, say where the pose goes; others hold what they leave open
   * @returns whether anything changed; allocates nothing where only targets change
   */
  setHandles(handles: readonly Handle[], determining = handles.length): boolean {
    const { capacity } = this.#handles;
    const other = determining !== this.#determining;
    this.#determining = determining;
    const prior = this.#follows || (this.body.R > 1 && determining < handles.length) ? undefined : this.#prior;
    if (!prior) this.#prior.clear();
    const changed = this.#handles.set(handles, this.#system.inverse.view, prior);
    this.body.firmness = this.#prior.firmness;
    if (!changed && !other) return false;
    if (this.#handles.capacity !== capacity) {
      this.#handles.reserve(this.#reduced.columns);
      this.#reduced.reserve(this.#handles.capacity);
    }
    return true;
  }

  /** Recomputes K; pinned vertices stay where `u` has them. */
  setRegions(regions: Regions): void {
    this.mayTurn = this.#turns && (regions.pinned?.length ?? 0) === 0;
    const now = this.u.slice();
    for (let k = 9; k < now.length; k += 12) for (let r = 0; r < 3; r++) now[k + r] += this.offset[r];
    this.#system.setRegions(regions, now);
    this.#reduced.forget();
    this.#handles.refresh(this.#system.inverse.view);
  }

  /** Reduces the force limit of every handle to a share of it. */
  setForceShare(share: number): void {
    this.#handles.setShare(share);
  }

  /** Distance of handle c from its target in model space, for the last evaluated blend. */
  handleError(c: number): number {
    return this.#handles.distance(c, this.u);
  }

  /** λ, and the blend that it leads to. */
  get #lambda(): number {
    return this.#ridge * (this.#stays ? STAYING : this.#prior.stiffness);
  }

  get #goal(): Float64Array {
    return this.#stays ? this.anchor : this.#prior.blend;
  }

  /** Solves for the controls of a blend, and returns the cost. */
  evaluate(x: Float64Array): number {
    const { N, inverse, products, pinForce, pinMass, parts } = this.#system;
    const { u, offset, body } = this;
    body.set(x);
    this.#handles.setBlend(body.details, inverse.view);
    const g = this.#g.view.fill(0);
    let cost = 0;
    for (let r = 0; r < parts.length; r++) cost += parts[r].addForces(body, g);
    for (let k = 0; k < N; k++) {
      for (let r = 0; r < 3; r++) g[NARROW * k + r] += pinForce[3 * k + r] - pinMass[k] * offset[r];
    }
    products.square(inverse, this.#g, NARROW, this.#free);
    const free = this.#free.view;
    for (let k = 0; k < N; k++) for (let r = 0; r < 3; r++) u[3 * k + r] = free[NARROW * k + r];
    cost += this.#handles.pull(u) + this.#handles.turn.cost;
    for (let k = 0; k < N; k++) for (let r = 0; r < 3; r++) cost -= 0.5 * g[NARROW * k + r] * u[3 * k + r];
    const lambda = this.#lambda;
    const goal = this.#goal;
    for (let e = 0; e < this.#E; e++) cost += 0.5 * lambda * (x[e] - goal[e]) ** 2;
    return cost + body.departure(x, this.#stays ? this.anchor : undefined);
  }

  /** Computes A and the gradient at the last evaluated blend. */
  linearise(x: Float64Array): void {
    const { u, gradient, body } = this;
    const reduced = this.#reduced;
    const { columns, width, lead } = reduced;
    const { count } = body;
    const a = this.#a;
    const M = this.unknowns;
    reduced.linearise(u, gradient, a, M);
    const held = reduced.movesOf(this.#handles);
    const yielding = this.#handles.hold(held, columns, width, lead, u, body);
    this.#handles.addDetailSlopes(u, body, gradient);
    const k = this.#handles.count;
    const lambda = this.#lambda;
    const goal = this.#goal;
    for (let e = 0; e < count; e++) {
      for (let f = 0; f <= e; f++) {
        let sum = 0;
        for (let c = 0, row = 0; c < k; c++, row += columns) {
          for (let r = row; r < row + columns; r += width) sum += held[r + e + lead] * yielding[r + f + lead];
        }
        a[e * M + f] += sum;
      }
    }
    for (let e = 0; e < this.#E; e++) {
      gradient[e] += lambda * (x[e] - goal[e]);
      a[e * M + e] += lambda;
    }
    body.departure(x, this.#stays ? this.anchor : undefined, gradient, a, M);
    if (M > count) this.#handles.holdTurn(gradient, count).addRows(k, count, yielding, width, lead, a);
  }

  /** @param a  square, of as many rows as there are unknowns; its lower triangle is overwritten */
  matrix(a: Float64Array): void {
    for (let k = 0; k < this.unknowns ** 2; k++) a[k] = this.#a[k];
  }
}
