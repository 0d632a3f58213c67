/**
 * Gradients of the skinning weights, and the contribution of each control to the deformation gradient at a vertex:
 * differentiating v = Σ_i α_i(x)(F_i x + d_i) gives D = Σ_i F_i (α_i I + x ∇α_i) + d_i ∇α_i.
 *
 * ∇α_i is the gradient of an affine function fitted to the weights of the vertex and its one-ring, for every control
 * that any of them uses. A one-ring is nearly flat, so the fit has a ridge, which sets the slope in the normal direction
 * to zero. Using only the controls of the vertex itself misses where a weight begins: 8 to 14 % distortion instead of 2.
 * Without ∇α the translations of the controls would be undetermined.
 *
 * Reference: Der, Sumner, Popović. Inverse kinematics for reduced deformable models. 2006 (equation 2).
 */
import { checkCancelled, GRADIENT_BLOCK, type RunContext, type SkinWeights } from '@pelt/model';
import type { EdgeGraph } from '../../shared/mesh/edge-graph.ts';

/** Ridge of the fit as a fraction of the trace of its normal matrix. */
const RIDGE = 0.05;
/** Vertices between two looks at the signal. */
export const BATCH = 1024;

/** A block-sparse matrix: the contribution of each control to the gradient at each vertex or proxy. */
export interface GradientRows {
  /** count + 1 */
  readonly starts: Uint32Array;
  readonly controls: Uint16Array;
  /** blocks × 12, row-major 4 × 3: rows are the unknowns F_r0 F_r1 F_r2 d_r, columns those of the gradient */
  readonly blocks: Float64Array;
}

/**
 * @param x      n × 3 rest positions, relative
 * @param skin   n × K convex weights
 * @param graph  edges of the mesh
 */
export function vertexGradientRows(
  x: Float64Array,
  skin: SkinWeights,
  graph: EdgeGraph,
  run?: RunContext,
): GradientRows {
  const n = x.length / 3;
  const { slots, bones, weights } = skin;
  const starts = new Uint32Array(n + 1);
  const controls: number[] = [];
  const blocks: number[] = [];
  const ring: number[] = [];
  const union: number[] = [];
  const mean = [0, 0, 0];
  const inverse = new Float64Array(9);
  for (let i = 0; i < n; i++) {
    if (i % BATCH === 0) checkCancelled(run);
    ring.length = 0;
    ring.push(i, ...graph.neighbours.subarray(graph.starts[i], graph.starts[i + 1]));
    union.length = 0;
    mean.fill(0);
    for (const k of ring) {
      for (let c = 0; c < 3; c++) mean[c] += x[3 * k + c] / ring.length;
      for (let s = k * slots; s < (k + 1) * slots; s++) {
        if (weights[s] > 0 && !union.includes(bones[s])) union.push(bones[s]);
      }
    }
    union.sort((a, b) => a - b);
    slopeMatrix(x, ring, mean, inverse);
    for (const control of union) {
      const own = weightOf(skin, i, control);
      const moment = [0, 0, 0];
      // dx sums to zero over the ring, so the mean of the weights need not be subtracted.
      for (const k of ring) {
        const alpha = weightOf(skin, k, control);
        for (let c = 0; c < 3; c++) moment[c] += alpha * (x[3 * k + c] - mean[c]);
      }
      const slope = [0, 3, 6].map(
        (r) => inverse[r] * moment[0] + inverse[r + 1] * moment[1] + inverse[r + 2] * moment[2],
      );
      controls.push(control);
      for (let k = 0; k < 3; k++)
        for (let c = 0; c < 3; c++) blocks.push(x[3 * i + k] * slope[c] + (k === c ? own : 0));
      blocks.push(...slope);
    }
    starts[i + 1] = controls.length;
  }
  return { starts, controls: Uint16Array.from(controls), blocks: Float64Array.from(blocks) };
}

function weightOf({ slots, bones, weights }: SkinWeights, i: number, control: number): number {
  for (let s = i * slots; s < (i + 1) * slots; s++) if (weights[s] > 0 && bones[s] === control) return weights[s];
  return 0;
}

/** (Σ dx dxᵀ + ridge)⁻¹; zero for a ring without extent. */
function slopeMatrix(x: Float64Array, ring: readonly number[], mean: readonly number[], out: Float64Array): void {
  let [xx, xy, xz, yy, yz, zz] = [0, 0, 0, 0, 0, 0];
  for (const k of ring) {
    const [a, b, c] = [x[3 * k] - mean[0], x[3 * k + 1] - mean[1], x[3 * k + 2] - mean[2]];
    xx += a * a;
    xy += a * b;
    xz += a * c;
    yy += b * b;
    yz += b * c;
    zz += c * c;
  }
  const ridge = RIDGE * (xx + yy + zz);
  if (!(ridge > 0)) {
    out.fill(0);
    return;
  }
  xx += ridge;
  yy += ridge;
  zz += ridge;
  const [a, b, c] = [yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy];
  const s = 1 / (xx * a + xy * b + xz * c);
  out[0] = s * a;
  out[1] = out[3] = s * b;
  out[2] = out[6] = s * c;
  out[4] = s * (xx * zz - xz * xz);
  out[5] = out[7] = s * (xy * xz - xx * yz);
  out[8] = s * (xx * yy - xy * xy);
}

/**
 * Area-weighted means of rows, one per group.
 *
 * @param groups  n group indices; −1 excludes a row
 * @param areas   n fractions of the surface area
 */
export function meanRows(
  rows: GradientRows,
  groups: ArrayLike<number>,
  areas: Float64Array,
  count: number,
): GradientRows {
  const sums: Map<number, Float64Array>[] = Array.from({ length: count }, () => new Map());
  const totals = new Float64Array(count);
  for (let i = 0; i < groups.length; i++) {
    if (groups[i] < 0) continue;
    totals[groups[i]] += areas[i];
    const sum = sums[groups[i]];
    for (let b = rows.starts[i]; b < rows.starts[i + 1]; b++) {
      let block = sum.get(rows.controls[b]);
      if (!block) {
        block = new Float64Array(GRADIENT_BLOCK);
        sum.set(rows.controls[b], block);
      }
      for (let k = 0; k < GRADIENT_BLOCK; k++) block[k] += areas[i] * rows.blocks[GRADIENT_BLOCK * b + k];
    }
  }
  const starts = new Uint32Array(count + 1);
  for (let g = 0; g < count; g++) starts[g + 1] = starts[g] + sums[g].size;
  const controls = new Uint16Array(starts[count]);
  const blocks = new Float64Array(GRADIENT_BLOCK * starts[count]);
  sums.forEach((sum, g) => {
    [...sum.keys()]
      .sort((a, b) => a - b)
      .forEach((control, k) => {
        controls[starts[g] + k] = control;
        const mean = (sum.get(control) as Float64Array).map((value) => value / totals[g]);
        blocks.set(mean, GRADIENT_BLOCK * (starts[g] + k));
      });
  });
  return { starts, controls, blocks };
}

/**
 * Drops negligible blocks: half of a proxy's blocks belong to controls with a small weight at a few of its vertices.
 * They are added to the largest block, so that a common motion of all controls is preserved.
 *
 * @param least  a block is kept if its Frobenius norm is at least this fraction of the row's largest
 */
export function prunedRows({ starts, controls, blocks }: GradientRows, least: number): GradientRows {
  const outStarts = new Uint32Array(starts.length);
  const outControls: number[] = [];
  const outBlocks: number[] = [];
  for (let p = 0; p + 1 < starts.length; p++) {
    const row = Array.from({ length: starts[p + 1] - starts[p] }, (_, k) =>
      blocks.slice(GRADIENT_BLOCK * (starts[p] + k), GRADIENT_BLOCK * (starts[p] + k + 1)),
    );
    const sizes = row.map((block) => Math.hypot(...block));
    const largest = sizes.indexOf(Math.max(...sizes));
    const kept = sizes.map((size) => size >= least * sizes[largest]);
    row.forEach((block, k) => {
      if (!kept[k]) for (let c = 0; c < GRADIENT_BLOCK; c++) row[largest][c] += block[c];
    });
    row.forEach((block, k) => {
      if (!kept[k]) return;
      outControls.push(controls[starts[p] + k]);
      outBlocks.push(...block);
    });
    outStarts[p + 1] = outControls.length;
  }
  return { starts: outStarts, controls: Uint16Array.from(outControls), blocks: Float64Array.from(outBlocks) };
}
