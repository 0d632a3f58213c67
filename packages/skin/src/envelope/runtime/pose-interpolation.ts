/**
 * Scattered data interpolation in pose space. For every bone the cardinal weights c_e(q) of the example poses are 1 at
 * their own pose and 0 at the others, sum to 1, and depend on the joints next to the bone: radial basis functions with
 * the kernel r plus a constant,
 *
 *   [Φ 1; 1ᵀ 0] [c; μ] = [φ(q); 1],   Φ_de = r_de,   r² = Σ_b g_b ‖θ_b − θ_b'‖²,
 *
 * g = 1 for the joints of the bone. The other joints have a small weight, so that poses that differ only there stay
 * distinct and every example is interpolated.
 *
 * Reference: Lewis, Cordner, Fong. Pose space deformation. 2000 (section 4), with the kernel of polyharmonic splines.
 */
import { BunchKaufman } from '@pelt/math';
import type { Bone, PoseDisplacements } from '@pelt/model';

/** Weight g of joints that are not next to the bone. */
const FAR_JOINT = 1e-3;
/** Poses whose joints all differ by less than this, in radians, count as one. */
export const SAME_POSE = 1e-6;

/**
 * Interpolation weights of example poses, per bone; evaluating them allocates nothing.
 *
 * @example
 * {@includeCode ../../../examples/pose-interpolation.ts}
 */
export class PoseInterpolation {
  readonly m: number;
  /** Displacements that are weighted: E, or R where the examples are mixed from fewer. */
  readonly count: number;
  /** m × E cardinal weights of the last pose, or m × R of what the examples are mixed from */
  readonly weights: Float64Array;
  readonly #examples: readonly Float64Array[];
  /** The joints next to each bone. */
  readonly #near: readonly Int32Array[];
  /** m inverses without their last row, mixed if so: count × (E + 1) each */
  readonly #inverses: readonly Float64Array[];
  readonly #kernel: Float64Array;
  /** E × (m + 1): squared distances of the joints, and their sum */
  readonly #squares: Float64Array;

  /**
   * @param bones     m
   * @param examples  E poses, m × 3 rotation vectors of the joints each, pairwise distinct
   * @param mixing    R × E; cardinal weights are returned where it is undefined
   */
  constructor(bones: readonly Bone[], examples: readonly Float64Array[], mixing?: Float64Array) {
    const m = bones.length;
    const E = examples.length;
    this.m = m;
    this.count = mixing ? mixing.length / E : E;
    this.#examples = examples;
    this.weights = new Float64Array(m * this.count);
    this.#kernel = new Float64Array(E + 1);
    this.#squares = new Float64Array(E * (m + 1));
    this.#near = bones.map((_, j) => Int32Array.from(bones.keys()).filter((b) => b === j || bones[b].parent === j));
    const distances = new Float64Array(m * E * E);
    examples.forEach((example, d) => {
      this.#measure(example);
      for (let j = 0; j < m; j++) for (let e = 0; e < E; e++) distances[(j * E + d) * E + e] = this.#distance(j, e);
    });
    this.#inverses = bones.map((_, j) => {
      const inverse = invert(distances.subarray(j * E * E, (j + 1) * E * E), E);
      return mixing ? product(mixing, inverse, this.count, E, E + 1) : inverse;
    });
  }

  /**
   * Fills and returns `weights`.
   *
   * @param joints  m × 3 rotation vectors
   */
  at(joints: Float64Array): Float64Array {
    const { count: C, weights } = this;
    const kernel = this.#kernel;
    const width = kernel.length;
    this.#measure(joints);
    kernel[width - 1] = 1;
    for (let j = 0; j < this.m; j++) {
      for (let e = 0; e + 1 < width; e++) kernel[e] = this.#distance(j, e);
      const inverse = this.#inverses[j];
      for (let c = 0, at = 0; c < C; c++) {
        let sum = 0;
        for (let k = 0; k < width; k++, at++) sum += inverse[at] * kernel[k];
        weights[j * C + c] = sum;
      }
    }
    return weights;
  }

  /** Squared distances of every joint from all examples, so that those of every bone take few additions. */
  #measure(joints: Float64Array): void {
    const squares = this.#squares;
    const m = this.m;
    for (let e = 0; e < this.#examples.length; e++) {
      const example = this.#examples[e];
      const at = e * (m + 1);
      let total = 0;
      for (let b = 0, k = 0; b < m; b++, k += 3) {
        const x = joints[k] - example[k];
        const y = joints[k + 1] - example[k + 1];
        const z = joints[k + 2] - example[k + 2];
        squares[at + b] = x * x + y * y + z * z;
        total += squares[at + b];
      }
      squares[at + m] = total;
    }
  }

  /** Distance of the measured pose from example e, as bone j sees it. */
  #distance(j: number, e: number): number {
    const near = this.#near[j];
    const at = e * (this.m + 1);
    let sum = 0;
    for (let k = 0; k < near.length; k++) sum += this.#squares[at + near[k]];
    return Math.sqrt(sum + FAR_JOINT * (this.#squares[at + this.m] - sum));
  }
}

/**
 * The inverse of [Φ 1; 1ᵀ 0] without its last row.
 *
 * @param distances  Φ, E × E
 * @returns E × (E + 1)
 */
function invert(distances: Float64Array, E: number): Float64Array {
  const size = E + 1;
  const system = new Float64Array(size * size);
  const identity = new Float64Array(size * size);
  for (let d = 0; d < E; d++) {
    system.set(distances.subarray(d * E, (d + 1) * E), d * size);
    system[d * size + E] = system[E * size + d] = 1;
  }
  for (let k = 0; k < size; k++) identity[k * size + k] = 1;
  return new BunchKaufman(system, size).solve(identity, size).slice(0, E * size);
}

/** A B, rows × inner times inner × columns. */
function product(A: Float64Array, B: Float64Array, rows: number, inner: number, columns: number): Float64Array {
  const out = new Float64Array(rows * columns);
  for (let r = 0; r < rows; r++) {
    for (let k = 0; k < inner; k++) {
      const a = A[r * inner + k];
      for (let c = 0; c < columns; c++) out[r * columns + c] += a * B[k * columns + c];
    }
  }
  return out;
}

/** The largest difference of any joint between two poses, in radians. */
export function poseDistance(a: Float64Array, b: Float64Array): number {
  let largest = 0;
  for (let k = 0; k < a.length; k += 3) {
    largest = Math.max(largest, Math.hypot(a[k] - b[k], a[k + 1] - b[k + 1], a[k + 2] - b[k + 2]));
  }
  return largest;
}

/**
 * The E example poses at which displacements are stored, m × 3 rotation vectors each, as `PoseInterpolation` takes them.
 *
 * @param m  number of bones
 *
 * @example
 * {@includeCode ../../../examples/poses-of.ts}
 */
export function posesOf({ poses }: Pick<PoseDisplacements, 'poses'>, m: number): Float64Array[] {
  return Array.from({ length: poses.length / (3 * m) }, (_, e) => poses.subarray(3 * m * e, 3 * m * (e + 1)));
}
