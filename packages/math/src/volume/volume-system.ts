/**
 * Tetrahedra whose vertices follow targets: minimise Σ_e vol_e ‖F_e(x) − T_e‖² over the free vertices, with F_e the
 * gradient of the tetrahedron and T_e its target: the nearest rotation or, with a weight on the volume, a matrix between
 * that and the nearest one of determinant 1. One `step` finds the targets at given positions (in parallel) and solves
 * L_ff x_f = (Gᵀ D T)_f − L_fc x_c with a factor made once, as a correction: L_ff (x_f − p_f) = (Gᵀ D (T − F(p)))_f with
 * p the positions. Corrections vanish as rounds go on, so that single precision is enough for the solve, which then takes
 * half of the time.
 *
 * Reference: Budd, Hilton. Skeleton driven Laplacian volumetric deformation. 2009 (eq. 7 to 12, signs from G = ∇φ).
 */
import { NumericError } from '../errors.ts';
import type { Numerics } from '../numerics/numerics.ts';
import type { Block } from '../numerics/scope.ts';
import { ScopeOwner } from '../numerics/scope-owner.ts';
import { SparseCholesky } from '../sparse/cholesky.ts';
import { type BlockLayout, layOutBlocks } from './block-layout.ts';
import { gradientOperators, laplacian } from './gradient-operators.ts';

/** Numbers of a tetrahedron's shape: six entries and the determinant. */
const SHAPE_SIZE = 7;
/** Free vertices in one chunk of the sum over blocks. */
const GATHER_GRAIN = 1024;

/**
 * Rotation-invariant deformation of tetrahedra with fixed vertices: alternates the target gradient of each tetrahedron
 * (rotation, volume) and one sparse solve with a factor made once.
 * @example
 * {@includeCode ../../examples/volume.ts}
 */
export class VolumeSystem extends ScopeOwner {
  readonly vertexCount: number;
  readonly tetrahedronCount: number;
  /** The vertices that are solved for, in rising order. */
  readonly free: Uint32Array;
  /** v × 3: where `step` takes the gradients. Write free and fixed vertices here. */
  readonly positions: Block<Float64Array>;
  /** Non-zeros of the factor. */
  readonly factorNonZeros: number;
  readonly #numerics: Numerics;
  readonly #layout: BlockLayout;
  readonly #cholesky: SparseCholesky;
  /** Entries of L between a free (index among the free) and a fixed vertex. */
  readonly #coupling: { readonly rows: Int32Array; readonly columns: Int32Array; readonly values: Float64Array };
  readonly #rhs: Block<Float64Array>;
  /** pairs × 14; made when shapes are first given */
  #shapes: Block<Float64Array> | undefined;
  readonly #targetArgs: number[];
  readonly #gatherArgs: number[];
  readonly #scratchBytes: number;

  /**
   * @param rest        v × 3
   * @param tetrahedra  e × 4, each of positive volume
   * @param fixed       vertices that are given, at least one in each connected part
   */
  constructor(numerics: Numerics, rest: Float64Array, tetrahedra: Uint32Array, fixed: Uint32Array) {
    super(numerics);
    const v = rest.length / 3;
    const e = tetrahedra.length / 4;
    this.vertexCount = v;
    this.tetrahedronCount = e;
    this.#numerics = numerics;
    const freeIndex = new Int32Array(v);
    for (const i of fixed) {
      if (i >= v) throw new NumericError(`volume: fixed vertex ${i} is not there, there are ${v}`);
      freeIndex[i] = -1;
    }
    const free: number[] = [];
    for (let i = 0; i < v; i++) if (freeIndex[i] >= 0) freeIndex[i] = free.push(i) - 1;
    this.free = Uint32Array.from(free);

    const operators = gradientOperators(rest, tetrahedra);
    const { matrix, coupling } = laplacian(operators, tetrahedra, freeIndex, free.length);
    this.#coupling = coupling;
    this.#cholesky = new SparseCholesky(numerics, matrix);
    this.factorNonZeros = this.#cholesky.nonZeros;

    const { scope } = this;
    this.#layout = layOutBlocks(rest, tetrahedra, operators, freeIndex, free.length);
    const { pairStarts, listStarts, list, corners, pairOperators, copyStarts, copies } = this.#layout;
    this.positions = scope.f64From(rest);
    this.#rhs = scope.f64(3 * free.length);
    const sums = scope.f64(3 * list.length);
    this.#targetArgs = [
      scope.i32From(pairStarts).pointer,
      scope.i32From(listStarts).pointer,
      scope.i32From(list).pointer,
      scope.i32From(corners).pointer,
      scope.f64From(pairOperators).pointer,
      0,
      this.positions.pointer,
      sums.pointer,
      0,
    ];
    this.#gatherArgs = [
      scope.i32From(copyStarts).pointer,
      scope.i32From(copies).pointer,
      sums.pointer,
      0,
      this.#rhs.pointer,
    ];
    this.#scratchBytes = numerics.call('volumeScratch', this.#layout.mostVertices);
  }

  /**
   * Stretches that the tetrahedra should have in place of none: targets become R S, with the rotation R for which that is
   * nearest to F, and the volume to keep is det S.
   *
   * @param stretches  e × 6, the entries xx xy xz yy yz zz of symmetric positive definite matrices; absent: none
   */
  setShapes(stretches: Float64Array | undefined): void {
    if (!stretches) {
      this.#targetArgs[5] = 0;
      return;
    }
    if (stretches.length !== 6 * this.tetrahedronCount) {
      throw new NumericError(`volume: ${stretches.length} numbers of stretches, expected ${this.tetrahedronCount} × 6`);
    }
    const { lanes } = this.#layout;
    this.#shapes ??= this.scope.f64(SHAPE_SIZE * lanes.length);
    const shapes = this.#shapes.view;
    for (let slot = 0; slot < lanes.length; slot++) {
      const from = 6 * lanes[slot];
      const to = 2 * SHAPE_SIZE * (slot >> 1) + (slot & 1);
      const determinant = symmetricDeterminant(stretches, from);
      if (!(determinant > 0)) throw new NumericError(`volume: the stretch of tetrahedron ${lanes[slot]} is singular`);
      for (let k = 0; k < 6; k++) shapes[to + 2 * k] = stretches[from + k];
      shapes[to + 12] = determinant;
    }
    this.#targetArgs[5] = this.#shapes.pointer;
  }

  /**
   * One round: targets at `positions`, then the free vertices that fit them best.
   *
   * @param weight  of the volume against the rotation; 0 for rotations alone
   * @param out     free × 3; overwritten
   */
  step(weight: number, out: Float64Array): Float64Array {
    this.#findTargets(weight);
    this.#cholesky.solve(this.#rhs.view, 3, out);
    const positions = this.positions.view;
    for (let k = 0; k < out.length; k++) out[k] += positions[3 * this.free[Math.floor(k / 3)] + (k % 3)];
    return out;
  }

  /**
   * The same in wasm memory and with a solve of single precision: the change that it makes is right to a few digits.
   *
   * @param x  free × 3, or more: the free vertices of `positions`, then those that fit best
   */
  advance(weight: number, x: Block<Float64Array>): void {
    this.#findTargets(weight);
    this.#cholesky.correct(this.#rhs, 3, x);
  }

  /**
   * The free vertices that fit given rotations best: a start that knows nothing of their positions.
   *
   * @param quaternions  v × 4, (x, y, z, w), not zero, of any length
   * @param out          free × 3, or more; overwritten
   */
  stepFromRotations(quaternions: Float64Array, out: Block<Float64Array>): void {
    const scope = this.#numerics.scope();
    const args = this.#targetArgs.slice();
    args[6] = scope.f64From(quaternions).pointer;
    this.#numerics.run('volumeRotations', this.#layout.blockCount, 1, args, this.#scratchBytes);
    this.#gather(scope.f64From(this.#fixedTerm()).pointer);
    scope.dispose();
    this.#cholesky.solveBlock(this.#rhs, 3, out);
  }

  /** Fills the right-hand side with what the free vertices miss. */
  #findTargets(weight: number): void {
    this.#targetArgs[8] = weight;
    this.#numerics.run('volumeTargets', this.#layout.blockCount, 1, this.#targetArgs, this.#scratchBytes);
    this.#gather(0);
  }

  #gather(fixedTerm: number): void {
    this.#gatherArgs[3] = fixedTerm;
    this.#numerics.run('volumeGather', this.free.length, GATHER_GRAIN, this.#gatherArgs);
  }

  /** L_fc x_c, free × 3 */
  #fixedTerm(): Float64Array {
    const { rows, columns, values } = this.#coupling;
    const term = new Float64Array(3 * this.free.length);
    const x = this.positions.view;
    for (let k = 0; k < values.length; k++) {
      for (let axis = 0; axis < 3; axis++) term[3 * rows[k] + axis] += values[k] * x[3 * columns[k] + axis];
    }
    return term;
  }

  override dispose(): void {
    this.#cholesky.dispose();
    super.dispose();
  }
}

/** The determinant of a symmetric 3 × 3 matrix of six entries. */
function symmetricDeterminant(s: Float64Array, at: number): number {
  const [xx, xy, xz, yy, yz, zz] = [s[at], s[at + 1], s[at + 2], s[at + 3], s[at + 4], s[at + 5]];
  return xx * (yy * zz - yz * yz) + xy * (xz * yz - xy * zz) + xz * (xy * yz - xz * yy);
}
