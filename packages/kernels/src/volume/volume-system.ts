/**
 * Tetrahedra whose vertices follow targets: minimise
 *
 *   Σ_e vol_e ‖F_e(x) − T_e‖² + k Σ_held ‖x_v − p_v‖² + β h Σ_boundary ‖Δx_v − R̄_v Δrest_v‖²
 *
 * over the free vertices, with F_e the gradient of a tetrahedron and T_e its target: a rotation or, with a weight on the
 * volume, a matrix between that and the nearest one of the volume that is wanted (`volumeTargets`, `volumeDilatation`).
 * Held vertices are drawn to given places. The last term resists bending: Δ is the umbrella Laplacian of the boundary, R̄_v
 * the mean rotation of the tetrahedra at a vertex, and h the mean edge, so that β has no unit.
 *
 * One `step` finds the targets at given positions (in parallel) and solves A_ff (x_f − p_f) = what p misses, with a factor
 * made once. Corrections vanish as rounds go on, so that single precision is enough for the solve, which then takes half of
 * the time.
 *
 * References: Budd, Hilton. Skeleton driven Laplacian volumetric deformation. 2009 (eq. 7 to 12, signs from G = ∇φ; it has
 * the first term alone). Sorkine et al. Laplacian surface editing. 2004 (the last one).
 */
import { type Block, NumericError, type Numerics, ScopeOwner, SparseCholesky } from '@pelt/math';
import * as kernels from '../generated/calls.ts';
import { type BlockLayout, ENTRY_BYTES, layOutBlocks } from './block-layout.ts';
import { dilatationAverage } from './dilatation-average.ts';
import { gradientOperators, laplacianTriplets, lumpedVolumes } from './gradient-operators.ts';
import { bendingTriplets, restLaplacians, type SkinGraph, skinGraph } from './skin-graph.ts';
import { meanDiagonal, springTriplets, stiffnessMatrix } from './stiffness-matrix.ts';

/** Numbers of a tetrahedron's shape: six entries and the determinant. */
const SHAPE_SIZE = 7;
/** Vertices in one chunk of a sum over blocks. */
const GATHER_GRAIN = 1024;

/** What moves a body, and what it resists. */
export interface VolumeSystemOptions {
  /** Vertices that are given; with the held ones, at least one in each connected part. */
  readonly fixed: Uint32Array;
  /** Vertices that are drawn to given places, none of them fixed. */
  readonly held: Uint32Array;
  /** k, relative to the mean diagonal of the first term. */
  readonly stiffness: number;
  /** β, 0 for none. */
  readonly bending: number;
  /** κ, of the rotations of the bones against that of the tetrahedron itself, 0 for none. */
  readonly rotationWeight: number;
}

export const VOLUME_SYSTEM_DEFAULTS: VolumeSystemOptions = {
  fixed: new Uint32Array(0),
  held: new Uint32Array(0),
  stiffness: 0.003,
  bending: 0,
  rotationWeight: 0,
};

/**
 * Rotation-invariant deformation of tetrahedra: alternates the target gradient of each tetrahedron (rotation, volume) and
 * one sparse solve with a factor made once.
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
  /** held × 3: the places to which vertices are drawn, in the order in which they were given. */
  readonly places: Block<Float64Array>;
  /** Non-zeros of the factor. */
  readonly factorNonZeros: number;
  readonly #numerics: Numerics;
  readonly #layout: BlockLayout;
  readonly #cholesky: SparseCholesky;
  readonly #rotationWeight: number;
  /** Held vertices, their indices among the free ones, and k. */
  readonly #held: Uint32Array;
  readonly #heldFree: Int32Array;
  readonly #stiffness: number;
  readonly #rhs: Block<Float64Array>;
  /** v × 4 quaternions, and pairs × 8: those of the tetrahedra */
  readonly #vertexRotations: Block<Float64Array>;
  readonly #rotations: Block<Float64Array>;
  /** pairs × 14; made when shapes are first given */
  #shapes: Block<Float64Array> | undefined;
  /** Arguments of the kernels, of which some change from one step to the next. */
  readonly #targets: kernels.VolumeTargets;
  readonly #averaging: kernels.VolumeDilatationOfVertices;
  readonly #smoothing: readonly [kernels.VolumeAverage, kernels.VolumeAverage];
  readonly #bending: kernels.VolumeBend | undefined;
  readonly #gathering: kernels.VolumeGather;

  /**
   * @param rest        v × 3
   * @param tetrahedra  e × 4, each of positive volume
   */
  constructor(numerics: Numerics, rest: Float64Array, tetrahedra: Uint32Array, options: Partial<VolumeSystemOptions>) {
    super(numerics);
    const { fixed, held, stiffness, bending, rotationWeight } = { ...VOLUME_SYSTEM_DEFAULTS, ...options };
    const v = rest.length / 3;
    this.vertexCount = v;
    this.tetrahedronCount = tetrahedra.length / 4;
    this.#numerics = numerics;
    this.#rotationWeight = rotationWeight;
    const freeIndex = new Int32Array(v);
    for (const [kind, vertices] of Object.entries({ fixed, held })) {
      for (const i of vertices) {
        if (i >= v) throw new NumericError(`volume: ${kind} vertex ${i} is not there, there are ${v}`);
        freeIndex[i] = kind === 'fixed' ? -1 : 0;
      }
    }
    const free: number[] = [];
    for (let i = 0; i < v; i++) if (freeIndex[i] >= 0) freeIndex[i] = free.push(i) - 1;
    this.free = Uint32Array.from(free);
    this.#held = held;
    this.#heldFree = Int32Array.from(held, (i) => freeIndex[i]);

    const operators = gradientOperators(rest, tetrahedra);
    const volumes = lumpedVolumes(operators, tetrahedra, v);
    const triplets = laplacianTriplets(operators, tetrahedra);
    this.#stiffness = stiffness * meanDiagonal(triplets, v);
    const skin = bending > 0 ? skinGraph(rest, tetrahedra) : undefined;
    const bendingStiffness = skin ? bending * skin.meanEdge : 0;
    const terms = [triplets, springTriplets(held, this.#stiffness)];
    if (skin) terms.push(bendingTriplets(skin, bendingStiffness));
    this.#cholesky = new SparseCholesky(numerics, stiffnessMatrix(terms, freeIndex, free.length));
    this.factorNonZeros = this.#cholesky.nonZeros;

    const { scope } = this;
    this.#layout = layOutBlocks(rest, tetrahedra, operators);
    const { pairStarts, listStarts, list, corners, pairOperators, copyStarts, copies, lanes } = this.#layout;
    this.positions = scope.f64From(rest);
    this.places = scope.f64From(Float64Array.from([...held].flatMap((i) => [...rest.subarray(3 * i, 3 * i + 3)])));
    this.#rhs = scope.f64(3 * free.length);
    this.#vertexRotations = scope.f64(4 * v);
    this.#rotations = scope.f64(4 * lanes.length);
    const sums = scope.f64(4 * list.length);
    const dilatations = [scope.f64(v), scope.f64(v)];
    const copied = { starts: scope.i32From(copyStarts), copies: scope.i32From(copies) };
    const average = dilatationAverage(operators, tetrahedra, v);
    const inverses = volumes.map((volume) => (volume > 0 ? 0.25 / volume : 0));
    this.#targets = {
      pairStarts: scope.i32From(pairStarts),
      listStarts: scope.i32From(listStarts),
      list: scope.i32From(list),
      corners: scope.i32From(corners),
      operators: scope.f64From(pairOperators),
      shapes: undefined,
      positions: this.positions,
      sums,
      mostVertices: this.#layout.mostVertices,
      weight: 0,
      dilatations: dilatations[0],
      quaternions: undefined,
      prior: 0,
      laplacians: undefined,
      turned: undefined,
      touches: undefined,
      ...(skin && this.#bentTargets(skin, rest, inverses)),
    };
    this.#averaging = { ...copied, sums, inverses: scope.f64From(inverses), out: dilatations[0] };
    const matrix = {
      starts: scope.i32From(average.starts),
      columns: scope.i32From(average.columns),
      values: scope.f64From(average.values),
    };
    const [x, y] = dilatations;
    this.#smoothing = [
      { ...matrix, x, out: y },
      { ...matrix, x: y, out: x },
    ];
    const surface = skin && {
      neighbourStarts: scope.i32From(skin.starts),
      neighbours: scope.i32From(skin.neighbours),
      misses: scope.f64(3 * skin.vertices.length),
    };
    const { turned } = this.#targets;
    this.#bending = skin &&
      surface &&
      turned && {
        ...surface,
        vertices: scope.i32From(skin.vertices),
        ...copied,
        turned,
        positions: this.positions,
        stiffness: bendingStiffness,
        out: surface.misses,
      };
    this.#gathering = {
      free: scope.i32From(this.free),
      ...copied,
      sums,
      out: this.#rhs,
      surface: skin && scope.i32From(skin.index),
      ...surface,
    };
  }

  /** Arguments of the targets for bending: Laplacians at rest divided by volumes, their sums, and pairs on the surface. */
  #bentTargets(skin: SkinGraph, rest: Float64Array, inverses: Float64Array) {
    const laplacians = restLaplacians(skin, rest);
    for (let k = 0; k < laplacians.length; k++) laplacians[k] *= inverses[Math.floor(k / 3)];
    const { pairStarts, listStarts, list, corners, blockCount } = this.#layout;
    const touches = new Int32Array(corners.length / 8);
    for (let block = 0; block < blockCount; block++) {
      for (let pair = pairStarts[block]; pair < pairStarts[block + 1]; pair++) {
        for (let c = 0; c < 8; c++) {
          if (skin.index[list[listStarts[block] + corners[8 * pair + c] / ENTRY_BYTES]] >= 0) touches[pair] = 1;
        }
      }
    }
    return {
      laplacians: this.scope.f64From(laplacians),
      turned: this.scope.f64(4 * list.length),
      touches: this.scope.i32From(touches),
    };
  }

  /**
   * Stretches that the tetrahedra should have in place of none: targets become R S, with the rotation R for which that is
   * nearest to F, and the volume to keep is det S.
   *
   * @param stretches  e × 6, the entries xx xy xz yy yz zz of symmetric positive definite matrices; absent: none
   */
  setShapes(stretches: Float64Array | undefined): void {
    if (!stretches) {
      this.#targets.shapes = undefined;
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
    this.#targets.shapes = this.#shapes;
  }

  /**
   * Rotations of the bones at the vertices, to which those of the tetrahedra lean from now on.
   *
   * @param fill  writes v × 4 quaternions (x, y, z, w), not zero, of any length
   */
  setRotations(fill: (quaternions: Float64Array) => void): void {
    fill(this.#vertexRotations.view);
    kernels.volumeRotations(this.#numerics, this.#layout.blockCount, 1, {
      ...this.#targets,
      quaternions: this.#vertexRotations,
      out: this.#rotations,
    });
    this.#targets.quaternions = this.#rotations;
  }

  /**
   * One round: targets at `positions`, then the free vertices that fit them best.
   *
   * @param weight  of the volume against the rotation; 0 for rotations alone
   * @param out     free × 3; overwritten
   */
  step(weight: number, out: Float64Array): Float64Array {
    this.#findTargets(weight, this.#rotationWeight);
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
    this.#findTargets(weight, this.#rotationWeight);
    this.#cholesky.correct(this.#rhs, 3, x);
  }

  /**
   * The free vertices that fit the rotations of the bones best: a start that does not depend on where they are.
   *
   * @param out  free × 3, or more; overwritten
   */
  stepFromRotations(out: Block<Float64Array>): void {
    if (!this.#targets.quaternions)
      throw new NumericError('volume: there are no rotations to start from; set them first');
    this.#findTargets(0, Number.POSITIVE_INFINITY);
    this.#cholesky.solveBlock(this.#rhs, 3, out);
    const [x, positions] = [out.view, this.positions.view];
    for (let k = 0; k < 3 * this.free.length; k++) x[k] += positions[3 * this.free[Math.floor(k / 3)] + (k % 3)];
  }

  /** Fills the right-hand side with what the free vertices miss. */
  #findTargets(weight: number, rotationWeight: number): void {
    const numerics = this.#numerics;
    const { blockCount } = this.#layout;
    if (weight > 0) this.#averageDilatations();
    this.#targets.weight = weight;
    this.#targets.prior = this.#targets.quaternions ? rotationWeight : 0;
    kernels.volumeTargets(numerics, blockCount, 1, this.#targets);
    if (this.#bending) kernels.volumeBend(numerics, this.#bending.vertices.length, GATHER_GRAIN, this.#bending);
    kernels.volumeGather(numerics, this.free.length, GATHER_GRAIN, this.#gathering);
    const [rhs, positions, places] = [this.#rhs.view, this.positions.view, this.places.view];
    for (let k = 0; k < this.#held.length; k++) {
      for (let axis = 0; axis < 3; axis++) {
        const missing = places[3 * k + axis] - positions[3 * this.#held[k] + axis];
        rhs[3 * this.#heldFree[k] + axis] += this.#stiffness * missing;
      }
    }
  }

  /** Three times from tetrahedra to vertices: once over the blocks, twice by a matrix between vertices. */
  #averageDilatations(): void {
    const numerics = this.#numerics;
    kernels.volumeDilatation(numerics, this.#layout.blockCount, 1, this.#targets);
    kernels.volumeDilatationOfVertices(numerics, this.vertexCount, GATHER_GRAIN, this.#averaging);
    for (const fields of this.#smoothing) kernels.volumeAverage(numerics, this.vertexCount, GATHER_GRAIN, fields);
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
