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
  /** E, number of example poses. */
  readonly count: number;
  /** m × E cardinal weights of the last pose */
  readonly weights: Float64Array;
  readonly #examples: readonly Float64Array[];
  /** g, m × m */
  readonly #importance: Float64Array;
  /** m inverses without their last row, E × (E + 1) each */
  readonly #inverses: readonly Float64Array[];
  readonly #kernel: Float64Array;

  /**
   * @param bones     m
   * @param examples  E poses, m × 3 rotation vectors of the joints each, pairwise distinct
   */
  constructor(bones: readonly Bone[], examples: readonly Float64Array[]) {
    const m = bones.length;
    this.m = m;
    this.count = examples.length;
    this.#examples = examples;
    this.weights = new Float64Array(m * this.count);
    this.#kernel = new Float64Array(this.count + 1);
    this.#importance = new Float64Array(m * m);
    for (let j = 0; j < m; j++) {
      for (let b = 0; b < m; b++) this.#importance[j * m + b] = b === j || bones[b].parent === j ? 1 : FAR_JOINT;
    }
    this.#inverses = bones.map((_, j) => this.#invert(j));
  }

  /**
   * Fills and returns `weights`.
   *
   * @param joints  m × 3 rotation vectors
   */
  at(joints: Float64Array): Float64Array {
    const { count: C } = this;
    const kernel = this.#kernel;
    kernel[C] = 1;
    for (let j = 0; j < this.m; j++) {
      for (let e = 0; e < C; e++) kernel[e] = this.#distance(j, joints, this.#examples[e]);
      const inverse = this.#inverses[j];
      for (let e = 0; e < C; e++) {
        let sum = 0;
        for (let k = 0; k <= C; k++) sum += inverse[e * (C + 1) + k] * kernel[k];
        this.weights[j * C + e] = sum;
      }
    }
    return this.weights;
  }

  #distance(j: number, a: Float64Array, b: Float64Array): number {
    let sum = 0;
    for (let joint = 0; joint < this.m; joint++) {
      let squared = 0;
      for (let k = 3 * joint; k < 3 * joint + 3; k++) squared += (a[k] - b[k]) ** 2;
      sum += this.#importance[j * this.m + joint] * squared;
    }
    return Math.sqrt(sum);
  }

  #invert(j: number): Float64Array {
    const C = this.count;
    const size = C + 1;
    const system = new Float64Array(size * size);
    const identity = new Float64Array(size * size);
    for (let d = 0; d < C; d++) {
      for (let e = 0; e < C; e++) system[d * size + e] = this.#distance(j, this.#examples[d], this.#examples[e]);
      system[d * size + C] = system[C * size + d] = 1;
    }
    for (let k = 0; k < size; k++) identity[k * size + k] = 1;
    return new BunchKaufman(system, size).solve(identity, size).slice(0, C * size);
  }
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
export function posesOf({ poses }: PoseDisplacements, m: number): Float64Array[] {
  return Array.from({ length: poses.length / (3 * m) }, (_, e) => poses.subarray(3 * m * e, 3 * m * (e + 1)));
}
