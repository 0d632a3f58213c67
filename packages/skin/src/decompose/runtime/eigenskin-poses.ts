/**
 * EigenSkin in new poses. In the frames of the animation every displacement field has its own coefficient; elsewhere the
 * coefficients are interpolated over the pose of the bones by radial basis functions with the kernel r plus a constant,
 *
 *   a(q) = μ + Σ_e c_e ‖f(q) − f(q_e)‖,   [Φ 1; 1ᵀ 0] [c; μ] = [a_e; 0],   Φ_de = ‖f(q_d) − f(q_e)‖,
 *
 * which is exact at the frames. The features f are the rotations of the bones relative to their parents, or to the mean
 * rotation of all roots, so that moving the character as a whole changes nothing.
 *
 * References: Kry, James, Pai. EigenSkin. 2002, section 4. Lewis, Cordner, Fong. Pose space deformation. 2000.
 */
import { BunchKaufman, properRotation } from '@pelt/math';
import { type Bone, type Clip, InputError, TRANSFORM_SIZE } from '@pelt/model';

/** Frames whose features differ by less than this, per bone, are one pose. */
const SAME_POSE = 1e-4;
/** Frames that are interpolated at most, evenly spaced: solving costs their cube. */
const MOST_FRAMES = 400;

/**
 * Coefficients of EigenSkin's displacement fields for any pose of the rig.
 *
 * @example
 * {@includeCode ../../../examples/eigen-skin-poses.ts}
 */
export class EigenSkinPoses {
  /** R, number of displacement fields. */
  readonly rank: number;
  readonly #bones: readonly Bone[];
  readonly #examples: readonly Float64Array[];
  /** (E + 1) × R: c, then μ */
  readonly #coefficients: Float64Array;
  readonly #features: Float64Array;

  /**
   * @param bones    m, of the rig
   * @param clip     S frames of the bones' transforms
   * @param amounts  S × R, of the R displacement fields in these frames: `amounts` of `eigenSkin`, or the weights of the
   *                 morph targets of a file
   */
  constructor(bones: readonly Bone[], clip: Pick<Clip, 'times' | 'transforms'>, amounts: Float32Array) {
    const [m, S] = [bones.length, clip.times.length];
    const R = S > 0 ? amounts.length / S : 0;
    if (S === 0 || !Number.isInteger(R)) {
      throw new InputError(`EigenSkinPoses: ${amounts.length} amounts for ${S} frames; give as many for each`);
    }
    this.rank = R;
    this.#bones = bones;
    this.#features = new Float64Array(9 * m);
    const examples: Float64Array[] = [];
    const values: Float32Array[] = [];
    const step = Math.max(S / MOST_FRAMES, 1);
    for (let k = 0; Math.floor(k) < S; k += step) {
      const t = Math.floor(k);
      const size = m * TRANSFORM_SIZE;
      const features = featuresOf(bones, clip.transforms.subarray(t * size, (t + 1) * size), new Float64Array(9 * m));
      if (examples.some((other) => distance(other, features) < SAME_POSE * m)) continue;
      examples.push(features);
      values.push(amounts.subarray(t * R, (t + 1) * R));
    }
    this.#examples = examples;
    this.#coefficients = solve(examples, values, R);
  }

  /**
   * @param transforms  m × 12 of a pose, rest → pose
   * @param out         R, overwritten
   */
  amountsAt(transforms: Float64Array, out: Float32Array): Float32Array {
    const R = this.rank;
    const features = featuresOf(this.#bones, transforms, this.#features);
    const c = this.#coefficients;
    const E = this.#examples.length;
    for (let k = 0; k < R; k++) {
      let sum = c[E * R + k];
      for (let e = 0; e < E; e++) sum += c[e * R + k] * distance(features, this.#examples[e]);
      out[k] = sum;
    }
    return out;
  }
}

function solve(examples: readonly Float64Array[], values: readonly Float32Array[], R: number): Float64Array {
  const E = examples.length;
  const right = new Float64Array((E + 1) * R);
  values.forEach((amounts, e) => {
    right.set(amounts, e * R);
  });
  // One pose says nothing about others: its amounts everywhere.
  if (E === 1) return Float64Array.from([...new Float64Array(R), ...right.subarray(0, R)]);
  const size = E + 1;
  const system = new Float64Array(size * size);
  for (let d = 0; d < E; d++) {
    for (let e = 0; e < E; e++) system[d * size + e] = distance(examples[d], examples[e]);
    system[d * size + E] = system[E * size + d] = 1;
  }
  return new BunchKaufman(system, size).solve(right, R);
}

/** m × 9: R_parentᵀ R_j, or relative to the mean rotation of the roots. */
function featuresOf(bones: readonly Bone[], transforms: Float64Array, out: Float64Array): Float64Array {
  const mean = new Float64Array(9);
  bones.forEach(({ parent }, j) => {
    if (parent >= 0) return;
    // The sum transposed, as properRotation takes it.
    for (let k = 0; k < 9; k++) mean[k] += transforms[j * TRANSFORM_SIZE + 4 * (k % 3) + Math.floor(k / 3)];
  });
  properRotation(mean, 0, mean, 0);
  bones.forEach(({ parent }, j) => {
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 3; column++) {
        let sum = 0;
        for (let k = 0; k < 3; k++) {
          const own = transforms[j * TRANSFORM_SIZE + 4 * k + column];
          sum += own * (parent < 0 ? mean[3 * k + row] : transforms[parent * TRANSFORM_SIZE + 4 * k + row]);
        }
        out[9 * j + 3 * row + column] = sum;
      }
    }
  });
  return out;
}

function distance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += (a[k] - b[k]) ** 2;
  return Math.sqrt(sum);
}
