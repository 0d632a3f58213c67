/**
 * A small dense convex quadratic programme: minimise ½xᵀGx − aᵀx subject to cᵢᵀx = bᵢ for the first constraints and
 * cᵢᵀx ≥ bᵢ for the others, G positive definite.
 *
 * The dual active set method: it starts at the free minimum and takes in one violated constraint after the other, the
 * worst first, dropping those whose multiplier would turn negative. No feasible start is needed, and infeasible
 * constraints are recognised. With G = LLᵀ it keeps J = L⁻ᵀQ and the triangle R of QᵀL⁻¹N (N: the active normals), and
 * changes both by rotations.
 *
 * Reference: Goldfarb, Idnani. A numerically stable dual method for solving strictly convex quadratic programs. 1983
 * (algorithm of §4).
 */
import { NumericError } from '../errors.ts';
import { ActiveFactor } from './active-factor.ts';

/** Violations below this fraction of the problem's size are rounding. */
const FEASIBLE = 1e-13;
const ROUNDING = 2 ** -50;
/** Part of a normal outside the span of the active ones below which it counts as dependent, relative. */
const DEPENDENT = 1e-12;

/**
 * The free minimum can be far larger than the solution, and leaves its rounding in x: after the first answer x is cleaned
 * and what was hidden by that rounding is taken in.
 */
const POLISHES = 3;

export interface ConvexQp {
  /** n × n row-major, symmetric positive definite; only the lower triangle is read */
  readonly hessian: ArrayLike<number>;
  /** n, the vector a */
  readonly linear: ArrayLike<number>;
  /** m × n row-major, the normals cᵢ */
  readonly constraints: ArrayLike<number>;
  /** m, the right-hand sides bᵢ */
  readonly bounds: ArrayLike<number>;
  /** How many of the constraints, from the first, are equations */
  readonly equations: number;
}

export interface ConvexQpSolution {
  /** n */
  readonly x: Float64Array;
  /** m, of Gx − a = Σ λᵢcᵢ; not negative for inequalities, zero where inactive */
  readonly multipliers: Float64Array;
  /** Indices of the active constraints, ascending */
  readonly active: readonly number[];
}

export function solveConvexQp(problem: ConvexQp): ConvexQpSolution {
  const solver = new DualActiveSet(problem);
  solver.run();
  return solver.result();
}

class DualActiveSet {
  readonly #n: number;
  readonly #m: number;
  readonly #equations: number;
  /** m × n, of unit length; rows of zeros stay so. */
  readonly #normals: Float64Array;
  readonly #lengths: Float64Array;
  readonly #bounds: Float64Array;
  readonly #factor: ActiveFactor;
  readonly #x: Float64Array;
  #tolerance: number;
  /** What rounding of the free minimum leaves in x for good. */
  readonly #rounding: number;
  /** Active constraints in the order they came, the sign of their normal, their multipliers. */
  readonly #active: number[] = [];
  readonly #signs: number[] = [];
  readonly #multipliers: number[] = [];
  readonly #settled: Uint8Array;

  constructor({ hessian, linear, constraints, bounds, equations }: ConvexQp) {
    const n = linear.length;
    const m = bounds.length;
    if (hessian.length !== n * n || constraints.length !== n * m || equations > m) {
      throw new NumericError(
        `convex QP: ${hessian.length} and ${constraints.length} numbers do not fit ${n} unknowns and ${m} constraints`,
      );
    }
    this.#n = n;
    this.#m = m;
    this.#equations = equations;
    this.#normals = Float64Array.from(constraints);
    this.#lengths = new Float64Array(m);
    this.#bounds = Float64Array.from(bounds);
    for (let i = 0; i < m; i++) {
      const row = this.#normals.subarray(i * n, (i + 1) * n);
      const length = Math.hypot(...row);
      this.#lengths[i] = length;
      if (length === 0) continue;
      for (let k = 0; k < n; k++) row[k] /= length;
      this.#bounds[i] /= length;
    }
    this.#factor = new ActiveFactor(hessian, n);
    this.#x = this.#factor.freeMinimum(linear);
    this.#settled = new Uint8Array(m);
    this.#tolerance = FEASIBLE * Math.max(largest(this.#x), largest(this.#bounds));
    this.#rounding = ROUNDING * largest(this.#x);
  }

  run(): void {
    for (let polish = 0; polish < POLISHES; polish++) {
      this.#takeAllViolated();
      this.#polish();
    }
  }

  #takeAllViolated(): void {
    const limit = 50 * (this.#n + this.#m) + 100;
    let turns = 0;
    for (let entering = this.#mostViolated(); entering >= 0; entering = this.#mostViolated()) {
      const sign = this.#slack(entering) > 0 ? -1 : 1;
      let multiplier = 0;
      for (let taken = false; !taken; ) {
        if (turns++ > limit) throw new NumericError(`convex QP: no end after ${limit} steps; scale the constraints`);
        const step = this.#step(entering, sign);
        if (step.length === Number.POSITIVE_INFINITY) {
          throw new NumericError(`convex QP: constraint ${entering} contradicts others; there is no solution`);
        }
        multiplier += step.length;
        this.#multipliers.forEach((_, k) => {
          this.#multipliers[k] -= step.length * step.slopes[k];
        });
        if (step.moves) for (let k = 0; k < this.#n; k++) this.#x[k] += step.length * step.direction[k];
        if (step.full) {
          if (step.moves) this.#take(entering, sign, multiplier, step.image);
          // An equation that follows from others is done with; an inequality may be violated again later.
          if (step.moves || entering < this.#equations) this.#settled[entering] = 1;
          taken = true;
        } else this.#drop(step.leaving);
      }
    }
  }

  /** Puts x back onto the active planes, and judges violations by the size that x has now. */
  #polish(): void {
    const slacks = Float64Array.from(this.#active, (i, k) => this.#signs[k] * this.#slack(i));
    const correction = this.#factor.correction(slacks);
    for (let k = 0; k < this.#n; k++) this.#x[k] += correction[k];
    this.#tolerance = FEASIBLE * Math.max(largest(this.#x), largest(this.#bounds)) + this.#rounding;
  }

  result(): ConvexQpSolution {
    const multipliers = new Float64Array(this.#m);
    this.#active.forEach((i, k) => {
      multipliers[i] = (this.#signs[k] * this.#multipliers[k]) / this.#lengths[i];
    });
    return { x: this.#x, multipliers, active: [...this.#active].sort((a, b) => a - b) };
  }

  /** cᵢᵀx − bᵢ with the scaled normal. */
  #slack(i: number): number {
    let sum = -this.#bounds[i];
    for (let k = 0; k < this.#n; k++) sum += this.#normals[i * this.#n + k] * this.#x[k];
    return sum;
  }

  /** Equations first, in their order; then the inequality that is violated most; −1 where none is. */
  #mostViolated(): number {
    for (let i = 0; i < this.#equations; i++) if (!this.#settled[i]) return i;
    let worst = -1;
    let least = -this.#tolerance;
    for (let i = this.#equations; i < this.#m; i++) {
      if (this.#settled[i]) continue;
      const slack = this.#slack(i);
      if (slack < least) [worst, least] = [i, slack];
    }
    return worst;
  }

  /** How far to go for the entering constraint: to its plane, or to where an active multiplier becomes zero. */
  #step(entering: number, sign: number) {
    const n = this.#n;
    const normal = this.#normals.subarray(entering * n, (entering + 1) * n).map((x) => sign * x);
    const image = this.#factor.image(normal);
    const slopes = this.#factor.multiplierSlopes(image);
    const direction = this.#factor.direction(image);
    const outside = Math.hypot(...image.subarray(this.#active.length));
    const moves = outside > DEPENDENT * Math.hypot(...image);
    const violation = sign * this.#slack(entering);
    let length = Number.POSITIVE_INFINITY;
    let leaving = -1;
    this.#active.forEach((i, k) => {
      if (i < this.#equations || slopes[k] <= 0) return;
      const reach = this.#multipliers[k] / slopes[k];
      if (reach < length) [length, leaving] = [reach, k];
    });
    // Along `direction` the slack grows by ‖outside‖² for a step of 1.
    const whole = moves ? -violation / (outside * outside) : Number.POSITIVE_INFINITY;
    if (!moves && Math.abs(violation) <= this.#tolerance) {
      return { full: true, moves, length: 0, leaving: -1, direction, slopes, image };
    }
    const full = whole <= length;
    return { full, moves, length: full ? whole : length, leaving, direction, slopes, image };
  }

  #take(entering: number, sign: number, multiplier: number, image: Float64Array): void {
    this.#factor.add(image);
    this.#active.push(entering);
    this.#signs.push(sign);
    this.#multipliers.push(multiplier);
  }

  #drop(place: number): void {
    this.#factor.remove(place);
    this.#settled[this.#active[place]] = 0;
    this.#active.splice(place, 1);
    this.#signs.splice(place, 1);
    this.#multipliers.splice(place, 1);
  }
}

function largest(values: Float64Array): number {
  let out = 0;
  for (const value of values) out = Math.max(out, Math.abs(value));
  return out;
}
