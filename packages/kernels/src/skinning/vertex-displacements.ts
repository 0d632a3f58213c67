/**
 * Displacements of some vertices that depend on the pose, on top of linear blend skinning: v += F Σ_r c_r d_r, with
 * coefficients c blended from those of the vertex's bones. Made once, then one call a pose, in which nothing is
 * allocated. Sixteen displacements of every vertex cost about as much as the skinning below them.
 *
 * Displacements are kept in 8 bits: whole numbers up to 127 as they are, others as the sum of two, a coarse one and its
 * rounding error, which is as good as 15 bits. Weights and coefficients have 15 bits as well, the latter relative to the
 * largest of the pose.
 */
import { type Block, NumericError, type Numerics, ScopeOwner } from '@pelt/math';
import * as kernels from '../generated/calls.ts';

/** Vertices that one thread displaces at a time. */
const GRAIN = 2048;
/** Largest numbers of 8 and 16 bits. */
const BYTE = 127;
const ONE = 32767;
/** Displacements in a register, and bytes of a record before its displacements (assembly/skinning/displace.ts). */
const GROUP = 8;
const HEAD = 32;

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
  readonly #displaced: number;
  readonly #groups: number;
  /** The displacement that each stored one is a part of, and what a step of it is. */
  readonly #parts: readonly Part[];
  /** Largest sum of weights of a vertex, from 1 on. */
  readonly #largest: number;
  /** Rotations in use. */
  readonly #axes: Uint16Array;
  readonly #coefficients: Block<Uint16Array>;
  readonly #rotations: Block<Float32Array>;
  /** Arguments of the kernel, for each layer of records. */
  readonly #layers: readonly kernels.DisplaceVertices[];

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
    const each = Array.from({ length: R }, (_, r) => displacements.subarray(3 * r * n, 3 * (r + 1) * n));
    this.#parts = each.flatMap((values, r) => partsOf(values, r));
    this.#groups = Math.ceil(this.#parts.length / GROUP);
    this.#largest = largestSum(weights, K);
    const moved = Array.from(axes.keys()).filter((i) => isDisplaced(displacements, n, i));
    this.#displaced = moved.length;
    this.#axes = Uint16Array.from(new Set(moved.map((i) => axes[i])));
    const { scope } = this;
    this.#coefficients = scope.u16(GROUP * this.#groups * count.bones);
    this.#rotations = scope.f32(12 * count.rotations);
    const size = HEAD + 3 * GROUP * this.#groups;
    // Four bones a record: where vertices have more, there is another layer of records.
    this.#layers = Array.from({ length: Math.ceil(K / 4) }, (_, layer) => {
      const records = scope.u8(size * moved.length);
      const view = new DataView(records.view.buffer, records.pointer, records.length);
      moved.forEach((i, k) => {
        const at = k * size;
        for (let slot = 0; slot < 4; slot++) {
          const s = 4 * layer + slot;
          const [bone, weight] = s < K ? [bones[i * K + s], weights[i * K + s]] : [0, 0];
          view.setUint32(at + 4 * slot, this.#coefficients.pointer + 2 * GROUP * this.#groups * bone, true);
          view.setInt16(at + 16 + 2 * slot, Math.round((ONE * weight) / this.#largest), true);
        }
        view.setUint32(at + 24, this.#rotations.pointer + 48 * axes[i], true);
        view.setUint32(at + 28, out.pointer + 12 * i, true);
        this.#parts.forEach((part, q) => {
          const to = at + HEAD + 3 * GROUP * Math.floor(q / GROUP) + (q % GROUP);
          for (let c = 0; c < 3; c++) view.setInt8(to + GROUP * c, stepsOf(part, each[part.of][3 * i + c]));
        });
      });
      return { records, groups: this.#groups };
    });
  }

  /**
   * Adds the displacements to the positions.
   *
   * @param coefficients  m × R
   * @param rotations     9 each, row-major
   */
  add(coefficients: Float64Array, rotations: Float64Array): void {
    const width = GROUP * this.#groups;
    const packed = this.#coefficients.view;
    const parts = this.#parts;
    const m = width > 0 ? packed.length / width : 0;
    const R = m > 0 ? coefficients.length / m : 0;
    let most = 0;
    for (let q = 0; q < parts.length; q++) {
      const { of, step } = parts[q];
      for (let at = of; at < coefficients.length; at += R) most = Math.max(most, Math.abs(step * coefficients[at]));
    }
    if (!(most > 0)) return;
    for (let q = 0; q < parts.length; q++) {
      const { of, step } = parts[q];
      const scale = (ONE * step) / most;
      for (let j = 0; j < m; j++) packed[j * width + q] = Math.round(scale * coefficients[j * R + of]);
    }
    const unit = (this.#largest * most) / ONE;
    const columns = this.#rotations.view;
    for (let a = 0; a < this.#axes.length; a++) {
      const [from, to] = [9 * this.#axes[a], 12 * this.#axes[a]];
      for (let c = 0; c < 3; c++) {
        columns[to + 4 * c] = unit * rotations[from + c];
        columns[to + 4 * c + 1] = unit * rotations[from + 3 + c];
        columns[to + 4 * c + 2] = unit * rotations[from + 6 + c];
      }
    }
    for (const layer of this.#layers) kernels.displaceVertices(this.#numerics, this.#displaced, GRAIN, layer);
  }
}

/** Some of the bits of a displacement, in whole steps from −127 to 127. */
interface Part {
  readonly of: number;
  readonly step: number;
  /** The step of the coarser part, whose rounding error this one holds. */
  readonly coarser?: number;
}

/** @param of  index of the displacement */
function partsOf(values: Float32Array, of: number): Part[] {
  let most = 0;
  let isWhole = true;
  for (const value of values) {
    most = Math.max(most, Math.abs(value));
    isWhole &&= Number.isInteger(value);
  }
  if (most === 0) return [];
  if (isWhole && most <= BYTE) return [{ of, step: 1 }];
  const step = most / BYTE;
  return [
    { of, step },
    { of, step: step / (2 * BYTE), coarser: step },
  ];
}

function stepsOf({ step, coarser }: Part, value: number): number {
  return Math.round((coarser ? value - coarser * Math.round(value / coarser) : value) / step);
}

/** The largest Σ|w| of a vertex, 1 at least. */
function largestSum(weights: Float32Array, K: number): number {
  let largest = 1;
  for (let first = 0; first < weights.length; first += K) {
    let sum = 0;
    for (let s = first; s < first + K; s++) sum += Math.abs(weights[s]);
    largest = Math.max(largest, sum);
  }
  return largest;
}

function isDisplaced(displacements: Float32Array, n: number, i: number): boolean {
  for (let at = 3 * i; at < displacements.length; at += 3 * n) {
    if (displacements[at] !== 0 || displacements[at + 1] !== 0 || displacements[at + 2] !== 0) return true;
  }
  return false;
}
