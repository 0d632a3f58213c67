/**
 * The variation within proxies while examples are blended. GroupDeviation gives the energy
 *
 *   ½ Σ_c (u − y_c)ᵀ Δ_c (u − y_c),   y_c(β) = R_c(β) Σ_e β_e ũ_ce,   ũ_ce = R_ceᵀ u_e,
 *
 * over regions c that rotate together: u_e are the controls of example e, R_ce its rotation of the region, and
 * R_c(β) = exp Σ β_e log R_ce. The deviations are blended in the local frame of the region and rotate with it. Blending
 * them in model space shrinks them where examples rotate them differently: poses of a horse then differ by 3.7 % from
 * those with a proxy per vertex, against 0.6 % with local frames.
 *
 * One region per control is fine enough, and cheap: the force of a region is R_c Σ β_e Δ_c ũ_e, and Gauss–Newton needs
 * only the 3 × 3 products P_ef = ũ_eᵀ Δ_c ũ_f of its energy.
 */
import { type PoseProducts, TurnedForces } from '@pelt/kernels';
import type { Block, Numerics, Scope } from '@pelt/math';
import { exampleCount, type Poser, proxyCount } from '@pelt/model';
import type { GroupDeviation } from './group-deviation.ts';
import { expAndJacobian } from './proxy-blend.ts';
import { type TurningRegion, turningRegions } from './turning-regions.ts';

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];

export class TurningSpread {
  /** Examples, and the further columns */
  readonly #E: number;
  readonly #further: number;
  /** 9: a rotation that is applied last, and 9: the axes of its derivatives, as columns */
  readonly turn = Float64Array.from(IDENTITY);
  readonly turnAxes = Float64Array.from(IDENTITY);
  readonly #N: number;
  readonly #p: number;
  readonly #deviation: GroupDeviation;
  readonly #regions: readonly TurningRegion[];
  /** Rows of the unknowns with non-zero entries in Δ_c, per region. */
  readonly #rows: readonly Int32Array[];
  readonly #turned: TurnedForces;
  readonly #kernels: PoseProducts;
  /** P, regions × E rows of E × 9 (padded to an even number), and the E × E traces of its sum over the regions */
  readonly #products: Block<Float64Array>;
  readonly #energies: Float64Array;
  readonly #r = new Float64Array(9);
  readonly #j = new Float64Array(9);
  /** Numbers of a row of P. */
  readonly #side: number;
  /** For every region Σ_e β_e P_ef, E × 9 */
  readonly #sides: Block<Float64Array>;
  /** For one region: R Σ_f β_f of these Rᵀ */
  readonly #whole = new Float64Array(9);
  readonly #shares: Block<Float64Array>;
  /** regions × 3 runs of `width`: the axial parts of the sides, and what they and the axes give */
  readonly #moments: Block<Float64Array>;
  readonly #torques: Block<Float64Array>;

  /**
   * @param areas    n fractions of the surface area, or the regions themselves
   * @param scope    owns the blocks in wasm memory
   * @param further  columns behind those of the examples, for a rotation that is applied last; 0 or 3
   */
  constructor(
    poser: Poser,
    deviation: GroupDeviation,
    areas: Float64Array | readonly TurningRegion[],
    kernels: PoseProducts,
    numerics: Numerics,
    scope: Scope,
    further = 0,
  ) {
    const E = exampleCount(poser) + further;
    this.#E = E;
    this.#further = further;
    this.#N = 4 * poser.rig.bones.length;
    this.#p = proxyCount(poser);
    this.#deviation = deviation;
    this.#regions = areas instanceof Float64Array ? turningRegions(poser, areas) : areas;
    const ones = new Float64Array(this.#p).fill(1);
    this.#rows = this.#regions.map((region) => {
      const delta = this.#deltaOf(region, ones);
      return Int32Array.from({ length: this.#N }, (_, k) => k).filter((k) => delta[k * this.#N + k] > 0);
    });
    this.#turned = new TurnedForces(numerics, scope, this.#rows, E);
    const regions = this.#regions.length;
    this.#kernels = kernels;
    this.#side = 9 * E + (E % 2);
    this.#products = scope.f64(this.#side * E * regions);
    this.#energies = new Float64Array(E * E);
    this.#sides = scope.f64(this.#side * regions);
    this.#shares = scope.f64(E);
    this.#moments = scope.f64(3 * this.#turned.width * regions);
    this.#torques = scope.f64(3 * this.#turned.width * regions);
  }

  /** Rows of the unknowns that forces act on. */
  get touched(): Set<number> {
    return new Set(this.#rows.flatMap((rows) => Array.from(rows)));
  }

  /**
   * @param scales    p factors of the proxies' weights
   * @param unknowns  E × N × 3 controls of the examples, relative to the rest pose; zero for further columns
   */
  gather(scales: Float64Array, unknowns: Float64Array): void {
    const E = this.#E;
    const N = this.#N;
    const { width } = this.#turned;
    const forces = this.#turned.forces.view.fill(0);
    const products = this.#products.view.fill(0);
    this.#energies.fill(0);
    let at = 0;
    this.#regions.forEach((region, c) => {
      const delta = this.#deltaOf(region, scales);
      const rows = this.#rows[c];
      const turned = this.#turnBack(region, rows, unknowns);
      for (const row of rows) {
        for (const column of rows) {
          const d = delta[row * N + column];
          for (let e = 0; e < E; e++) {
            for (let r = 0; r < 3; r++) forces[at + r * width + e + 1] += d * turned[3 * (N * e + column) + r];
          }
        }
        for (let e = 0; e < E; e++) {
          for (let f = 0; f < E; f++) {
            const to = this.#side * (E * c + e) + 9 * f;
            for (let k = 0; k < 9; k++) {
              const left = turned[3 * (N * e + row) + Math.floor(k / 3)];
              products[to + k] += left * forces[at + (k % 3) * width + f + 1];
            }
          }
        }
        at += 3 * width;
      }
      for (let e = 0; e < E; e++) {
        for (let f = 0; f < E; f++) {
          const from = this.#side * (E * c + e) + 9 * f;
          this.#energies[e * E + f] += products[from] + products[from + 4] + products[from + 8];
        }
      }
    });
  }

  /**
   * Adds the force Δy, and returns the energy ½ yᵀΔy.
   *
   * @param g  N rows of `stride` whose first entries are x, y and z; added to
   */
  addForces(beta: Float64Array, g: Block<Float64Array>, stride: number): number {
    const E = this.#E;
    const own = E - this.#further;
    this.#turnAll(beta);
    this.#turned.add(g, stride);
    let energy = 0;
    for (let e = 0; e < own; e++) {
      for (let f = 0; f < own; f++) energy += 0.5 * beta[e] * beta[f] * this.#energies[e * E + f];
    }
    return energy;
  }

  /**
   * Adds the derivatives of the force, of the energy, and of y.
   *
   * @param pulled    N rows of `columns`, three times the width; added to
   * @param block     width × width: ∂yᵀΔ∂y is added from (1, 1) on, at and below the diagonal; absent: not needed
   * @param gradient  E: ∂(½ yᵀΔy); added to
   */
  addDerivatives(
    beta: Float64Array,
    pulled: Block<Float64Array>,
    columns: number,
    block: Block<Float64Array> | undefined,
    gradient: Float64Array,
  ): void {
    const E = this.#E;
    const own = E - this.#further;
    const { width } = this.#turned;
    this.#turnAll(beta);
    this.#turned.addDerivatives(pulled, columns);
    for (let e = 0; e < own; e++) {
      for (let f = 0; f < own; f++) gradient[e] += this.#energies[e * E + f] * beta[f];
    }
    if (!block) return;
    const gram = block.view;
    const regions = this.#regions.length;
    for (let e = 0; e < own; e++) {
      for (let f = 0; f <= e; f++) gram[(e + 1) * width + f + 1] += this.#energies[e * E + f];
    }
    const shares = this.#shares.view;
    for (let e = 0; e < own; e++) shares[e] = beta[e];
    this.#kernels.weightedRows(regions, E, this.#side, this.#shares, this.#products, this.#sides);
    for (let c = 0; c < regions; c++) this.#setTorques(beta, c);
    this.#kernels.addProducts(regions, 1, this.#torques, this.#turned.axes, 3 * width, width, block);
    this.#kernels.addProducts(regions, 1, this.#turned.axes, this.#moments, 3 * width, width, block);
  }

  /**
   * Factors of the terms of ∂yᵀΔ∂y that stem from the rotation of region c, [a_e]× y with a_e the axis of example e: the
   * moments m_f, and the torques t_e with which the terms are a_f·t_e + a_e·m_f.
   */
  #setTorques(beta: Float64Array, c: number): void {
    const E = this.#E;
    const { width } = this.#turned;
    const axes = this.#turned.axes.view;
    const torques = this.#torques.view;
    const moments = this.#moments.view;
    const sides = this.#sides.view;
    const x = 3 * width * c + 1;
    const y = x + width;
    const z = y + width;
    const first = this.#side * c;
    const whole = this.#whole.fill(0);
    const own = E - this.#further;
    for (let f = 0; f < own; f++) for (let k = 0; k < 9; k++) whole[k] += beta[f] * sides[first + 9 * f + k];
    for (let k = 0; k < 9; k++) this.#r[k] = this.#turned.turns.view[9 * c + k];
    for (let f = 0; f < E; f++) this.#setMoment(sides, first + 9 * f, moments, x + f);
    this.#turnWhole();
    const trace = whole[0] + whole[4] + whole[8];
    for (let e = 0; e < E; e++) {
      const ax = axes[x + e];
      const ay = axes[y + e];
      const az = axes[z + e];
      torques[x + e] = trace * ax - (whole[0] * ax + whole[1] * ay + whole[2] * az) + moments[x + e];
      torques[y + e] = trace * ay - (whole[3] * ax + whole[4] * ay + whole[5] * az) + moments[y + e];
      torques[z + e] = trace * az - (whole[6] * ax + whole[7] * ay + whole[8] * az) + moments[z + e];
    }
  }

  #deltaOf({ proxies }: TurningRegion, scales: Float64Array): Float64Array {
    const own = new Float64Array(this.#p);
    for (const proxy of proxies) own[proxy] = scales[proxy];
    const delta = new Float64Array(this.#N * this.#N);
    this.#deviation.addTo(own, delta, this.#N);
    return delta;
  }

  /** ũ_e of every example, at the rows of the region. */
  #turnBack({ logs }: TurningRegion, rows: Int32Array, unknowns: Float64Array): Float64Array {
    const r = this.#r;
    const turned = new Float64Array(3 * this.#N * this.#E);
    for (let e = 0; e < this.#E - this.#further; e++) {
      expAndJacobian(logs[3 * e], logs[3 * e + 1], logs[3 * e + 2], r, this.#j);
      for (const row of rows) {
        const at = 3 * (this.#N * e + row);
        for (let c = 0; c < 3; c++) {
          turned[at + c] = r[c] * unknowns[at] + r[3 + c] * unknowns[at + 1] + r[6 + c] * unknowns[at + 2];
        }
      }
    }
    return turned;
  }

  /** R_c(β) of every region, and the axes of its derivatives. */
  #turnAll(beta: Float64Array): void {
    const E = this.#E - this.#further;
    const { width } = this.#turned;
    const shares = this.#turned.beta.view;
    const turns = this.#turned.turns.view;
    const axes = this.#turned.axes.view;
    const j = this.#j;
    for (let e = 0; e < E; e++) shares[e + 1] = beta[e];
    for (let c = 0; c < this.#regions.length; c++) {
      const { logs } = this.#regions[c];
      let x = 0;
      let y = 0;
      let z = 0;
      for (let e = 0, k = 0; e < E; e++, k += 3) {
        x += beta[e] * logs[k];
        y += beta[e] * logs[k + 1];
        z += beta[e] * logs[k + 2];
      }
      expAndJacobian(x, y, z, this.#r, j);
      if (this.#further > 0) {
        // Q R and its derivatives have the same form, with Q J in place of J.
        turnColumns(this.turn, this.#r);
        turnColumns(this.turn, j);
      }
      for (let k = 0; k < 9; k++) turns[9 * c + k] = this.#r[k];
      for (let r = 0; r < 3; r++) {
        const to = (3 * c + r) * width + 1;
        for (let e = 0, k = 0; e < E; e++, k += 3) {
          axes[to + e] = j[3 * r] * logs[k] + j[3 * r + 1] * logs[k + 1] + j[3 * r + 2] * logs[k + 2];
        }
        for (let a = 0; a < this.#further; a++) axes[to + E + a] = this.turnAxes[3 * r + a];
      }
    }
  }

  /** Σ y × R ũ_f under Δ: R times the axial part of Σ_e β_e P_ef, as numbers a run apart. */
  #setMoment(s: Float64Array, at: number, out: Float64Array, to: number): void {
    const { width } = this.#turned;
    const r = this.#r;
    const x = s[at + 5] - s[at + 7];
    const y = s[at + 6] - s[at + 2];
    const z = s[at + 1] - s[at + 3];
    for (let c = 0; c < 3; c++) out[to + c * width] = r[3 * c] * x + r[3 * c + 1] * y + r[3 * c + 2] * z;
  }

  /** Rotates the product of the blend into model space. */
  #turnWhole(): void {
    const t = this.#whole;
    const r = this.#r;
    const m = this.#j;
    for (let a = 0; a < 9; a += 3) {
      for (let b = 0; b < 3; b++) m[a + b] = r[a] * t[b] + r[a + 1] * t[3 + b] + r[a + 2] * t[6 + b];
    }
    for (let a = 0; a < 9; a += 3) {
      for (let b = 0; b < 9; b += 3) t[a + b / 3] = m[a] * r[b] + m[a + 1] * r[b + 1] + m[a + 2] * r[b + 2];
    }
  }
}

/** m ← Q m, both 3 × 3. */
function turnColumns(q: Float64Array, m: Float64Array): void {
  for (let c = 0; c < 3; c++) {
    const x = m[c];
    const y = m[3 + c];
    const z = m[6 + c];
    for (let r = 0; r < 3; r++) m[3 * r + c] = q[3 * r] * x + q[3 * r + 1] * y + q[3 * r + 2] * z;
  }
}
