/**
 * Displacements of some vertices that depend on the pose, on top of linear blend skinning: v += F Σ_r c_r d_r, with
 * coefficients c blended from those of the vertex's bones. Made once, then one call a pose, in which nothing is
 * allocated. Eight displacements of every vertex cost about as much as the skinning below them.
 */
import { NumericError } from '../errors.ts';
import type { Numerics } from '../numerics/numerics.ts';
import type { Block } from '../numerics/scope.ts';
import { ScopeOwner } from '../numerics/scope-owner.ts';

/** Vertices that one thread displaces at a time. */
const GRAIN = 2048;

/** What of the displacements does not depend on the pose. */
export interface DisplacedVertices {
  /** R × n × 3, in the axes of the vertices */
  readonly displacements: Float32Array;
  /** n: the rotation that turns the displacements of each vertex */
  readonly axes: Uint16Array;
  /** n × K bones, row-major, and their weights */
  readonly bones: Uint16Array;
  readonly weights: Float32Array;
}

/**
 * Pose-dependent displacements on top of `LinearBlend`: made once, then one call per pose without allocation.
 * @example
 * {@includeCode ../../examples/skinning.ts}
 */
export class VertexDisplacements extends ScopeOwner {
  readonly #numerics: Numerics;
  readonly #count: number;
  readonly #displaced: number;
  readonly #groups: number;
  readonly #coefficients: Block<Float32Array>;
  readonly #rotations: Block<Float32Array>;
  readonly #args: readonly number[];

  /**
   * @param given      vertices without any displacement are left out
   * @param count      m bones, and the rotations that the axes refer to
   * @param out        n × 3 positions in kernel memory (`LinearBlend.output`)
   */
  constructor(
    numerics: Numerics,
    { displacements, axes, bones, weights }: DisplacedVertices,
    count: { readonly bones: number; readonly rotations: number },
    out: Block<Float32Array>,
  ) {
    super(numerics);
    const n = axes.length;
    const [R, K] = n > 0 ? [displacements.length / (3 * n), bones.length / n] : [0, 0];
    if (!Number.isInteger(R) || !Number.isInteger(K) || bones.length !== weights.length || out.length < 3 * n) {
      throw new NumericError(
        `VertexDisplacements: ${displacements.length} displacements, ${bones.length} bones and ${weights.length} weights for ${n} vertices`,
      );
    }
    if (bones.some((bone) => bone >= count.bones) || axes.some((axis) => axis >= count.rotations)) {
      throw new NumericError(
        `VertexDisplacements: an index is not below ${count.bones} bones or ${count.rotations} rotations`,
      );
    }
    this.#numerics = numerics;
    this.#count = R;
    this.#groups = Math.ceil(R / 4);
    const moved = Array.from(axes.keys()).filter((i) => isDisplaced(displacements, n, i));
    this.#displaced = moved.length;
    const { scope } = this;
    const vertices = scope.u32(moved.length);
    const packed = scope.f32(12 * this.#groups * moved.length);
    const boneBlock = scope.u16(K * moved.length);
    const weightBlock = scope.f32(K * moved.length);
    const axisBlock = scope.u16(moved.length);
    this.#coefficients = scope.f32(4 * this.#groups * count.bones);
    this.#rotations = scope.f32(12 * count.rotations);
    vertices.view.set(moved);
    moved.forEach((i, k) => {
      axisBlock.view[k] = axes[i];
      boneBlock.view.set(bones.subarray(i * K, (i + 1) * K), k * K);
      weightBlock.view.set(weights.subarray(i * K, (i + 1) * K), k * K);
      for (let r = 0; r < R; r++) {
        const at = 12 * (k * this.#groups + (r >> 2)) + (r & 3);
        for (let c = 0; c < 3; c++) packed.view[at + 4 * c] = displacements[3 * (r * n + i) + c];
      }
    });
    this.#args = [
      vertices.pointer,
      this.#groups,
      packed.pointer,
      K,
      boneBlock.pointer,
      weightBlock.pointer,
      this.#coefficients.pointer,
      axisBlock.pointer,
      this.#rotations.pointer,
      out.pointer,
    ];
  }

  /**
   * Adds the displacements to the positions.
   *
   * @param coefficients  m × R
   * @param rotations     9 each, row-major
   */
  add(coefficients: Float64Array, rotations: Float64Array): void {
    const R = this.#count;
    const width = 4 * this.#groups;
    const packed = this.#coefficients.view;
    for (let j = 0, at = 0; at < coefficients.length; j++) {
      for (let r = 0; r < R; r++, at++) packed[j * width + r] = coefficients[at];
    }
    const columns = this.#rotations.view;
    for (let k = 0, at = 0; at < rotations.length; k += 12, at += 9) {
      for (let c = 0; c < 3; c++) for (let r = 0; r < 3; r++) columns[k + 4 * c + r] = rotations[at + 3 * r + c];
    }
    this.#numerics.run('displaceVertices', this.#displaced, GRAIN, this.#args);
  }
}

function isDisplaced(displacements: Float32Array, n: number, i: number): boolean {
  for (let at = 3 * i; at < displacements.length; at += 3 * n) {
    if (displacements[at] !== 0 || displacements[at + 1] !== 0 || displacements[at + 2] !== 0) return true;
  }
  return false;
}
