/**
 * Linear blend skinning with interpolated displacements, which is pose space deformation:
 *
 *   y_i = Σⱼ w_ij M_j p̂_i + F_i Σ_e c_ie(q) d_ie,   c_i = Σⱼ w_ij c_j,
 *
 * where F_i is the rotation of the blended transform. The interpolation weights c of a vertex are those of its bones,
 * blended by its skinning weights, so that there is no seam between the regions of two bones.
 *
 * References: Lewis, Cordner, Fong. Pose space deformation. 2000. Kry, James, Pai. EigenSkin. 2002.
 */
import { polarDecomposition } from '@pelt/math';
import { type PoseDisplacements, type SkinWeights, TRANSFORM_SIZE } from '@pelt/model';

/** Linear blend skinning in double precision; a call allocates nothing. */
export class BlendedPose {
  readonly #rest: Float32Array;
  readonly #skin: SkinWeights;
  readonly #transform = new Float64Array(TRANSFORM_SIZE);
  readonly #linear = new Float64Array(9);
  readonly #stretch = new Float64Array(9);

  /**
   * @param rest  n × 3 rest positions
   * @param skin  n × K weights
   */
  constructor(rest: Float32Array, skin: SkinWeights) {
    this.#rest = rest;
    this.#skin = skin;
  }

  /**
   * @param transforms  m × 12, rest → pose
   * @param out         n × 3; overwritten
   * @param frames      n × 9, rotations of the blended transforms; overwritten where given
   */
  blend(transforms: Float64Array, out: Float64Array, frames?: Float64Array): Float64Array {
    const { slots, bones, weights } = this.#skin;
    const rest = this.#rest;
    const M = this.#transform;
    const linear = this.#linear;
    for (let i = 0; 3 * i < rest.length; i++) {
      M.fill(0);
      for (let s = 0; s < slots; s++) {
        const w = weights[i * slots + s];
        const at = bones[i * slots + s] * TRANSFORM_SIZE;
        if (w !== 0) for (let k = 0; k < TRANSFORM_SIZE; k++) M[k] += w * transforms[at + k];
      }
      for (let c = 0; c < 3; c++) {
        const r = 4 * c;
        out[3 * i + c] = M[r] * rest[3 * i] + M[r + 1] * rest[3 * i + 1] + M[r + 2] * rest[3 * i + 2] + M[r + 3];
        for (let k = 0; k < 3; k++) linear[3 * c + k] = M[r + k];
      }
      if (frames) polarDecomposition(linear, 0, frames, 9 * i, this.#stretch, 0);
    }
    return out;
  }
}

/** Adds F_i Σ_e c_ie d_ie to every vertex; a call allocates nothing. */
export class DisplacementBlend {
  readonly #given: PoseDisplacements & { readonly axes?: Uint16Array };
  readonly #skin: SkinWeights;
  readonly #size: number;
  readonly #shares: Float64Array;
  readonly #sum = new Float64Array(3);

  /**
   * @param given  displacements of n vertices at E poses; `axes`: the frame of each vertex, where it is not its own
   * @param skin   n × K weights
   */
  constructor(given: PoseDisplacements & { readonly axes?: Uint16Array }, skin: SkinWeights) {
    this.#given = given;
    this.#skin = skin;
    this.#size = (3 * skin.weights.length) / skin.slots;
    this.#shares = new Float64Array(given.displacements.length / this.#size);
  }

  /**
   * @param cardinal  m × E interpolation weights of the examples per bone (`PoseInterpolation`)
   * @param frames    rotations F, 9 each: one per vertex, or those that `axes` refers to
   * @param out       n × 3; added to
   */
  addTo(cardinal: Float64Array, frames: Float64Array, out: Float64Array | Float32Array): void {
    const { axes } = this.#given;
    const d = this.#sum;
    for (let i = 0; 3 * i < this.#size; i++) {
      this.#sumOf(i, cardinal);
      for (let r = 0; r < 3; r++) {
        const F = 9 * (axes ? axes[i] : i) + 3 * r;
        out[3 * i + r] += frames[F] * d[0] + frames[F + 1] * d[1] + frames[F + 2] * d[2];
      }
    }
  }

  /** Σ_e c_ie d_ie of vertex i, into `#sum`. */
  #sumOf(i: number, cardinal: Float64Array): void {
    const { slots, bones, weights } = this.#skin;
    const { displacements } = this.#given;
    const shares = this.#shares;
    const sum = this.#sum;
    const E = shares.length;
    shares.fill(0);
    for (let s = i * slots; s < (i + 1) * slots; s++) {
      if (weights[s] !== 0) for (let e = 0; e < E; e++) shares[e] += weights[s] * cardinal[bones[s] * E + e];
    }
    sum.fill(0);
    for (let e = 0, at = 3 * i; e < E; e++, at += this.#size) {
      for (let c = 0; c < 3; c++) sum[c] += shares[e] * displacements[at + c];
    }
  }
}
