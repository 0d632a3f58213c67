/**
 * The matrix palette of a reduced skin: t(q) = C₁ d(q) + C₂ q for the proxy bones, followed by the bones themselves, with
 * its corrections; and what displacements on top of it need, the weights of the example poses and the axes of the key
 * gradients.
 *
 * The coordinates x, y, z do not mix: row c of every transform depends only on row c of the gradients and of the bones,
 * by the same matrices.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007 (section 5 and appendix A).
 */
import { properRotation } from '@pelt/math';
import { type Bone, type ReducedEnvelope, TRANSFORM_SIZE, UsageError } from '@pelt/model';
import { AddedJoints } from './added-joints.ts';
import { GradientPrediction } from './gradient-predictors.ts';
import { CorrectionBlend } from './palette-corrections.ts';
import { PlainProduct } from './plain-product.ts';
import { PoseCoordinates } from './pose-coordinates.ts';
import { PoseInterpolation, posesOf } from './pose-interpolation.ts';

/** The part of a reduced skin that drives its palette: everything but the mesh. */
export type EnvelopeDriver = Omit<ReducedEnvelope, 'rig' | 'skin'>;

/** The product t = A [x y z] of a constant matrix with the numbers of a pose, in plain TypeScript or by a kernel. */
export interface TransformProduct {
  /** width × 4: x, y, z, and one without use */
  readonly numbers: Float64Array | Float32Array;
  multiply(): Float64Array | Float32Array;
}

/**
 * Evaluates the palette of a reduced skin without kernels, for engines that skin on the GPU; an update allocates nothing.
 *
 * @example
 * {@includeCode ../../../examples/envelope-palette.ts}
 */
export class EnvelopePalette {
  /** Transforms of the proxies, of the added joints if any, then of the bones in the last pose, 12 each. */
  readonly palette: Float64Array;
  /** m × 3 rotation vectors of the joints in the last pose */
  readonly joints: Float64Array;
  readonly #driver: EnvelopeDriver;
  readonly #m: number;
  readonly #coordinates: PoseCoordinates;
  readonly #gradients: Float64Array;
  readonly #rotations: Float64Array;
  /** The key gradients whose axes are in use; all of them as long as there are no displacements. */
  readonly #axes: Uint16Array;
  readonly #product: TransformProduct;
  readonly #interpolation: PoseInterpolation | undefined;
  readonly #corrections: CorrectionBlend | undefined;
  readonly #added: AddedJoints | undefined;
  /** (m + added) × 12 */
  readonly #extended: Float64Array;
  readonly #prediction: GradientPrediction;

  /**
   * @param bones      m
   * @param productOf  makes the product with C = [C₁ C₂], 4P × width; by default in plain TypeScript
   */
  constructor(
    driver: EnvelopeDriver,
    bones: readonly Bone[],
    productOf: (matrix: Float64Array, width: number) => TransformProduct = (matrix, width) =>
      new PlainProduct(matrix, width),
  ) {
    const { proxies: P, keys, corrections, displacements } = driver;
    const m = bones.length;
    const L = keys.references.length;
    this.#driver = driver;
    this.#m = m;
    this.#added = driver.addedJoints ? new AddedJoints(bones, driver.centres) : undefined;
    this.#extended = new Float64Array((this.#added?.bones.length ?? 0) * TRANSFORM_SIZE);
    this.palette = new Float64Array(P * TRANSFORM_SIZE + Math.max(this.#extended.length, m * TRANSFORM_SIZE));
    this.joints = new Float64Array(3 * m);
    this.#coordinates = new PoseCoordinates(bones, driver.centres);
    this.#prediction = new GradientPrediction(keys);
    this.#gradients = new Float64Array(9 * L);
    this.#rotations = new Float64Array(9 * L);
    this.#axes = Uint16Array.from(new Set(displacements ? displacements.axes : Array(L).keys())).sort();
    this.#product = productOf(sideBySide(driver.fromKeys, 3 * L, driver.fromBones, 4 * m), 3 * L + 4 * m);
    this.#corrections = corrections && new CorrectionBlend(bones, corrections);
    this.#interpolation =
      displacements && new PoseInterpolation(bones, posesOf(displacements, m), displacements.mixing);
  }

  /**
   * Fills and returns `palette`.
   *
   * @param transforms  m × 12, rest → pose
   */
  update(transforms: Float64Array): Float64Array {
    const { keys } = this.#driver;
    const m = this.#m;
    const L = keys.references.length;
    if (transforms.length !== TRANSFORM_SIZE * m) {
      throw new UsageError(`update: ${transforms.length} numbers are not ${m} transforms; give 12 for each bone`);
    }
    this.#prediction.predict(this.#coordinates.read(transforms), this.#gradients);
    const { numbers } = this.#product;
    const d = this.#gradients;
    for (let c = 0; c < 3; c++) {
      let at = c;
      for (let l = 3 * c; l < 9 * L; l += 9) {
        numbers[at] = d[l];
        numbers[at + 4] = d[l + 1];
        numbers[at + 8] = d[l + 2];
        at += 12;
      }
      for (let j = 4 * c; j < TRANSFORM_SIZE * m; j += TRANSFORM_SIZE) {
        for (let k = 0; k < 4; k++, at += 4) numbers[at] = transforms[j + k];
      }
    }
    this.palette.set(this.#product.multiply());
    if (this.#added) this.#fillAdded(transforms, this.#added);
    this.palette.set(transforms, this.palette.length - transforms.length);
    const { values } = this.#coordinates;
    for (let j = 0; j < m; j++) for (let k = 0; k < 3; k++) this.joints[3 * j + k] = values[6 * j + k];
    this.#corrections?.addTo(this.joints, this.#coordinates.rotations, this.palette);
    return this.palette;
  }

  /**
   * L × 9 rotations of the key gradients in the last pose, those that displacements refer to; a buffer that the next call
   * overwrites.
   */
  keyRotations(): Float64Array {
    const rotations = this.#rotations;
    const axes = this.#axes;
    const D = this.#gradients;
    for (let k = 0; k < axes.length; k++) {
      const at = 9 * axes[k];
      // The rotation that maximises tr(R Dᵀ), of which properRotation takes the matrix transposed.
      for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) rotations[at + 3 * r + c] = D[at + 3 * c + r];
      properRotation(rotations, at, rotations, at);
    }
    return rotations;
  }

  /** m × R weights of the R displacements that are stored, in the last pose; undefined without displacements. */
  cardinalWeights(): Float64Array | undefined {
    return this.#interpolation?.at(this.joints);
  }

  /** The added joints follow the bones there, and come before them here. */
  #fillAdded(transforms: Float64Array, added: AddedJoints): void {
    const extended = added.extend(transforms, this.#extended);
    const first = this.palette.length - extended.length - transforms.length;
    for (let k = transforms.length; k < extended.length; k++) this.palette[first + k] = extended[k];
  }
}

/** [A B], for two matrices with the same number of rows. */
function sideBySide(a: Float64Array, aColumns: number, b: Float64Array, bColumns: number): Float64Array {
  const out = new Float64Array(a.length + b.length);
  for (let r = 0; r * bColumns < b.length; r++) {
    out.set(a.subarray(r * aColumns, (r + 1) * aColumns), r * (aColumns + bColumns));
    out.set(b.subarray(r * bColumns, (r + 1) * bColumns), r * (aColumns + bColumns) + aColumns);
  }
  return out;
}
