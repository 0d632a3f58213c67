import type { GLTF } from '@gltf-transform/core';
import { log } from '@pelt/math';
import type { FileArray } from './file-arrays.ts';

/**
 * How much of the surface hangs on each joint, and with it how many bits its curves deserve.
 *
 * A turn by a small angle moves a vertex by its distance from the joint, times the weight of the joint and of all that
 * hang on it; rounding to b bits so costs r_j² 4^−b with r_j² = Σ_i W_ij²‖p_i − o_j‖². With the same number of bits in
 * all, the sum is least where every joint costs the same: b_j = b + log₂ r_j − mean of log₂ r. A wrist then has fewer
 * bits than a hip.
 */
export interface JointInfluence {
  /** Nodes of the joints. */
  readonly nodes: readonly number[];
  /** √Σ W²‖p − o‖² of each joint: what a turn or a scale of one moves */
  readonly turns: Float64Array;
  /** √Σ W² of each joint: what a shift of one moves */
  readonly shifts: Float64Array;
}

/** Bits that a joint may have more or less than the mean. */
const MOST_BITS_APART = 4;

export function jointInfluence(json: GLTF.IGLTF, arrays: readonly FileArray[]): JointInfluence | undefined {
  const skin = json.skins?.[0];
  const attributes = json.meshes?.[0].primitives[0].attributes;
  if (!skin || !attributes || skin.inverseBindMatrices === undefined) return undefined;
  const nodes = skin.joints;
  const m = nodes.length;
  const parents = jointParents(json, nodes);
  const origins = jointOrigins(arrays[skin.inverseBindMatrices].values);
  const positions = arrays[attributes.POSITION].values;
  const turns = new Float64Array(m);
  const shifts = new Float64Array(m);
  const shares = new Float64Array(m);
  for (let i = 0; i < positions.length / 3; i++) {
    shares.fill(0);
    for (let set = 0; attributes[`JOINTS_${set}`] !== undefined; set++) {
      const joints = arrays[attributes[`JOINTS_${set}`]].values;
      const weights = arrays[attributes[`WEIGHTS_${set}`]];
      for (let k = 4 * i; k < 4 * i + 4; k++) {
        const weight = weights.values[k] * unitOf(weights);
        for (let j = weight > 0 ? joints[k] : -1; j >= 0; j = parents[j]) shares[j] += weight;
      }
    }
    for (let j = 0; j < m; j++) {
      if (shares[j] === 0) continue;
      let away = 0;
      for (let c = 0; c < 3; c++) away += (positions[3 * i + c] - origins[3 * j + c]) ** 2;
      turns[j] += shares[j] ** 2 * away;
      shifts[j] += shares[j] ** 2;
    }
  }
  return { nodes, turns: turns.map(Math.sqrt), shifts: shifts.map(Math.sqrt) };
}

/**
 * Whole bits for each of some curves about a mean.
 *
 * @param costs  what an error of one costs in each curve; 0 where nobody sees it
 */
export function bitsByCost(costs: readonly number[], mean: number, least: number, most: number): number[] {
  const seen = costs.filter((cost) => cost > 0);
  const middle = seen.reduce((sum, cost) => sum + log(cost) / Math.LN2, 0) / Math.max(seen.length, 1);
  return costs.map((cost) => {
    const apart = cost > 0 ? Math.round(log(cost) / Math.LN2 - middle) : -MOST_BITS_APART;
    const bits = mean + Math.min(Math.max(apart, -MOST_BITS_APART), MOST_BITS_APART);
    return Math.min(Math.max(bits, least), most);
  });
}

function unitOf({ values, normalized }: FileArray): number {
  if (!normalized) return 1;
  return values.BYTES_PER_ELEMENT === 1 ? 1 / 255 : 1 / 65535;
}

/** For each joint the joint above it, or −1. */
function jointParents(json: GLTF.IGLTF, nodes: readonly number[]): Int32Array {
  const jointOf = new Map(nodes.map((node, j) => [node, j]));
  const parents = new Int32Array(nodes.length).fill(-1);
  (json.nodes ?? []).forEach(({ children = [] }, node) => {
    const parent = jointOf.get(node);
    if (parent === undefined) return;
    for (const child of children) {
      const j = jointOf.get(child);
      if (j !== undefined) parents[j] = parent;
    }
  });
  return parents;
}

/** Where each joint is at rest: what its inverse bind matrix takes to the origin, −A⁻¹t. */
function jointOrigins(matrices: ArrayLike<number>): Float64Array {
  const out = new Float64Array((3 * matrices.length) / 16);
  for (let j = 0; 16 * j < matrices.length; j++) {
    const at = 16 * j;
    const column = (c: number) => [matrices[at + 4 * c], matrices[at + 4 * c + 1], matrices[at + 4 * c + 2]];
    const [a, b, c, t] = [0, 1, 2, 3].map(column);
    const whole = dot(a, cross(b, c));
    if (whole === 0) continue;
    out[3 * j] = -dot(t, cross(b, c)) / whole;
    out[3 * j + 1] = -dot(t, cross(c, a)) / whole;
    out[3 * j + 2] = -dot(t, cross(a, b)) / whole;
  }
  return out;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
