/**
 * Corrections of the palette that take a reduced skin to the full one at its examples: for each example e, over affine
 * transforms Z_b of the palette,
 *
 *   min Σ_i ‖y_ei − Σ_b α_ib (T_eb + Z_b) p̂_i‖² + ε Σ_b ‖Z_b‖²,
 *
 * about the middles of the vertices that a transform moves, in units of their extent. The ridge does not change under
 * rotations, so that Z is solved in the axes of the model, x, y, z by one factored matrix for all examples, and then turned
 * into the axes of a joint.
 */
import { DenseCholesky } from '@pelt/math';
import {
  boundsOf,
  checkCancelled,
  diagonalOf,
  type Envelope,
  type PaletteCorrections,
  type ReducedEnvelope,
  type Run,
  TRANSFORM_SIZE,
} from '@pelt/model';
import { EnvelopeDeformer } from '../runtime/envelope-deformer.ts';
import { PoseCoordinates } from '../runtime/pose-coordinates.ts';
import { poseDistance, SAME_POSE } from '../runtime/pose-interpolation.ts';
import { ReducedDeformer } from '../runtime/reduced-deformer.ts';
import { jointsOfPalette, type PaletteJoints } from './palette-joints.ts';
import { lowerFactor, type PaletteMoments, PLACE, paletteMoments } from './palette-moments.ts';
import { partOf, principalShares } from './principal-parts.ts';

/** ε relative to the mean of the diagonal. */
const RIDGE = 1e-4;
/** Most corrections that are kept. */
const MOST = 16;

/**
 * @param envelope   without welded seams
 * @param poses      m × 12 each, of the training examples
 * @param tolerance  RMS distance that they may be off at the examples, relative to the model's size
 * @returns undefined where none are needed
 */
export function fitCorrections(
  envelope: Envelope,
  reduced: ReducedEnvelope,
  poses: readonly Float64Array[],
  tolerance: number,
  run: Run,
): PaletteCorrections | undefined {
  const moments = paletteMoments(reduced);
  const { entries } = moments;
  if (entries.length === 0) return undefined;
  const homes = jointsOfPalette(reduced, entries);
  const { joints, maps: each } = correctionsAt(envelope, reduced, poses, moments, homes, run);
  const E = joints.length;
  const { positions } = reduced.rig.mesh;
  const allowed = (tolerance * diagonalOf(boundsOf(positions))) ** 2 * E * (positions.length / 3);
  const mixing = principalShares(inMetric(each, moments), E, { allowed, most: MOST }, run);
  const R = mixing.length / E;
  if (R === 0) return undefined;
  const size = TRANSFORM_SIZE * entries.length;
  const maps = new Float32Array(R * size);
  for (let r = 0; r < R; r++) maps.set(aboutJoints(partOf(each, mixing, r, E), moments, homes, reduced), r * size);
  const flat = new Float64Array(E * joints[0].length);
  joints.forEach((pose, e) => {
    flat.set(pose, e * pose.length);
  });
  return { poses: flat, mixing, entries, ...homes, maps };
}

/** Corrections at the examples, in the axes of the joints, about middles; the rest pose, first, has none. */
function correctionsAt(
  envelope: Envelope,
  reduced: ReducedEnvelope,
  poses: readonly Float64Array[],
  moments: PaletteMoments,
  homes: PaletteJoints,
  run: Run,
): { joints: readonly Float64Array[]; maps: Float64Array } {
  const { bones, mesh } = reduced.rig;
  const unknowns = PLACE * moments.entries.length;
  const size = 3 * unknowns;
  const full = new EnvelopeDeformer(envelope, run);
  const small = new ReducedDeformer(reduced, run);
  const cholesky = new DenseCholesky(run.numerics, unknowns);
  const coordinates = new PoseCoordinates(bones, reduced.centres);
  const joints: Float64Array[] = [new Float64Array(3 * bones.length)];
  const sums: Float64Array[] = [new Float64Array(size)];
  const counts = [0];
  const [shape, posed] = [new Float32Array(mesh.positions.length), new Float32Array(mesh.positions.length)];
  const away = new Float64Array(mesh.positions.length);
  try {
    cholesky.factor(ridged(moments.matrix, unknowns));
    for (const pose of poses) {
      checkCancelled(run);
      full.deform(pose, shape);
      small.deform(pose, posed);
      for (let k = 0; k < away.length; k++) away[k] = shape[k] - posed[k];
      const solved = new Float64Array(size);
      moments.project(away, solved);
      cholesky.solveInPlace(solved, 3);
      const at = small.palette.joints;
      let e = joints.findIndex((other) => poseDistance(other, at) < SAME_POSE);
      if (e < 0) {
        e = joints.push(at.slice()) - 1;
        sums.push(new Float64Array(size));
        counts.push(0);
      }
      counts[e]++;
      addTurned(solved, homes, coordinates.read(pose).rotations, sums[e]);
    }
  } finally {
    full.dispose();
    small.dispose();
    cholesky.dispose();
  }
  const maps = new Float64Array(joints.length * size);
  sums.forEach((sum, e) => {
    for (let k = 0; k < size; k++) maps[e * size + k] = sum[k] / Math.max(1, counts[e]);
  });
  return { joints, maps };
}

function ridged(matrix: Float64Array, size: number): Float64Array {
  const out = matrix.slice();
  let trace = 0;
  for (let k = 0; k < size; k++) trace += out[k * size + k];
  for (let k = 0; k < size; k++) out[k * size + k] += (RIDGE * trace) / size || 1;
  return out;
}

/** Qᵀ Z as 3 × 4 for each transform, of Z as the columns of 4B × 3 unknowns. */
function addTurned(Z: Float64Array, { slots, joints }: PaletteJoints, rotations: Float64Array, out: Float64Array) {
  for (let b = 0; TRANSFORM_SIZE * b < out.length; b++) {
    const Q = 9 * joints[b * slots];
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < PLACE; c++) {
        const z = 3 * (PLACE * b + c);
        out[TRANSFORM_SIZE * b + PLACE * r + c] +=
          rotations[Q + r] * Z[z] + rotations[Q + 3 + r] * Z[z + 1] + rotations[Q + 6 + r] * Z[z + 2];
      }
    }
  }
}

/** Corrections as vectors whose squares are those of the distances that they move the vertices of each transform by. */
function inMetric(maps: Float64Array, { matrix, entries }: PaletteMoments): Float64Array {
  const width = PLACE * entries.length;
  const out = new Float64Array(maps.length);
  entries.forEach((_, b) => {
    const L = lowerFactor(matrix, width, PLACE * b);
    for (let at = TRANSFORM_SIZE * b; at < maps.length; at += TRANSFORM_SIZE * entries.length) {
      for (let k = at; k < at + TRANSFORM_SIZE; k += PLACE) {
        for (let c = 0; c < PLACE; c++) for (let d = c; d < PLACE; d++) out[k + c] += maps[k + d] * L[PLACE * d + c];
      }
    }
  });
  return out;
}

/** From places about middles, in units of extents, to such about the origins of the joints. */
function aboutJoints(
  map: Float64Array,
  { middles, extents }: PaletteMoments,
  { slots, joints }: PaletteJoints,
  { rig }: ReducedEnvelope,
): Float64Array {
  for (let b = 0; TRANSFORM_SIZE * b < map.length; b++) {
    const { rest } = rig.bones[joints[b * slots]];
    for (let k = TRANSFORM_SIZE * b; k < TRANSFORM_SIZE * (b + 1); k += PLACE) {
      for (let c = 0; c < 3; c++) {
        map[k + c] /= extents[b];
        map[k + 3] -= map[k + c] * (middles[3 * b + c] - rest[4 * c + 3]);
      }
    }
  }
  return map;
}
