/**
 * The reduced skin at run time: t(q) = C₁ d(q) + C₂ q, then matrix palette skinning by the proxies, with the vertices
 * that stay on the skeleton in the same pass. About the cost of linear blending with four weights.
 *
 * The coordinates x, y, z do not mix: row c of every transform depends on row c of the gradients and of the bones alone,
 * by the same matrices.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007 (section 5 and appendix A).
 */
import { LinearBlend, type Numerics, PaletteProduct, polarDecomposition } from '@pelt/math';
import { type ReducedEnvelope, TRANSFORM_SIZE, UsageError } from '@pelt/model';
import { addDisplacements } from './blended-pose.ts';
import { posesOf } from './envelope-deformer.ts';
import { predictGradients } from './gradient-predictors.ts';
import { PoseCoordinates } from './pose-coordinates.ts';
import { PoseInterpolation } from './pose-interpolation.ts';

export class ReducedDeformer {
  readonly envelope: ReducedEnvelope;
  /** (P + m) × 12: the proxies' transforms, then the bones', of the pose last given */
  readonly palette: Float64Array;
  readonly #coordinates: PoseCoordinates;
  readonly #gradients: Float64Array;
  readonly #rotations: Float64Array;
  readonly #product: PaletteProduct;
  readonly #blend: LinearBlend;
  readonly #interpolation: PoseInterpolation | undefined;
  readonly #stretch = new Float64Array(9);

  constructor(numerics: Numerics, envelope: ReducedEnvelope) {
    const { rig, skin, proxies: P, keys, displacements } = envelope;
    const m = rig.bones.length;
    const L = keys.references.length;
    this.envelope = envelope;
    this.palette = new Float64Array((P + m) * TRANSFORM_SIZE);
    this.#coordinates = new PoseCoordinates(rig.bones, envelope.centres);
    this.#gradients = new Float64Array(9 * L);
    this.#rotations = new Float64Array(9 * L);
    const matrix = sideBySide(envelope.fromKeys, 3 * L, envelope.fromBones, 4 * m);
    this.#product = new PaletteProduct(numerics, matrix, 3 * L + 4 * m);
    this.#blend = new LinearBlend(numerics, rig.mesh.positions, skin.bones, skin.weights, P + m);
    this.#interpolation = displacements && new PoseInterpolation(rig.bones, posesOf(displacements, m));
  }

  /**
   * @param transforms  m × 12, rest → pose
   * @param out         n × 3; overwritten
   */
  deform(transforms: Float64Array, out: Float32Array): Float32Array {
    const { rig, displacements } = this.envelope;
    out.set(this.#blend.pose(this.proxies(transforms)));
    if (!displacements || !this.#interpolation) return out;
    const cardinal = this.#interpolation.at(this.joints());
    addDisplacements(displacements, rig.weights, cardinal, this.keyRotations(), out, displacements.axes);
    return out;
  }

  /** L × 9, rotations of the key gradients in the pose last given. */
  keyRotations(): Float64Array {
    const rotations = this.#rotations;
    for (let at = 0; at < rotations.length; at += 9) {
      polarDecomposition(this.#gradients, at, rotations, at, this.#stretch, 0);
    }
    return rotations;
  }

  /** Fills and returns `palette`. */
  proxies(transforms: Float64Array): Float64Array {
    const { proxies: P, keys, rig } = this.envelope;
    const m = rig.bones.length;
    const L = keys.references.length;
    if (transforms.length !== TRANSFORM_SIZE * m) {
      throw new UsageError(`envelope: ${transforms.length / TRANSFORM_SIZE} transforms for ${m} bones`);
    }
    predictGradients(keys, this.#coordinates.read(transforms), this.#gradients);
    const { columns, stride } = this.#product;
    const d = this.#gradients;
    for (let c = 0; c < 3; c++) {
      let at = c * stride;
      for (let l = 3 * c; l < 9 * L; l += 9) for (let k = 0; k < 3; k++) columns[at++] = d[l + k];
      for (let j = 4 * c; j < TRANSFORM_SIZE * m; j += TRANSFORM_SIZE) {
        for (let k = 0; k < 4; k++) columns[at++] = transforms[j + k];
      }
    }
    this.palette.set(this.#product.multiply());
    this.palette.set(transforms, TRANSFORM_SIZE * P);
    return this.palette;
  }

  /** m × 3 rotation vectors of the joints in the pose last given. */
  joints(): Float64Array {
    const { values } = this.#coordinates;
    return Float64Array.from({ length: values.length / 2 }, (_, k) => values[6 * Math.floor(k / 3) + (k % 3)]);
  }

  dispose(): void {
    this.#product.dispose();
    this.#blend.dispose();
  }
}

/** Rows of two matrices with equally many rows, joined. */
function sideBySide(a: Float64Array, aColumns: number, b: Float64Array, bColumns: number): Float64Array {
  const out = new Float64Array(a.length + b.length);
  for (let r = 0; r * bColumns < b.length; r++) {
    out.set(a.subarray(r * aColumns, (r + 1) * aColumns), r * (aColumns + bColumns));
    out.set(b.subarray(r * bColumns, (r + 1) * bColumns), r * (aColumns + bColumns) + aColumns);
  }
  return out;
}
