/**
 * Handles, points of the skin with targets, as linear constraints C t = b on the controls; and the compliance of the
 * controls and of the handles themselves, V = K Cᵀ and S = C V. Another handle adds a row; nothing is refactored.
 *
 * Reference: Der, Sumner, Popović. Inverse kinematics for reduced deformable models. 2006 (equation 6).
 */
import { type Poser, UsageError } from '@pelt/model';
import type { BodyBlend } from './body-blend.ts';
import type { ExamplePrior } from './example-prior.ts';
import { HandleDetails } from './handle-details.ts';
import { HandleForces } from './handle-forces.ts';
import { HandleTurn, TURN_COLUMNS } from './handle-turn.ts';

/** A vertex that is dragged to a target. */
export interface Handle {
  /** Index of the vertex. */
  readonly vertex: number;
  /** Target position of the vertex in model space, 3 numbers. */
  readonly target: ArrayLike<number>;
  /** Distance from the target per unit of force; 0 by default: the target is met, as far as the force limit allows. */
  readonly softness?: number;
}

/** Softness of a hard handle, in model sizes: the remaining distance is not visible. */
const HARD = 1e-6;

export class HandleSet {
  readonly #poser: Poser;
  /** n × 3, relative */
  readonly #x: Float64Array;
  readonly #N: number;
  readonly #pull: number;
  #share = 1;
  readonly #details: HandleDetails;
  #capacity = 0;
  #vertices = new Int32Array(0);
  #softness = new Float64Array(0);
  #limits = new Float64Array(0);
  #given = new Float64Array(0);
  #targets = new Float64Array(0);
  #gaps = new Float64Array(0);
  #goals = new Float64Array(0);
  #reached = new Float64Array(0);
  #s = new Float64Array(0);
  #v = new Float64Array(0);
  #forces = new HandleForces(0);
  #yielding = new Float64Array(0);
  #count = 0;
  /** RMS distance by which the targets were moved last, in model sizes; infinite for other handles. */
  moved = 0;
  /** Mean displacement of all handles, in model sizes; the controls are relative to it. */
  readonly offset = new Float64Array(3);
  /** The rotation of the frame that poses are solved in. */
  readonly turn = new HandleTurn();

  /**
   * @param x     n × 3 rest positions, relative
   * @param pull  force limit of every handle
   */
  constructor(poser: Poser, x: Float64Array, pull: number) {
    this.#poser = poser;
    this.#x = x;
    this.#N = 4 * poser.rig.bones.length;
    this.#pull = pull;
    this.#details = new HandleDetails(poser, x);
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Replaces the handles; allocates nothing where their vertices stay the same.
   *
   * @param inverse  K, N × N
   * @param prior    gets the vertices and their targets, unless they do not determine a pose
   * @returns whether anything changed
   */
  set(handles: readonly Handle[], inverse: Float64Array, prior: ExamplePrior | undefined): boolean {
    for (let c = 0; c < handles.length; c++) this.#check(handles[c]);
    let other = handles.length !== this.#count;
    for (let c = 0; c < handles.length && !other; c++) other = this.#vertices[c] !== handles[c].vertex;
    if (other) this.#setVertices(handles, inverse);
    let changed = other;
    let squared = 0;
    for (let c = 0; c < handles.length; c++) {
      const softness = Math.max(handles[c].softness ?? 0, HARD);
      changed ||= softness !== this.#softness[c];
      this.#softness[c] = softness;
      const { target } = handles[c];
      for (let r = 0; r < 3; r++) {
        changed ||= target[r] !== this.#given[3 * c + r];
        squared += (target[r] - this.#given[3 * c + r]) ** 2;
        this.#given[3 * c + r] = target[r];
      }
    }
    this.moved = other ? Number.POSITIVE_INFINITY : Math.sqrt(squared / this.#count) / this.#poser.size;
    if (other) prior?.setVertices(this.#vertices, this.#count);
    if (changed) {
      prior?.setTargets(this.#given);
      this.#turnTargets();
    }
    return changed;
  }

  /**
   * Solves in another frame from here on: the handles' targets turn, and poses have to be turned back.
   *
   * @param rotation  9 from index `at`, row-major
   */
  setFrame(rotation: ArrayLike<number>, at: number): void {
    for (let k = 0; k < 9; k++) this.turn.frame[k] = rotation[at + k];
    this.#turnTargets();
  }

  /** Solves in the frame that a step, three numbers from index `at` on, makes of another. */
  turnFrom(frame: Float64Array, steps: Float64Array, at: number): void {
    this.turn.turnFrom(frame, steps, at);
    this.#turnTargets();
  }

  #turnTargets(): void {
    const { center } = this.#poser;
    const { frame } = this.turn;
    for (let c = 0; c < 3 * this.#count; c += 3) {
      const x = this.#given[c] - center[0];
      const y = this.#given[c + 1] - center[1];
      const z = this.#given[c + 2] - center[2];
      for (let r = 0; r < 3; r++) {
        this.#targets[c + r] = center[r] + frame[r] * x + frame[3 + r] * y + frame[6 + r] * z;
      }
    }
    if (this.#count > 0) this.#setOffset();
  }

  /**
   * Updates the rest positions of the handles, which details displace according to the blend, and with them V and S.
   *
   * @param inverse  K, N × N
   */
  setBlend(beta: Float64Array, inverse: Float64Array): void {
    if (this.#count > 0 && this.#details.setBlend(beta)) this.refresh(inverse);
  }

  /** Reduces the force limit of every handle to a share of it. */
  setShare(share: number): void {
    this.#share = share;
    this.#limits.fill(share * this.#pull);
  }

  /** Recomputes V and S after K or the rest positions of the handles have changed. */
  refresh(inverse: Float64Array): void {
    const { slots, bones, weights } = this.#poser.rig.weights;
    const N = this.#N;
    const v = this.#v.fill(0);
    for (let c = 0; c < this.#count; c++) {
      const i = this.#vertices[c];
      for (let s = i * slots; s < (i + 1) * slots; s++) {
        if (weights[s] === 0) continue;
        for (let k = 0; k < 4; k++) {
          const factor = weights[s] * (k < 3 ? this.#details.places[3 * c + k] : 1);
          const row = (4 * bones[s] + k) * N;
          for (let j = 0; j < N; j++) v[c * N + j] += factor * inverse[row + j];
        }
      }
    }
    for (let c = 0; c < this.#count; c++) {
      for (let d = 0; d < this.#count; d++) this.#s[c * this.#capacity + d] = this.#along(c, v, d * N, 1);
    }
  }

  /**
   * Applies the handles' forces to the unconstrained solution.
   *
   * @param u  N × 3 controls, relative to the rest pose and the offset; updated in place
   * @returns ½ Σ (C u)·f plus the penalties: the handles' part of the cost, whose remaining part is −½ gᵀu
   */
  pull(u: Float64Array): number {
    const k = this.#count;
    const N = this.#N;
    const gaps = this.#gaps;
    const goals = this.#goals;
    const reached = this.#reached;
    this.#reach(u);
    for (let c = 0; c < 3 * k; c++) gaps[c] = goals[c] - this.#details.shifts[c] - reached[c];
    this.#forces.solve(k, this.#s, this.#softness, this.#limits, gaps);
    const { forces } = this.#forces;
    for (let c = 0; c < k; c++) {
      const fx = forces[3 * c];
      const fy = forces[3 * c + 1];
      const fz = forces[3 * c + 2];
      for (let j = 0; j < N; j++) {
        const v = this.#v[c * N + j];
        u[3 * j] += v * fx;
        u[3 * j + 1] += v * fy;
        u[3 * j + 2] += v * fz;
      }
    }
    this.#reach(u);
    let cost = 0;
    for (let c = 0; c < k; c++) {
      let squared = 0;
      for (let r = 3 * c; r < 3 * c + 3; r++) {
        cost += 0.5 * reached[r] * forces[r];
        const gap = goals[r] - this.#details.shifts[r] - reached[r];
        squared += gap * gap;
      }
      const away = Math.sqrt(squared);
      const stretch = this.#softness[c] * this.#limits[c];
      cost += away <= stretch ? (0.5 * squared) / this.#softness[c] : this.#limits[c] * (away - 0.5 * stretch);
    }
    return cost;
  }

  /**
   * How far the controls move the handles under some forces: out += VᵀX.
   *
   * @param x     N × columns
   * @param rows  those of X that are not zero: all four of some controls
   * @param out   k × columns
   */
  addMoves(x: Float64Array, rows: Int32Array, columns: number, out: Float64Array): void {
    const N = this.#N;
    for (let c = 0; c < this.#count; c++) {
      const to = c * columns;
      for (let n = 0; n < rows.length; n += 4) {
        const v = c * N + rows[n];
        const v0 = this.#v[v];
        const v1 = this.#v[v + 1];
        const v2 = this.#v[v + 2];
        const v3 = this.#v[v + 3];
        const a = rows[n] * columns;
        const b = a + columns;
        const d = b + columns;
        const f = d + columns;
        for (let e = 0; e < columns; e++) {
          out[to + e] += v0 * x[a + e] + v1 * x[b + e] + v2 * x[d + e] + v3 * x[f + e];
        }
      }
    }
  }

  /**
   * Restricts several directions X to those that the handles allow, from VᵀX: (S + a)⁻¹VᵀX, which gives the constrained
   * product XᵀKX − (VᵀX)ᵀ(S + a)⁻¹VᵀX.
   *
   * @param held     k × columns, VᵀX, in three runs of `width` whose entries from `lead` on belong to the unknowns; the
   *                 contribution of the details is added
   * @param u        N × 3 current controls, for the derivatives of the details
   * @param body     derivatives of the details' shares
   * @returns (S + a)⁻¹VᵀX, k × columns
   */
  hold(
    held: Float64Array,
    columns: number,
    width: number,
    lead: number,
    u: Float64Array,
    body: BodyBlend,
  ): Float64Array {
    const k = this.#count;
    const yielding = this.#yielding;
    for (let c = 0; c < k; c++) this.#details.addMoves(c, u, body, held, c * columns + lead, width);
    for (let e = 0; e < k * columns; e++) yielding[e] = held[e];
    this.#forces.applyInverse(k, yielding, columns);
    return yielding;
  }

  /**
   * Movements of the handles when the frame turns, and what their compliance makes of them; the slope of the cost along
   * them is written to three numbers of `gradient`.
   */
  holdTurn(gradient: Float64Array, at: number): HandleTurn {
    this.turn.linearise(this.#count, this.#forces.forces, gradient, at);
    this.#forces.applyInverse(this.#count, this.turn.yielding, TURN_COLUMNS);
    return this.turn;
  }

  /** Adds the details' contribution to the gradient at the controls of the last `pull`. */
  addDetailSlopes(u: Float64Array, body: BodyBlend, gradient: Float64Array): void {
    this.#details.addSlopes(u, body, this.#forces.forces, gradient);
  }

  /** Allocates the buffer of `hold` for so many columns. */
  reserve(columns: number): void {
    if (this.#yielding.length < this.#capacity * columns) this.#yielding = new Float64Array(this.#capacity * columns);
  }

  get capacity(): number {
    return this.#capacity;
  }

  /** Distance of handle c from its target in model space, for given controls. */
  distance(c: number, u: Float64Array): number {
    let squared = 0;
    for (let r = 0; r < 3; r++)
      squared += (this.#goals[3 * c + r] - this.#details.shifts[3 * c + r] - this.#along(c, u, r, 3)) ** 2;
    return this.#poser.size * Math.sqrt(squared);
  }

  #check({ vertex, target, softness }: Handle): void {
    const n = this.#x.length / 3;
    if (!Number.isInteger(vertex) || vertex < 0 || vertex >= n) {
      throw new UsageError(`setHandles: there is no vertex ${vertex}; vertices are 0 to ${n - 1}`);
    }
    if (target.length !== 3 || !(Math.abs(target[0]) + Math.abs(target[1]) + Math.abs(target[2]) < Infinity)) {
      throw new UsageError(
        `setHandles: the target of vertex ${vertex} is ${Array.from(target)}; give three finite numbers`,
      );
    }
    if (softness !== undefined && !(softness >= 0)) {
      throw new UsageError(`setHandles: the softness of vertex ${vertex} is ${softness}; give a number from 0 on`);
    }
  }

  #setVertices(handles: readonly Handle[], inverse: Float64Array): void {
    const k = handles.length;
    if (k > this.#capacity) {
      const capacity = Math.max(8, 2 * k);
      this.#capacity = capacity;
      this.#vertices = new Int32Array(capacity);
      this.#softness = new Float64Array(capacity);
      this.#limits = new Float64Array(capacity).fill(this.#share * this.#pull);
      this.#given = new Float64Array(3 * capacity);
      this.#targets = new Float64Array(3 * capacity);
      this.#gaps = new Float64Array(3 * capacity);
      this.#goals = new Float64Array(3 * capacity);
      this.#reached = new Float64Array(3 * capacity);
      this.#s = new Float64Array(capacity * capacity);
      this.#v = new Float64Array(capacity * this.#N);
      this.#forces = new HandleForces(capacity);
      this.turn.reserve(capacity);
    }
    this.#forces.reset();
    this.#count = k;
    for (let c = 0; c < k; c++) this.#vertices[c] = handles[c].vertex;
    this.#details.setVertices(this.#vertices, k);
    this.refresh(inverse);
  }

  /** Computes the offset, the displacement of each handle from the rest pose and the offset, and the arms. */
  #setOffset(): void {
    const { center, size } = this.#poser;
    const goals = this.#goals;
    const { arms } = this.turn;
    for (let r = 0; r < 3; r++) {
      let sum = 0;
      let mean = 0;
      for (let c = 0; c < this.#count; c++) {
        const place = (this.#targets[3 * c + r] - center[r]) / size;
        const moved = place - this.#x[3 * this.#vertices[c] + r];
        arms[3 * c + r] = place;
        goals[3 * c + r] = moved;
        mean += place / this.#count;
        sum += moved;
      }
      this.offset[r] = sum / this.#count;
      for (let c = 0; c < this.#count; c++) {
        goals[3 * c + r] -= this.offset[r];
        arms[3 * c + r] -= mean;
      }
    }
  }

  /** Displacements C u of the handles, written to an array, since numbers that functions return may be boxed. */
  #reach(u: Float64Array): void {
    const { slots, bones, weights } = this.#poser.rig.weights;
    const reached = this.#reached;
    const x = this.#details.places;
    for (let c = 0; c < this.#count; c++) {
      const i = this.#vertices[c];
      for (let r = 0; r < 3; r++) {
        let sum = 0;
        for (let s = i * slots; s < (i + 1) * slots; s++) {
          const row = 12 * bones[s] + r;
          sum += weights[s] * (x[3 * c] * u[row] + x[3 * c + 1] * u[row + 3] + x[3 * c + 2] * u[row + 6] + u[row + 9]);
        }
        reached[3 * c + r] = sum;
      }
    }
  }

  /** Row c of C times a column that begins at `at` with the given stride. */
  #along(c: number, values: Float64Array, at: number, stride: number): number {
    const { slots, bones, weights } = this.#poser.rig.weights;
    const i = this.#vertices[c];
    let sum = 0;
    for (let s = i * slots; s < (i + 1) * slots; s++) {
      if (weights[s] === 0) continue;
      const row = at + 4 * bones[s] * stride;
      sum +=
        weights[s] *
        (this.#details.places[3 * c] * values[row] +
          this.#details.places[3 * c + 1] * values[row + stride] +
          this.#details.places[3 * c + 2] * values[row + 2 * stride] +
          values[row + 3 * stride]);
    }
    return sum;
  }
}
