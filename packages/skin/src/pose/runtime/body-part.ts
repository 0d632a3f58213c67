/**
 * One region of a body while its examples are blended: the gradients that it asks of its proxies, weighted by its share in
 * each, the variation within them (see TurningSpread), and the derivatives of both by the region's own blend and rotation.
 * A proxy of several regions is evaluated in each of them, with the same mixed blend; their weights add up to its own.
 * Nothing is allocated while blends change.
 */
import { PoseProducts, ShapeBlend } from '@pelt/kernels';
import type { Block, Numerics, Scope } from '@pelt/math';
import { exampleCount, GRADIENT_BLOCK, type Poser, proxyCount } from '@pelt/model';
import { type BodyBlend, TURN } from './body-blend.ts';
import type { GroupDeviation } from './group-deviation.ts';
import { expAndJacobian } from './proxy-blend.ts';
import type { TurningRegion } from './turning-regions.ts';
import { TurningSpread } from './turning-spread.ts';
import type { GradientRows } from './weight-gradients.ts';

/** Stride of rows of three numbers: kernels need an even one. */
export const NARROW = 4;

export class BodyPart {
  /** Examples, and the rotation where there are several regions. */
  readonly columnCount: number;
  /** Numbers of a run: m − I, its derivatives, and zero up to an even number; and of all three runs of a row. */
  readonly width: number;
  readonly columns: number;
  /** N × columns: GᵀW times the derivatives, and what the variation within proxies adds; after `linearise` */
  readonly pulled: Block<Float64Array>;
  /** width × width: Gram matrix of the derivatives, at and below the diagonal; after `linearise` with it */
  readonly gram: Block<Float64Array>;
  /** columnCount: slope of the energy, without what the controls take up; after `linearise` */
  readonly gradient: Float64Array;
  /** Rows of `pulled` that are not zero. */
  readonly rows: Int32Array;
  readonly spread: TurningSpread;
  readonly #r: number;
  readonly #R: number;
  readonly #E: number;
  readonly #proxies: Int32Array;
  /** q × R */
  readonly #shares: Float64Array;
  readonly #weights: Float64Array;
  readonly #products: PoseProducts;
  readonly #shapes: ShapeBlend;
  /** 3q × columns, 3q × 4 and N × 4 */
  readonly #derivatives: Block<Float64Array>;
  readonly #target: Block<Float64Array>;
  readonly #force: Block<Float64Array>;
  /** q × 9: axes of the derivatives by the rotation, as columns */
  readonly #axes: Float64Array;
  readonly #blend: Float64Array;
  readonly #turn = new Float64Array(9);
  readonly #jacobian = new Float64Array(9);

  /**
   * @param r        the region
   * @param rows     of all proxies
   * @param turning  the parts of it that rotate together
   * @param scope    owns the blocks in wasm memory
   */
  constructor(
    poser: Poser,
    r: number,
    R: number,
    rows: GradientRows,
    turning: readonly TurningRegion[],
    deviation: GroupDeviation,
    numerics: Numerics,
    scope: Scope,
  ) {
    const [p, E, m] = [proxyCount(poser), exampleCount(poser), poser.rig.bones.length];
    const shareOf = (k: number, s: number) => poser.regions?.shares[k * R + s] ?? 1;
    const proxies = Int32Array.from({ length: p }, (_, k) => k).filter((k) => shareOf(k, r) > 0);
    const q = proxies.length;
    const further = R > 1 ? TURN : 0;
    this.#r = r;
    this.#R = R;
    this.#E = E;
    this.#proxies = proxies;
    this.#shares = Float64Array.from({ length: q * R }, (_, k) => shareOf(proxies[Math.floor(k / R)], k % R));
    this.#weights = new Float64Array(q);
    this.columnCount = E + further;
    this.#products = new PoseProducts(numerics, scope, rowsOf(rows, proxies), m);
    // Further columns have neither rotations nor stretches: their derivatives are filled in here.
    const padded = (values: Float64Array, size: number) => {
      const out = new Float64Array(size * q * this.columnCount);
      for (let e = 0; e < E; e++) {
        for (let k = 0; k < q; k++) {
          const from = size * (e * p + proxies[k]);
          out.set(values.subarray(from, from + size), size * (e * q + k));
        }
      }
      return out;
    };
    const [logs, stretches] = [padded(poser.exampleLogs, 3), padded(poser.exampleStretches, 6)];
    this.#shapes = new ShapeBlend(numerics, scope, q, this.columnCount, logs, stretches);
    this.width = this.#shapes.width;
    this.columns = 3 * this.width;
    this.pulled = scope.f64(4 * m * this.columns);
    this.gram = scope.f64(this.width * this.width);
    this.gradient = new Float64Array(this.columnCount);
    this.#derivatives = scope.f64(3 * q * this.columns);
    this.#target = scope.f64(3 * q * NARROW);
    this.#force = scope.f64(4 * m * NARROW);
    this.#axes = new Float64Array(9 * q);
    this.#blend = new Float64Array(E);
    this.spread = new TurningSpread(poser, deviation, turning, this.#products, numerics, scope, further);
    const touched = new Set<number>();
    for (const k of proxies) for (let b = rows.starts[k]; b < rows.starts[k + 1]; b++) touched.add(rows.controls[b]);
    for (const row of this.spread.touched) touched.add(row >> 2);
    this.rows = Int32Array.from([...touched].sort((a, b) => a - b).flatMap((j) => [0, 1, 2, 3].map((c) => 4 * j + c)));
  }

  /** @param weights  of all proxies */
  setWeights(weights: Float64Array): void {
    for (let k = 0; k < this.#proxies.length; k++) {
      this.#weights[k] = weights[this.#proxies[k]] * this.#shares[k * this.#R + this.#r];
    }
    this.#products.setWeights(this.#weights);
  }

  /**
   * Adds the forces of a blend to those of other regions, and returns the energy.
   *
   * @param g  N rows of `NARROW`; added to
   */
  addForces(body: BodyBlend, g: Float64Array): number {
    this.#setBlends(body);
    this.#shapes.gradientsEach(this.#target, NARROW);
    this.#products.transposed(this.#target, NARROW, this.#force);
    let energy = this.spread.addForces(this.#blend, this.#force, NARROW);
    const force = this.#force.view;
    for (let k = 0; k < g.length; k++) g[k] += force[k];
    const target = this.#target.view;
    for (let k = 0, at = 0; k < this.#proxies.length; k++) {
      let squared = 0;
      for (let c = 0; c < 3 * NARROW; c++, at++) squared += target[at] * target[at];
      energy += 0.5 * this.#weights[k] * squared;
    }
    return energy;
  }

  /** Computes `pulled` and `gradient` at the blend of the last `addForces`, and `gram` where it is wanted. */
  linearise(withGram: boolean): void {
    const { gradient, columns, width, columnCount: D } = this;
    this.#shapes.derivativesEach(this.#derivatives, columns);
    if (D > this.#E) this.#fillTurns();
    this.#products.transposed(this.#derivatives, columns, this.pulled);
    gradient.fill(0);
    if (withGram) {
      this.#products.gram(this.#derivatives, columns, width, this.gram);
      const gram = this.gram.view;
      // The first column of the Gram matrix is dmᵀW m.
      for (let e = 0; e < D; e++) gradient[e] = gram[(e + 1) * width];
    } else this.#addSlopes();
    this.spread.addDerivatives(this.#blend, this.pulled, columns, withGram ? this.gram : undefined, gradient);
  }

  /** dmᵀW m alone. */
  #addSlopes(): void {
    const { gradient, columns, width, columnCount: D } = this;
    const shapes = this.#derivatives.view;
    for (let row = 0, at = 0; row < 3 * this.#proxies.length; row++, at += columns) {
      const weight = this.#weights[(row / 3) | 0];
      for (let run = at; run < at + columns; run += width) {
        const factor = weight * shapes[run];
        for (let e = 0; e < D; e++) gradient[e] += factor * shapes[run + 1 + e];
      }
    }
  }

  #setBlends({ blends, turns, E }: BodyBlend): void {
    const R = this.#R;
    const { width } = this;
    const each = this.#shapes.blends.view;
    const rotations = this.#shapes.turns.view;
    const shares = this.#shares;
    const turn = this.#turn;
    const axes = this.#jacobian;
    for (let e = 0; e < E; e++) this.#blend[e] = blends[this.#r * E + e];
    for (let k = 0; k < this.#proxies.length; k++) {
      const to = k * width + 1;
      let x = 0;
      let y = 0;
      let z = 0;
      for (let e = 0; e < E; e++) each[to + e] = 0;
      for (let r = 0; r < R; r++) {
        const share = shares[k * R + r];
        if (share === 0) continue;
        for (let e = 0; e < E; e++) each[to + e] += share * blends[r * E + e];
        x += share * turns[TURN * r];
        y += share * turns[TURN * r + 1];
        z += share * turns[TURN * r + 2];
      }
      if (R === 1) continue;
      expAndJacobian(x, y, z, turn, axes);
      for (let c = 0; c < 9; c++) {
        rotations[9 * k + c] = turn[c];
        this.#axes[9 * k + c] = axes[c];
      }
    }
    if (R === 1) return;
    const own = TURN * this.#r;
    expAndJacobian(turns[own], turns[own + 1], turns[own + 2], this.spread.turn, this.spread.turnAxes);
  }

  /** Derivatives by the rotation, [a]× m with the axis a of each component. */
  #fillTurns(): void {
    const { columns, width } = this;
    const shapes = this.#derivatives.view;
    for (let k = 0; k < this.#proxies.length; k++) {
      for (let c = 0; c < 3; c++) {
        const row = (3 * k + c) * columns;
        const m0 = shapes[row] + (c === 0 ? 1 : 0);
        const m1 = shapes[row + width] + (c === 1 ? 1 : 0);
        const m2 = shapes[row + 2 * width] + (c === 2 ? 1 : 0);
        for (let a = 0; a < TURN; a++) {
          const ax = this.#axes[9 * k + a];
          const ay = this.#axes[9 * k + 3 + a];
          const az = this.#axes[9 * k + 6 + a];
          const to = row + 1 + this.#E + a;
          shapes[to] = ay * m2 - az * m1;
          shapes[to + width] = az * m0 - ax * m2;
          shapes[to + 2 * width] = ax * m1 - ay * m0;
        }
      }
    }
  }
}

/** The rows of some proxies. */
function rowsOf({ starts, controls, blocks }: GradientRows, proxies: Int32Array): GradientRows {
  const outStarts = new Uint32Array(proxies.length + 1);
  const outControls: number[] = [];
  const outBlocks: number[] = [];
  proxies.forEach((k, q) => {
    for (let b = starts[k]; b < starts[k + 1]; b++) {
      outControls.push(controls[b]);
      for (let c = 0; c < GRADIENT_BLOCK; c++) outBlocks.push(blocks[GRADIENT_BLOCK * b + c]);
    }
    outStarts[q + 1] = outControls.length;
  });
  return { starts: outStarts, controls: Uint16Array.from(outControls), blocks: Float64Array.from(outBlocks) };
}
