/**
 * Where a skin is worst: at every solved pose, how far the skin around each bone would miss it without that pose.
 *
 * The skin that is asked is the cheapest one that learns: what linear blending misses, in the axes of the bone that moves
 * a vertex most, interpolated over the poses by radial basis functions of the joints next to that bone, for a sample of
 * the vertices. Its errors on poses left out follow from one inverse: e_k = (A⁻¹ f)_k / (A⁻¹)_kk.
 *
 * Reference: Rippa. An algorithm for selecting a good value for the parameter c in radial basis function interpolation.
 * 1999 (equation 17).
 */
import { BunchKaufman, rotate3 } from '@pelt/math';
import { type Rig, TRANSFORM_SIZE } from '@pelt/model';
import { deformLinear } from '../shared/blending/linear.ts';

/** Vertices that are asked, at most; evenly spread over their numbers. */
const MOST_ASKED = 1500;
/** Weight of joints that are not next to a bone, so that poses stay distinct. */
const FAR_JOINT = 1e-3;
/** Ridge of the interpolation, in radians: poses that are there twice do not make it singular. */
const RIDGE = 1e-5;

export class LeftOutErrors {
  readonly #rig: Rig;
  /** The bone that moves each vertex most. */
  readonly #dominant: Int32Array;
  /** Vertices that are asked, bone by bone. */
  readonly #asked: readonly Int32Array[];
  readonly #near: readonly Int32Array[];
  /** m × 3 of each example; the first is rest */
  readonly #joints: Float64Array[];
  /** n × 3 of each example: what blending misses, in the axes of the dominant bone */
  readonly #residuals: Float64Array[];
  readonly #blended: Float32Array;

  constructor(rig: Rig) {
    const { bones, weights, mesh } = rig;
    const n = mesh.positions.length / 3;
    this.#rig = rig;
    this.#blended = new Float32Array(mesh.positions.length);
    this.#dominant = Int32Array.from({ length: n }, (_, i) => {
      let most = i * weights.slots;
      for (let s = most + 1; s < (i + 1) * weights.slots; s++) if (weights.weights[s] > weights.weights[most]) most = s;
      return weights.bones[most];
    });
    const step = Math.max(1, n / MOST_ASKED);
    const chosen = Array.from({ length: Math.min(n, MOST_ASKED) }, (_, k) => Math.floor(k * step));
    this.#asked = bones.map((_, j) => Int32Array.from(chosen.filter((i) => this.#dominant[i] === j)));
    this.#near = bones.map((_, j) => Int32Array.from(bones.keys()).filter((b) => b === j || bones[b].parent === j));
    this.#joints = [new Float64Array(3 * bones.length)];
    this.#residuals = [new Float64Array(mesh.positions.length)];
  }

  /** Number of solved poses, and rest. */
  get count(): number {
    return this.#joints.length;
  }

  /** m × 3 rotation vectors of pose k; 0 is rest. */
  joints(k: number): Float64Array {
    return this.#joints[k];
  }

  /**
   * Adds a solved pose.
   *
   * @param joints      m × 3 rotation vectors
   * @param transforms  m × 12, rest → pose
   * @param shape       n × 3
   */
  add(joints: Float64Array, transforms: Float64Array, shape: Float32Array): void {
    const { mesh, weights } = this.#rig;
    const blended = deformLinear(mesh.positions, weights, transforms, this.#blended);
    const residual = new Float64Array(shape.length);
    const rotation = new Float64Array(9);
    const missed = new Float64Array(3);
    for (const vertices of this.#asked) {
      for (const i of vertices) {
        const at = this.#dominant[i] * TRANSFORM_SIZE;
        // Transposed: from the pose to the axes of the bone.
        for (let k = 0; k < 9; k++) rotation[k] = transforms[at + 4 * (k % 3) + Math.floor(k / 3)];
        for (let c = 0; c < 3; c++) missed[c] = shape[3 * i + c] - blended[3 * i + c];
        rotate3(rotation, 0, missed, 0, residual, 3 * i);
      }
    }
    this.#joints.push(joints.slice());
    this.#residuals.push(residual);
  }

  /**
   * Σ of squared distances around each bone at each pose, if that pose had been left out.
   *
   * @returns m × count, row-major
   */
  errors(): Float64Array {
    const E = this.count;
    const out = new Float64Array(this.#asked.length * E);
    this.#asked.forEach((vertices, j) => {
      if (vertices.length === 0) return;
      const inverse = this.#inverse(j);
      const missed = new Float64Array(3 * vertices.length);
      for (let k = 0; k < E; k++) {
        missed.fill(0);
        for (let e = 0; e < E; e++) {
          const factor = inverse[k * (E + 1) + e];
          vertices.forEach((i, a) => {
            for (let c = 0; c < 3; c++) missed[3 * a + c] += factor * this.#residuals[e][3 * i + c];
          });
        }
        const own = inverse[k * (E + 1) + k];
        const squares = missed.reduce((sum, value) => sum + value * value, 0);
        out[j * E + k] = squares / (own * own);
      }
    });
    return out;
  }

  /** The inverse of [Φ 1; 1ᵀ 0] with Φ the distances of the poses as bone j sees them; (E + 1) × (E + 1). */
  #inverse(j: number): Float64Array {
    const E = this.count;
    const size = E + 1;
    const system = new Float64Array(size * size);
    const identity = new Float64Array(size * size);
    for (let a = 0; a < E; a++) {
      for (let b = 0; b < a; b++) system[a * size + b] = system[b * size + a] = this.#distance(j, a, b);
      // Distances are negative definite where the weights sum to 0.
      system[a * size + a] = -RIDGE;
      system[a * size + E] = system[E * size + a] = 1;
    }
    for (let k = 0; k < size; k++) identity[k * size + k] = 1;
    return new BunchKaufman(system, size).solve(identity, size);
  }

  #distance(j: number, a: number, b: number): number {
    const [p, q] = [this.#joints[a], this.#joints[b]];
    let all = 0;
    for (let k = 0; k < p.length; k++) all += (p[k] - q[k]) ** 2;
    let near = 0;
    for (const joint of this.#near[j]) for (let k = 3 * joint; k < 3 * joint + 3; k++) near += (p[k] - q[k]) ** 2;
    return Math.sqrt(near + FAR_JOINT * (all - near));
  }
}
