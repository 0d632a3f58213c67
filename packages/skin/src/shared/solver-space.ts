/**
 * The coordinates in which solvers work: positions relative to a centre (of the rest pose, of each frame) and in units of
 * a radius, so that errors are E_RMS directly, and distant coordinates or root motion cost no precision; trajectories by
 * their coefficients in an orthonormal basis. Coefficients are computed block by block, so that the frames are never
 * copied.
 */
import { enclosingBall, gemm, matrixOf, type Numerics, transposed } from '@pelt/math';
import { checkCancelled, frameAt, frameCount, type MeshSequence, type RunContext } from '@pelt/model';

type Point = readonly [number, number, number];

/** Origin and unit of the solver's coordinates. */
export interface SolverSpace {
  /** Length of one solver unit in model units. */
  readonly radius: number;
  /** Origin of the solver's rest pose, in model space. */
  readonly centre: Point;
  /** Origins of its S frames */
  readonly centres: readonly Point[];
}

/** What is known of trajectories in a basis. */
export interface Projection {
  /** n × r */
  readonly coefficients: Float64Array;
  /** n squared lengths of the whole trajectories */
  readonly squaredNorms: Float64Array;
  /** n squared lengths of what the basis leaves out */
  readonly residuals: Float64Array;
}

/** Vertices per block. */
const BLOCK = 512;

export function spaceOf(sequence: MeshSequence): SolverSpace {
  const { positions } = sequence.rest;
  return {
    radius: enclosingBall(positions).radius || 1,
    centre: centroid(positions),
    centres: Array.from({ length: frameCount(sequence) }, (_, t) => centroid(frameAt(sequence, t))),
  };
}

/** n × 3 rest positions in solver coordinates. */
export function restToSolver(positions: Float32Array, { centre, radius }: SolverSpace): Float64Array {
  return Float64Array.from(positions, (value, k) => (value - centre[k % 3]) / radius);
}

/** n × 3 rest positions in model coordinates. */
export function restToModel(rest: Float64Array, { centre, radius }: SolverSpace): Float32Array {
  return Float32Array.from(rest, (value, k) => value * radius + centre[k % 3]);
}

/**
 * Writes the trajectory of a vertex in solver coordinates, 3S numbers.
 *
 * @param frames  S × n × 3
 */
export function gatherTrajectory(
  frames: Float32Array,
  { centres, radius }: SolverSpace,
  i: number,
  out: Float64Array,
  at: number,
): void {
  const S = centres.length;
  const size = frames.length / S;
  for (let t = 0, k = at; t < S; t++) {
    const v = t * size + 3 * i;
    const c = centres[t];
    out[k++] = (frames[v] - c[0]) / radius;
    out[k++] = (frames[v + 1] - c[1]) / radius;
    out[k++] = (frames[v + 2] - c[2]) / radius;
  }
}

/**
 * Coefficients of the trajectories of all vertices of frames in a basis, see `projectTrajectories`.
 *
 * @param frames  S × n × 3
 * @param basis   r × 3S, orthonormal rows
 */
export function projectFrames(
  frames: Float32Array,
  space: SolverSpace,
  basis: Float64Array,
  numerics: Numerics,
  context?: RunContext,
): Projection {
  const rows = 3 * space.centres.length;
  const gather = (i: number, out: Float64Array, at: number) => gatherTrajectory(frames, space, i, out, at);
  return projectTrajectories(frames.length / rows, rows, basis, gather, numerics, context);
}

/**
 * Coefficients of n trajectories in a basis. Those of a vertex do not depend on the vertices beside it.
 *
 * @param basis   r × rows, orthonormal rows
 * @param gather  writes a trajectory, `rows` numbers
 */
export function projectTrajectories(
  n: number,
  rows: number,
  basis: Float64Array,
  gather: (i: number, out: Float64Array, at: number) => void,
  numerics: Numerics,
  context?: RunContext,
): Projection {
  const r = basis.length / rows;
  const coefficients = new Float64Array(n * r);
  const squaredNorms = new Float64Array(n);
  const residuals = new Float64Array(n);
  const scope = numerics.scope();
  try {
    const basisBlock = scope.f64From(basis);
    const block = scope.f64(BLOCK * rows);
    const product = scope.f64(BLOCK * r);
    const directions = transposed(matrixOf(basisBlock, r, rows));
    for (let first = 0; first < n; first += BLOCK) {
      checkCancelled(context);
      const count = Math.min(BLOCK, n - first);
      const room = block.view;
      for (let k = 0; k < count; k++) gather(first + k, room, k * rows);
      gemm(numerics, 1, matrixOf(block, count, rows), directions, 0, matrixOf(product, count, r));
      // A product may grow the kernels' memory, after which views of before it are empty.
      const values = block.view;
      coefficients.set(product.view.subarray(0, count * r), first * r);
      for (let k = 0; k < count; k++) {
        let all = 0;
        for (let a = k * rows; a < (k + 1) * rows; a++) all += values[a] ** 2;
        let kept = 0;
        for (let a = (first + k) * r; a < (first + k + 1) * r; a++) kept += coefficients[a] ** 2;
        squaredNorms[first + k] = all;
        residuals[first + k] = Math.max(all - kept, 0);
      }
    }
    return { coefficients, squaredNorms, residuals };
  } finally {
    scope.dispose();
  }
}

/** S × m × 12 transforms, from solver to model coordinates. */
export function transformsToModel(transforms: Float64Array, bones: number, space: SolverSpace): Float64Array {
  return convert(transforms, bones, space, toModel);
}

/** S × m × 12 transforms, from model to solver coordinates. */
export function transformsToSolver(transforms: Float64Array, bones: number, space: SolverSpace): Float64Array {
  return convert(transforms, bones, space, toSolver);
}

/** v = R p + T in the sequence ⇔ ṽ = R p̃ + T̃ with p = ρp̃ + c, v_t = ρṽ + c_t: only translations differ. */
const toModel = (T: number, rotatedCentre: number, ct: number, radius: number) => radius * T + ct - rotatedCentre;
const toSolver = (T: number, rotatedCentre: number, ct: number, radius: number) => (T - ct + rotatedCentre) / radius;

function convert(
  transforms: Float64Array,
  bones: number,
  { centre, centres, radius }: SolverSpace,
  translation: typeof toModel,
): Float64Array {
  const out = transforms.slice();
  for (let t = 0, k = 0; t < centres.length; t++) {
    for (let row = 0; row < 3 * bones; row++, k += 4) {
      const rotated = out[k] * centre[0] + out[k + 1] * centre[1] + out[k + 2] * centre[2];
      out[k + 3] = translation(out[k + 3], rotated, centres[t][row % 3], radius);
    }
  }
  return out;
}

function centroid(positions: Float32Array): Point {
  const sum = [0, 0, 0];
  for (let k = 0; k < positions.length; k++) sum[k % 3] += positions[k];
  const count = Math.max(positions.length / 3, 1);
  return [sum[0] / count, sum[1] / count, sum[2] / count];
}
