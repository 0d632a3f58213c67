/**
 * Near-rigid vertices, which linear blending poses well enough to anchor the surface: those whose error over the
 * examples is below a tolerance, and in a connected component without any, the best 15 %. For rigs of many bones a
 * fraction of every bone's vertices is taken as well, so that no limb depends on a distant anchor. Cross-validation
 * chooses the tolerance and the fraction.
 */
import { boundsOf, diagonalOf, type SkinWeights, vertexCount } from '@pelt/model';
import { edgeGraph } from '../../shared/mesh/edge-graph.ts';
import { BlendedPose } from '../runtime/blended-pose.ts';
import type { Examples } from './examples.ts';

/** Fraction of a component's vertices that is taken where none is near-rigid. */
const FALLBACK_SHARE = 0.15;

export class NearRigid {
  readonly #errors: Float64Array;
  readonly #size: number;
  /** The vertices that each bone dominates. */
  readonly #byBone: readonly (readonly number[])[];
  readonly #parts: readonly (readonly number[])[];

  constructor(examples: Examples, skin: SkinWeights) {
    const { positions, triangles } = examples.mesh;
    const n = positions.length / 3;
    this.#errors = blendErrors(examples, skin);
    this.#size = diagonalOf(boundsOf(positions));
    this.#byBone = groups(n, (i) => skin.bones[i * skin.slots]);
    this.#parts = connectedParts(triangles, n);
  }

  /**
   * @param tolerance    RMS error, relative to the model's diagonal, below which a vertex is near-rigid
   * @param shareOfBone  fraction of each bone's vertices that is fixed in any case, those of least error first
   * @returns n: 1 for a fixed vertex
   */
  fixed(tolerance: number, shareOfBone: number): Uint8Array {
    const errors = this.#errors;
    const limit = tolerance * this.#size;
    const fixed = Uint8Array.from(errors, (error) => (error < limit ? 1 : 0));
    if (shareOfBone > 0) for (const group of this.#byBone) fixBest(group, errors, shareOfBone, fixed);
    for (const part of this.#parts) {
      if (!part.some((i) => fixed[i])) fixBest(part, errors, FALLBACK_SHARE, fixed);
    }
    return fixed;
  }
}

/** n RMS errors of the linear blend over the examples. */
function blendErrors({ mesh, poses, shapes }: Examples, skin: SkinWeights): Float64Array {
  const n = vertexCount(mesh);
  const sums = new Float64Array(n);
  const y = new Float64Array(3 * n);
  const blended = new BlendedPose(mesh.positions, skin);
  poses.forEach((pose, t) => {
    blended.blend(pose, y);
    for (let k = 0; k < y.length; k++) sums[Math.floor(k / 3)] += (y[k] - shapes[t][k]) ** 2;
  });
  return sums.map((sum) => Math.sqrt(sum / poses.length));
}

function fixBest(group: readonly number[], errors: Float64Array, share: number, fixed: Uint8Array): void {
  const order = [...group].sort((a, b) => errors[a] - errors[b] || a - b);
  for (const i of order.slice(0, Math.max(1, Math.round(share * order.length)))) fixed[i] = 1;
}

function groups(n: number, keyOf: (i: number) => number): number[][] {
  const found = new Map<number, number[]>();
  for (let i = 0; i < n; i++) {
    const group = found.get(keyOf(i));
    if (group) group.push(i);
    else found.set(keyOf(i), [i]);
  }
  return [...found.values()];
}

function connectedParts(triangles: Uint32Array, n: number): number[][] {
  const { starts, neighbours } = edgeGraph(triangles, n);
  const part = new Int32Array(n).fill(-1);
  for (let first = 0; first < n; first++) {
    if (part[first] >= 0) continue;
    part[first] = first;
    const stack = [first];
    for (let i = stack.pop(); i !== undefined; i = stack.pop()) {
      for (let e = starts[i]; e < starts[i + 1]; e++) {
        if (part[neighbours[e]] >= 0) continue;
        part[neighbours[e]] = first;
        stack.push(neighbours[e]);
      }
    }
  }
  return groups(n, (i) => part[i]);
}
