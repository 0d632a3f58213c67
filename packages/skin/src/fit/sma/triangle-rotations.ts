/**
 * How every triangle turns over a sequence: the rotation part of its deformation gradient D = [e₁' e₂' n'][e₁ e₂ n]⁻¹,
 * n = (e₁ × e₂)/√‖e₁ × e₂‖, in each frame. One triangle's rotations, one after the other, are a point z ∈ R^{9S}; parts
 * that move rigidly are places where such points crowd.
 *
 * References: Sumner, Popović. Deformation transfer for triangle meshes. 2004 (equation 2). James, Twigg. Skinning mesh
 * animations. 2005, section 3.1.
 */
import { polarDecomposition } from '@pelt/math';
import { frameAt, frameCount, type MeshSequence } from '@pelt/model';

/** A triangle whose area is below this share of the mean square of its edges has no direction to follow. */
const NO_AREA = 1e-6;

export class TriangleRotations {
  /** Triangles that have an area at rest; the others have no rotation of their own. */
  readonly usable: Uint32Array;
  /** 9S */
  readonly dimension: number;
  readonly #sequence: MeshSequence;
  readonly #frame = new Float64Array(9);
  readonly #inverse = new Float64Array(9);
  readonly #gradient = new Float64Array(9);
  readonly #stretch = new Float64Array(9);

  constructor(sequence: MeshSequence) {
    this.#sequence = sequence;
    this.dimension = 9 * frameCount(sequence);
    const { positions, triangles } = sequence.rest;
    const usable: number[] = [];
    for (let k = 0; 3 * k < triangles.length; k++) if (edgeFrame(positions, triangles, k, this.#frame)) usable.push(k);
    this.usable = Uint32Array.from(usable);
  }

  /** Writes z of a usable triangle, 9S numbers, row-major rotations. */
  gather(triangle: number, out: Float64Array, at: number): void {
    const { rest } = this.#sequence;
    edgeFrame(rest.positions, rest.triangles, triangle, this.#frame);
    invert(this.#frame, this.#inverse);
    for (let t = 0; 9 * t < this.dimension; t++) {
      edgeFrame(frameAt(this.#sequence, t), rest.triangles, triangle, this.#frame);
      multiply(this.#frame, this.#inverse, this.#gradient);
      polarDecomposition(this.#gradient, 0, out, at + 9 * t, this.#stretch, 0);
    }
  }
}

/** [e₁ e₂ n] as columns; false where the triangle has no area, and then n = 0. */
function edgeFrame(positions: Float32Array, triangles: Uint32Array, triangle: number, out: Float64Array): boolean {
  const a = 3 * triangles[3 * triangle];
  const b = 3 * triangles[3 * triangle + 1];
  const c = 3 * triangles[3 * triangle + 2];
  const [ux, uy, uz] = [
    positions[b] - positions[a],
    positions[b + 1] - positions[a + 1],
    positions[b + 2] - positions[a + 2],
  ];
  const [vx, vy, vz] = [
    positions[c] - positions[a],
    positions[c + 1] - positions[a + 1],
    positions[c + 2] - positions[a + 2],
  ];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const area = Math.sqrt(nx * nx + ny * ny + nz * nz);
  const scale = area > 0 ? 1 / Math.sqrt(area) : 0;
  out[0] = ux;
  out[3] = uy;
  out[6] = uz;
  out[1] = vx;
  out[4] = vy;
  out[7] = vz;
  out[2] = nx * scale;
  out[5] = ny * scale;
  out[8] = nz * scale;
  return area > NO_AREA * (ux * ux + uy * uy + uz * uz + vx * vx + vy * vy + vz * vz);
}

function invert(m: Float64Array, out: Float64Array): void {
  out[0] = m[4] * m[8] - m[5] * m[7];
  out[1] = m[2] * m[7] - m[1] * m[8];
  out[2] = m[1] * m[5] - m[2] * m[4];
  out[3] = m[5] * m[6] - m[3] * m[8];
  out[4] = m[0] * m[8] - m[2] * m[6];
  out[5] = m[2] * m[3] - m[0] * m[5];
  out[6] = m[3] * m[7] - m[4] * m[6];
  out[7] = m[1] * m[6] - m[0] * m[7];
  out[8] = m[0] * m[4] - m[1] * m[3];
  const determinant = m[0] * out[0] + m[1] * out[3] + m[2] * out[6];
  for (let k = 0; k < 9; k++) out[k] /= determinant;
}

function multiply(a: Float64Array, b: Float64Array, out: Float64Array): void {
  for (let r = 0; r < 9; r += 3) {
    for (let c = 0; c < 3; c++) out[r + c] = a[r] * b[c] + a[r + 1] * b[3 + c] + a[r + 2] * b[6 + c];
  }
}
