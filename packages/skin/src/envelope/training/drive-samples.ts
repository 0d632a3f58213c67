/**
 * What the matrices of a reduced skin multiply, and the transforms that they give, at sample poses: a row for each of x, y
 * and z. Translations are those of the middle of the mesh, so that linear parts and translations do not cancel far away
 * from the origin.
 */
import { gemm, matrixOf, transposed } from '@pelt/math';
import { boundsOf, type ReducedEnvelope, type Run, TRANSFORM_SIZE } from '@pelt/model';
import { EnvelopePalette } from '../runtime/envelope-palette.ts';
import { PlainProduct } from '../runtime/plain-product.ts';
import { PLACE } from './palette-moments.ts';

export class DriveSamples {
  readonly keys: number;
  readonly bones: number;
  /** 3 per key, 4 per bone */
  readonly width: number;
  readonly rows: number;
  /** Middle of the mesh. */
  readonly centre: readonly number[];
  /** rows × width */
  readonly numbers: Float64Array;
  /** rows × 4P */
  readonly transforms: Float64Array;
  /** width × width, of the numbers */
  readonly gram: Float64Array;

  /** @param poses  m × 12 each */
  constructor(dense: ReducedEnvelope, poses: readonly Float64Array[], run: Run) {
    const { rig, proxies: P, keys } = dense;
    const { min, max } = boundsOf(rig.mesh.positions);
    this.keys = keys.references.length;
    this.bones = rig.bones.length;
    this.width = 3 * this.keys + PLACE * this.bones;
    this.rows = 3 * poses.length;
    this.centre = [0, 1, 2].map((c) => 0.5 * (min[c] + max[c]));
    this.numbers = new Float64Array(this.rows * this.width);
    this.transforms = new Float64Array(this.rows * PLACE * P);
    let product: PlainProduct | undefined;
    const palette = new EnvelopePalette(dense, rig.bones, (matrix, width) => {
      product = new PlainProduct(matrix, width);
      return product;
    });
    poses.forEach((pose, t) => {
      const transforms = palette.update(pose);
      const { numbers } = product as PlainProduct;
      for (let c = 0; c < 3; c++) {
        const row = (3 * t + c) * this.width;
        for (let k = 0; k < this.width; k++) this.numbers[row + k] = numbers[4 * k + c];
        for (let j = 0; j < this.bones; j++) this.#recentre(this.numbers, row + 3 * this.keys + PLACE * j, c);
        for (let p = 0; p < P; p++) {
          const to = ((3 * t + c) * P + p) * PLACE;
          for (let k = 0; k < PLACE; k++) this.transforms[to + k] = transforms[TRANSFORM_SIZE * p + PLACE * c + k];
          this.#recentre(this.transforms, to, c);
        }
      }
    });
    this.gram = gramOf(this.numbers, this.rows, this.width, run);
  }

  /** A translation becomes where the middle of the mesh goes, from there. */
  #recentre(values: Float64Array, at: number, c: number): void {
    const [x, y, z] = this.centre;
    values[at + 3] += values[at] * x + values[at + 1] * y + values[at + 2] * z - this.centre[c];
  }
}

function gramOf(values: Float64Array, rows: number, width: number, run: Run): Float64Array {
  const scope = run.numerics.scope();
  try {
    const [X, G] = [scope.f64(rows * width), scope.f64(width * width)];
    X.view.set(values);
    const X_ = matrixOf(X, rows, width);
    gemm(run.numerics, 1, transposed(X_), X_, 0, matrixOf(G, width, width));
    return G.view.slice();
  } finally {
    scope.dispose();
  }
}
