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
  const rings = new WeightRings(skin, graph, n);
  const starts = new Uint32Array(n + 1);
  for (let i = 0; i < n; i++) {
    if (i % BATCH === 0) checkCancelled(run);
    starts[i + 1] = starts[i] + rings.gather(i);
  }
  const controls = new Uint16Array(starts[n]);
  const blocks = new Float64Array(GRADIENT_BLOCK * starts[n]);
  const mean = new Float64Array(3);
  const inverse = new Float64Array(9);
  const { ring, union, own, moments } = rings;
  for (let i = 0; i < n; i++) {
    if (i % BATCH === 0) checkCancelled(run);
    const count = rings.gather(i);
    slopeMatrix(x, ring, rings.length, mean, inverse);
    rings.addMoments(i, x, mean);
    for (let u = 0, at = GRADIENT_BLOCK * starts[i]; u < count; u++, at += GRADIENT_BLOCK) {
      const control = union[u];
      controls[starts[i] + u] = control;
      const a = moments[3 * control];
      const b = moments[3 * control + 1];
      const c = moments[3 * control + 2];
      for (let r = 0; r < 3; r++) {
        const slope = inverse[3 * r] * a + inverse[3 * r + 1] * b + inverse[3 * r + 2] * c;
        for (let k = 0; k < 3; k++) blocks[at + 3 * k + r] = x[3 * i + k] * slope + (k === r ? own[control] : 0);
        blocks[at + 9 + r] = slope;
      }
    }
  }
  return { starts, controls, blocks };
}

/** One vertex at a time with its neighbours: the controls that any of them uses, and the moments of their weights. */
class WeightRings {
  /** The vertex and its neighbours, `length` of them. */
  readonly ring: Uint32Array;
  length = 0;
  /** Controls that the ring uses, in order; as many as `gather` returned. */
  readonly union: Uint16Array;
  /** m: the vertex's own weight of each of these */
  readonly own: Float64Array;
  /** m × 3: Σ α dx over the ring */
  readonly moments: Float64Array;
  readonly #skin: SkinWeights;
  readonly #graph: EdgeGraph;
  /** m: the last vertex whose ring used a control */
  readonly #stamps: Int32Array;
  #stamp = 0;

  constructor(skin: SkinWeights, graph: EdgeGraph, n: number) {
    const m = skin.bones.reduce((most, bone) => Math.max(most, bone), 0) + 1;
    let longest = 0;
    for (let i = 0; i < n; i++) longest = Math.max(longest, graph.starts[i + 1] - graph.starts[i]);
    this.ring = new Uint32Array(longest + 1);
    this.union = new Uint16Array(m);
    this.own = new Float64Array(m);
    this.moments = new Float64Array(3 * m);
    this.#stamps = new Int32Array(m);
    this.#skin = skin;
    this.#graph = graph;
  }

  /** @returns the number of controls that the ring of vertex i uses */
  gather(i: number): number {
    const { starts, neighbours } = this.#graph;
    const { slots, bones, weights } = this.#skin;
    const { ring, union } = this;
    const stamp = ++this.#stamp;
    ring[0] = i;
    this.length = 1;
    for (let k = starts[i]; k < starts[i + 1]; k++) ring[this.length++] = neighbours[k];
    let count = 0;
    for (let r = 0; r < this.length; r++) {
      const row = ring[r] * slots;
      for (let s = row; s < row + slots; s++) {
        if (!(weights[s] > 0) || this.#stamps[bones[s]] === stamp) continue;
        this.#stamps[bones[s]] = stamp;
        // A handful at most: they are kept in order as they are found.
        let at = count++;
        for (; at > 0 && union[at - 1] > bones[s]; at--) union[at] = union[at - 1];
        union[at] = bones[s];
      }
    }
    return count;
  }

  /** Fills `own` and `moments` for the controls gathered; dx sums to zero, so the weights' mean need not be subtracted. */
  addMoments(i: number, x: Float64Array, mean: Float64Array): void {
    const { slots, bones, weights } = this.#skin;
    const { ring, own, moments } = this;
    for (let r = 0; r < this.length; r++) {
      const row = ring[r] * slots;
      for (let s = row; s < row + slots; s++) {
        own[bones[s]] = moments[3 * bones[s]] = moments[3 * bones[s] + 1] = moments[3 * bones[s] + 2] = 0;
      }
    }
    for (let r = 0; r < this.length; r++) {
      const k = ring[r];
      for (let s = k * slots; s < (k + 1) * slots; s++) {
        const alpha = weights[s];
        if (!(alpha > 0)) continue;
        const control = bones[s];
        if (k === i) own[control] += alpha;
        for (let c = 0; c < 3; c++) moments[3 * control + c] += alpha * (x[3 * k + c] - mean[c]);
      }
    }
  }
}

/**
 * (Σ dx dxᵀ + ridge)⁻¹ of a ring; zero for one without extent.
 *
 * @param mean  3: centre of the ring; overwritten
 * @param out   3 × 3; overwritten
 */
function slopeMatrix(x: Float64Array, ring: Uint32Array, length: number, mean: Float64Array, out: Float64Array): void {
  mean.fill(0);
  for (let r = 0; r < length; r++) for (let c = 0; c < 3; c++) mean[c] += x[3 * ring[r] + c] / length;
  let [xx, xy, xz, yy, yz, zz] = [0, 0, 0, 0, 0, 0];
  for (let r = 0; r < length; r++) {
    const k = ring[r];
    const a = x[3 * k] - mean[0];
    const b = x[3 * k + 1] - mean[1];
    const c = x[3 * k + 2] - mean[2];
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
