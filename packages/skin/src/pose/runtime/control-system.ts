/**
 * The quadratic form in the controls for a given blend: H = GᵀWG + Δ, one 4m × 4m matrix for x, y and z, with its
 * inverse. Δ couples the vertices of a proxy (see GroupDeviation). The null space of G (global translation, controls
 * that hardly any vertex uses) is removed by a weak regulariser towards the rest pose, measured on the surface.
 *
 * Regions modify it: pinned vertices are constrained to their current positions, free ones follow the examples with a
 * small weight only.
 */
import { PoseProducts } from '@pelt/kernels';
import { type Block, DenseCholesky, type Numerics, type Scope } from '@pelt/math';
import { exampleCount, type Poser, type Run, regionCount, TRANSFORM_SIZE, UsageError } from '@pelt/model';
import { vertexAreas } from '../../shared/mesh/vertex-areas.ts';
import { BodyPart } from './body-part.ts';
import { GroupDeviation } from './group-deviation.ts';
import { addNormalMatrix, addPosition } from './normal-matrix.ts';
import { relativePositions, unknownsOf } from './relative-frame.ts';
import { type TurningRegion, turningRegions } from './turning-regions.ts';
import type { GradientRows } from './weight-gradients.ts';

/** Sets of vertices, as indices, that are treated differently while posing. */
export interface Regions {
  /** Vertices that stay where they are. */
  readonly pinned?: readonly number[];
  /** Vertices that may deviate from the examples. */
  readonly free?: readonly number[];
}

/** Weight of the regulariser towards the rest pose, relative to the gradients. */
export const STAY = 1e-5;
/** Weight of pinned vertices, for a displacement of the model's size. */
const PIN = 1e3;
/** Weight of the gradients in a free region. */
const FREE = 1e-2;

export class ControlSystem {
  /** N = 4m */
  readonly N: number;
  /** n × 3 rest positions, relative */
  readonly x: Float64Array;
  readonly rows: GradientRows;
  /** p, adjusted for the regions */
  readonly weights: Float64Array;
  /** K = H⁻¹, N × N */
  readonly inverse: Block<Float64Array>;
  /** The inverse of the Cholesky factor, N × N lower triangular: K = (L⁻¹)ᵀL⁻¹ */
  readonly lowerInverse: Block<Float64Array>;
  readonly products: PoseProducts;
  /** N × 3: right-hand side of the pins at zero offset; N: its derivative with respect to the offset, negated */
  readonly pinForce: Float64Array;
  readonly pinMass: Float64Array;
  /** The regions of the body, each with its blend. */
  readonly parts: readonly BodyPart[];
  readonly #deviation: GroupDeviation;
  /** E × N × 3, relative to the rest pose */
  readonly #exampleUnknowns: Float64Array;
  readonly #poser: Poser;
  readonly #numerics: Numerics;
  /** n fractions of the surface area */
  readonly areas: Float64Array;

  /** @param scope  owns the blocks in wasm memory */
  constructor(poser: Poser, { numerics, ...context }: Run, scope: Scope) {
    const { rig, blockStarts, blockControls, blocks } = poser;
    this.#poser = poser;
    this.#numerics = numerics;
    this.N = 4 * rig.bones.length;
    this.x = relativePositions(poser, rig.mesh.positions);
    this.areas = vertexAreas(this.x, rig.mesh.triangles);
    this.rows = { starts: blockStarts, controls: blockControls, blocks };
    this.weights = poser.proxyWeights.slice();
    this.inverse = scope.f64(this.N * this.N);
    this.lowerInverse = scope.f64(this.N * this.N);
    this.products = new PoseProducts(numerics, scope, this.rows, rig.bones.length);
    this.pinForce = new Float64Array(3 * this.N);
    this.pinMass = new Float64Array(this.N);
    const E = exampleCount(poser);
    this.#deviation = new GroupDeviation(poser, this.rows, this.x, this.areas, context);
    this.#exampleUnknowns = new Float64Array(3 * this.N * E);
    const R = regionCount(poser);
    const turning = turningByRegion(poser, turningRegions(poser, this.areas), R);
    this.parts = turning.map((own, r) => new BodyPart(poser, r, R, this.rows, own, this.#deviation, numerics, scope));
    const size = TRANSFORM_SIZE * rig.bones.length;
    for (let e = 0; e < E; e++) {
      const transforms = poser.exampleTransforms.subarray(e * size, (e + 1) * size);
      unknownsOf(poser, transforms, this.#exampleUnknowns.subarray(3 * this.N * e, 3 * this.N * (e + 1)));
    }
    this.setRegions({}, new Float64Array(3 * this.N));
  }

  /** @param unknowns  N × 3, relative to the rest pose: the pose in which vertices are pinned */
  setRegions({ pinned = [], free = [] }: Regions, unknowns: Float64Array): void {
    const { weights, N } = this;
    const n = this.x.length / 3;
    const wrong = [...pinned, ...free].find((i) => !Number.isInteger(i) || i < 0 || i >= n);
    if (wrong !== undefined) {
      throw new UsageError(`setRegions: there is no vertex ${wrong}; vertices are 0 to ${n - 1}`);
    }
    weights.set(this.#poser.proxyWeights);
    for (const i of new Set(free)) weights[this.#poser.vertexProxies[i]] -= (1 - FREE) * this.areas[i];
    // A proxy whose vertices are all free keeps a small weight; rounding must not make it negative.
    weights.forEach((weight, p) => {
      weights[p] = Math.max(weight, FREE * this.#poser.proxyWeights[p]);
    });
    const h = new Float64Array(N * N);
    const scales = weights.map((weight, p) => weight / this.#poser.proxyWeights[p]);
    this.#deviation.addTo(scales, h, N);
    for (const part of this.parts) {
      part.setWeights(weights);
      part.spread.gather(scales, this.#exampleUnknowns);
    }
    addNormalMatrix(this.rows, weights, h, N);
    for (let i = 0; i < n; i++) addPosition(this.#poser.rig.weights, this.x, i, STAY * this.areas[i], h, N);
    this.pinForce.fill(0);
    this.pinMass.fill(0);
    for (const i of new Set(pinned)) this.#pin(i, unknowns, h);
    const cholesky = new DenseCholesky(this.#numerics, N);
    try {
      // A control that moves no vertex has an empty row; it stays at rest.
      for (let k = 0; k < N; k++) h[k * N + k] += h[k * N + k] > 0 ? 0 : 1;
      let trace = 0;
      for (let k = 0; k < N; k++) trace += h[k * N + k];
      for (let k = 0; k < N; k++) h[k * N + k] += (1e-12 * trace) / N;
      const inverse = new Float64Array(N * N);
      for (let k = 0; k < N; k++) inverse[k * N + k] = 1;
      cholesky.factor(h).solveInPlace(inverse, N);
      this.inverse.view.set(inverse);
      this.lowerInverse.view.set(lowerFactorOf(inverse, N));
      this.products.setWeights(weights);
    } finally {
      cholesky.dispose();
    }
  }

  #pin(i: number, unknowns: Float64Array, h: Float64Array): void {
    const { slots, bones, weights } = this.#poser.rig.weights;
    const weight = PIN * this.areas[i];
    addPosition(this.#poser.rig.weights, this.x, i, weight, h, this.N);
    const moved = [0, 0, 0];
    const each = (visit: (row: number, factor: number) => void) => {
      for (let s = i * slots; s < (i + 1) * slots; s++) {
        for (let k = 0; k < 4; k++) visit(4 * bones[s] + k, weights[s] * (k < 3 ? this.x[3 * i + k] : 1));
      }
    };
    each((row, factor) => {
      for (let r = 0; r < 3; r++) moved[r] += factor * unknowns[3 * row + r];
    });
    each((row, factor) => {
      this.pinMass[row] += weight * factor;
      for (let r = 0; r < 3; r++) this.pinForce[3 * row + r] += weight * factor * moved[r];
    });
  }
}

/** What rotates together, by the region of the body that has most of it. */
function turningByRegion(poser: Poser, turning: readonly TurningRegion[], R: number): TurningRegion[][] {
  const out: TurningRegion[][] = Array.from({ length: R }, () => []);
  for (const one of turning) {
    const shares = new Float64Array(R);
    for (const k of one.proxies) {
      for (let r = 0; r < R; r++) shares[r] += poser.proxyWeights[k] * (poser.regions?.shares[k * R + r] ?? 1);
    }
    out[shares.indexOf(Math.max(...shares))].push(one);
  }
  return out;
}

/**
 * The lower triangular B with K = BᵀB, which is the inverse of the Cholesky factor of K⁻¹: Cholesky's method from the
 * last row up.
 *
 * @param K  N × N, positive definite
 */
function lowerFactorOf(K: Float64Array, N: number): Float64Array {
  const B = new Float64Array(N * N);
  const left = K.slice();
  for (let k = N - 1; k >= 0; k--) {
    const pivot = Math.sqrt(Math.max(left[k * N + k], 0));
    if (pivot === 0) continue;
    for (let c = 0; c <= k; c++) B[k * N + c] = left[k * N + c] / pivot;
    for (let r = 0; r < k; r++) {
      const factor = B[k * N + r];
      if (factor !== 0) for (let c = 0; c <= r; c++) left[r * N + c] -= factor * B[k * N + c];
    }
  }
  return B;
}
