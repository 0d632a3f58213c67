/**
 * The unknowns of posing by regions: one blend β of the examples for the whole body, and for every region r how it departs
 * from that, by a few modes z_r and a rotation θ_r about the joint that it hangs on,
 *
 *   β_r = β + B_r z_r,   m_p = exp[Σ_r φ_pr θ_r]× · m(Σ_r φ_pr β_r),
 *
 * with φ_pr the shares of the regions in proxy p. Columns of B_r are orthonormal: the principal components of what the
 * region does over the examples. With z = 0 and θ = 0 this is the published blend; where all regions have the blend of an
 * example, it is that example.
 *
 * Departures have a cost of their own, and neighbours are coupled along the tree of regions,
 *
 *   ½μ Σ‖z_r‖² + ½ Σ_r ω_r ‖B_r z_r − B_s z_s‖² + ½τ Σ ‖θ_r − θ_s‖² + ½ρ Σ‖θ_r‖²,   s the parent of r,
 *
 * where ω_r grows with how alike the two moved. Rotations reach where no example did; positions follow from gradients, so
 * that turning a region turns it about its joint.
 *
 * Blends of E numbers in each region instead of a common one and five modes gave 0.59 and 0.76 in place of 0.61 and 0.78 of
 * the nearest example's error on poses left out (horse, cat), at five times the cost of an iteration. Rotations without
 * modes gave 0.63 and 0.88. Experiments: docs/experiments/posing.md.
 */
import { symmetricEigen } from '@pelt/math';
import { exampleCount, type Poser, proxyCount, regionCount } from '@pelt/model';

/** Modes of a region, at most. */
const MODES = 5;
/** Numbers of a region beside its modes: a rotation. */
export const TURN = 3;
/**
 * μ and ω at a likeness of 1; τ and ρ. On poses left out of horse and cat, a tenth of them left 0.70 and 0.88 in place of
 * 0.61 and 0.88 of the nearest example's error and took half as many iterations again; 13 sets drawn at random between a
 * tenth and ten times of these, with λ from a third to ten times, were within 5 % of them.
 */
const DEPARTURE = 1e-2;
const COUPLING = 1e-2;
const LEAST_BOND = 0.02;
const BENDING = 3e-3;
const TURNING = 1e-3;
/**
 * Weight of the departures of regions that are held: a pulled trunk of an elephant would otherwise swing its tail, through
 * the couplings.
 */
const HOLDING = 1;

export class BodyBlend {
  /** E, R, and the modes of each region */
  readonly E: number;
  readonly R: number;
  readonly modes: number;
  /** All unknowns: E + R (modes + 3), or E where the body has one region. */
  readonly count: number;
  /** R × E: the blend of each region, and R × 3: its rotation; after `set` */
  readonly blends: Float64Array;
  readonly turns: Float64Array;
  /** E: shares of the examples' details, which are the same for the whole mesh: each where it has most details */
  readonly details: Float64Array;
  /** R of E × modes */
  readonly bases: readonly Float64Array[];
  /** R × E: how much of each example's details is in each region */
  readonly #detailShares: Float64Array;
  /** Factor of the costs of the departures, for regions without a handle too. */
  firmness = 1;
  /** The costs of the departures, (count − E)², symmetric */
  readonly #stiffness: Float64Array;
  /** R: further cost of a region's departure, 0 but for those that are held */
  readonly #held: Float64Array;
  readonly #parents: ArrayLike<number>;

  /** @param areas  n fractions of the surface area */
  constructor(poser: Poser, areas: Float64Array) {
    const E = exampleCount(poser);
    const R = regionCount(poser);
    this.E = E;
    this.R = R;
    this.modes = R > 1 ? Math.min(MODES, E) : 0;
    this.count = R > 1 ? E + R * (this.modes + TURN) : E;
    this.blends = new Float64Array(R * E);
    this.turns = new Float64Array(TURN * R);
    this.details = new Float64Array(E);
    this.#detailShares = detailShares(poser, areas, R);
    this.bases = R > 1 ? Array.from({ length: R }, (_, r) => regionModes(poser, r, R, this.modes)) : [];
    this.#stiffness = this.#departureCosts(poser);
    this.#held = new Float64Array(R);
    this.#parents = poser.regions?.parents ?? [];
  }

  /**
   * Holds regions that are neither pulled nor next to one that is; none where nothing is pulled.
   *
   * @param pulled  regions with a handle
   */
  hold(pulled: readonly number[]): void {
    for (let r = 0; r < this.R; r++) {
      let isNear = pulled.length === 0;
      for (const s of pulled) isNear ||= r === s || this.#parents[r] === s || this.#parents[s] === r;
      this.#held[r] = isNear ? 0 : HOLDING;
    }
  }

  /** Index of the first mode of a region; its rotation is behind its modes. */
  modeAt(r: number): number {
    return this.E + r * (this.modes + TURN);
  }

  /** Sets `blends`, `turns` and `details`; allocates nothing. */
  set(x: Float64Array): void {
    const { E, R, modes, blends, turns, details } = this;
    for (let r = 0; r < R; r++) for (let e = 0; e < E; e++) blends[r * E + e] = x[e];
    for (let r = 0; r < R && modes > 0; r++) {
      const at = this.modeAt(r);
      const basis = this.bases[r];
      for (let e = 0; e < E; e++) {
        for (let a = 0; a < modes; a++) blends[r * E + e] += basis[e * modes + a] * x[at + a];
      }
      for (let c = 0; c < TURN; c++) turns[TURN * r + c] = x[at + modes + c];
    }
    for (let e = 0; e < E; e++) {
      let sum = 0;
      for (let r = 0; r < R; r++) sum += this.#detailShares[r * E + e] * blends[r * E + e];
      details[e] = sum;
    }
  }

  /**
   * Cost of the departures from those of an anchor, which is 0 where it is absent.
   *
   * @param gradient  count; added to where given, and `matrix` at and below its diagonal
   */
  departure(x: Float64Array, anchor?: Float64Array, gradient?: Float64Array, matrix?: Float64Array, M = 0): number {
    const { E, count, firmness } = this;
    const Q = this.#stiffness;
    const n = count - E;
    let cost = 0;
    for (let a = 0; a < n; a++) {
      const held = this.#held[Math.floor(a / (this.modes + TURN))];
      let force = held * (x[E + a] - (anchor ? anchor[E + a] : 0));
      for (let b = 0; b < n; b++) {
        const q = firmness * Q[a * n + b];
        if (q !== 0) force += q * (x[E + b] - (anchor ? anchor[E + b] : 0));
      }
      cost += 0.5 * force * (x[E + a] - (anchor ? anchor[E + a] : 0));
      if (gradient) gradient[E + a] += force;
      if (!matrix) continue;
      for (let b = 0; b <= a; b++) matrix[(E + a) * M + E + b] += firmness * Q[a * n + b];
      matrix[(E + a) * M + E + a] += held;
    }
    return cost;
  }

  /**
   * From derivatives by the examples' details to derivatives by the unknowns: out += factor · Σ_e values_e ∂details_e.
   *
   * @param values  E from index `at`
   * @param out     count from index `to`; added to
   */
  addDetails(values: Float64Array, at: number, factor: number, out: Float64Array, to: number): void {
    const { E, R, modes } = this;
    for (let e = 0; e < E; e++) {
      const value = factor * values[at + e];
      if (value === 0) continue;
      out[to + e] += value;
      for (let r = 0; r < R && modes > 0; r++) {
        const share = value * this.#detailShares[r * E + e];
        const first = to + this.modeAt(r);
        for (let a = 0; a < modes; a++) out[first + a] += share * this.bases[r][e * modes + a];
      }
    }
  }

  #departureCosts({ regions }: Poser): Float64Array {
    const { E, R, modes, count } = this;
    const n = count - E;
    const Q = new Float64Array(n * n);
    if (!regions) return Q;
    for (let r = 0; r < R; r++) {
      const at = this.modeAt(r) - E;
      for (let a = 0; a < modes; a++) Q[(at + a) * (n + 1)] += DEPARTURE;
      for (let c = modes; c < modes + TURN; c++) Q[(at + c) * (n + 1)] += TURNING;
      const s = regions.parents[r];
      if (s < 0) continue;
      const to = this.modeAt(s) - E;
      const bond = COUPLING * Math.max(regions.bonds[r], LEAST_BOND);
      for (let a = 0; a < modes; a++) {
        Q[(at + a) * (n + 1)] += bond;
        Q[(to + a) * (n + 1)] += bond;
        for (let b = 0; b < modes; b++) {
          let common = 0;
          for (let e = 0; e < E; e++) common += this.bases[r][e * modes + a] * this.bases[s][e * modes + b];
          Q[(at + a) * n + to + b] -= bond * common;
          Q[(to + b) * n + at + a] -= bond * common;
        }
      }
      for (let c = modes; c < modes + TURN; c++) {
        Q[(at + c) * (n + 1)] += BENDING;
        Q[(to + c) * (n + 1)] += BENDING;
        Q[(at + c) * n + to + c] -= BENDING;
        Q[(to + c) * n + at + c] -= BENDING;
      }
    }
    return Q;
  }
}

/** E × modes: principal components of the gradients of a region over the examples. */
function regionModes(poser: Poser, r: number, R: number, modes: number): Float64Array {
  const { exampleLogs: logs, exampleStretches: stretches, proxyWeights, regions } = poser;
  const [E, p] = [exampleCount(poser), proxyCount(poser)];
  const gram = new Float64Array(E * E);
  for (let k = 0; k < p; k++) {
    const weight = proxyWeights[k] * (regions?.shares[k * R + r] ?? 1);
    if (weight === 0) continue;
    for (let e = 0; e < E; e++) {
      for (let f = 0; f <= e; f++) {
        let sum = 0;
        // A rotation by a small angle has twice its square as norm, an entry beside the diagonal counts twice.
        for (let c = 0; c < 3; c++) sum += 2 * logs[3 * (e * p + k) + c] * logs[3 * (f * p + k) + c];
        for (let c = 0; c < 6; c++) {
          const twice = c === 0 || c === 3 || c === 5 ? 1 : 2;
          sum += twice * stretches[6 * (e * p + k) + c] * stretches[6 * (f * p + k) + c];
        }
        gram[e * E + f] += weight * sum;
      }
    }
  }
  const { vectors } = symmetricEigen(gram, E);
  const basis = new Float64Array(E * modes);
  for (let e = 0; e < E; e++) for (let a = 0; a < modes; a++) basis[e * modes + a] = vectors[e * E + E - 1 - a];
  return basis;
}

/** R × E: shares of the regions in the squared details of every example; those of the surface where it has none. */
function detailShares(poser: Poser, areas: Float64Array, R: number): Float64Array {
  const E = exampleCount(poser);
  const out = new Float64Array(R * E);
  const { exampleDetails, vertexProxies, regions, size } = poser;
  for (let e = 0; e < E; e++) {
    const detail = exampleDetails[e];
    let total = 0;
    for (let i = 0; i < areas.length; i++) {
      let squared = 1e-12;
      if (detail) for (let c = 3 * i; c < 3 * i + 3; c++) squared += (detail[c] / size) ** 2;
      for (let r = 0; r < R; r++) {
        const share = areas[i] * squared * (regions?.shares[vertexProxies[i] * R + r] ?? 1);
        out[r * E + e] += share;
        total += share;
      }
    }
    for (let r = 0; r < R; r++) out[r * E + e] /= total;
  }
  return out;
}
