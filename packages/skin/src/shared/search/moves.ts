/**
 * The moves of a search for bones, each once: where a bone is missing, a system with more bones, one without some, and a bone
 * that nothing uses started again. A move changes which bones there are; the rounds that follow it decide what it was worth.
 */
import type { SkinningSystem } from '@pelt/kernels';
import type { EdgeGraph } from '../mesh/edge-graph.ts';
import { patchAround } from '../mesh/patch.ts';

/** The vertex of the largest value, the first of equals. */
export function worstVertex(values: ArrayLike<number>): number {
  let worst = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[worst]) worst = i;
  return worst;
}

/**
 * Vertices of the largest errors, worst first.
 *
 * @param error  n, not negative
 * @param apart  vertices around each that the others are not among, while there are others
 */
export function worstVertices(error: Float64Array, graph: EdgeGraph, count: number, apart: number): number[] {
  const left = error.slice();
  return Array.from({ length: count }, () => {
    const worst = worstVertex(left);
    for (const i of patchAround(graph, worst, apart)) left[i] = -1;
    return worst;
  });
}

/** Gives vertices to bone j alone. */
export function giveVertices(system: SkinningSystem, vertices: Iterable<number>, j: number): void {
  const { K } = system;
  const { bones, weights } = system.editWeights();
  for (const i of vertices) {
    weights.fill(0, i * K, (i + 1) * K);
    weights[i * K] = 1;
    bones[i * K] = j;
  }
}

/** The system with another bone for each of some patches, which has no motion yet. The caller disposes both. */
export function withBonesOn(
  system: SkinningSystem,
  patches: readonly (readonly number[])[],
  slots: number,
): SkinningSystem {
  const { m } = system;
  const more = system.withBones(bonesOf(system), patches.length, Math.min(slots, m + patches.length));
  patches.forEach((patch, k) => {
    giveVertices(more, patch, m + k);
  });
  return more;
}

/** Rigid motions for the bones from index `from` on; the others stay as they are, affine ones among them. */
export function solveAddedBones(system: SkinningSystem, from: number): void {
  const locked = system.locked.view;
  const before = locked.slice();
  locked.fill(1, 0, from);
  system.solveRigidBones(1);
  locked.set(before);
}

/** The system without some of its bones, whose weights go to the others. The caller disposes both. */
export function withoutBones(system: SkinningSystem, gone: readonly number[], slots = system.K): SkinningSystem {
  const kept = bonesOf(system).filter((j) => !gone.includes(j));
  return system.withBones(kept, 0, Math.min(slots, kept.length));
}

/** Another system with the same bones and weights, of so many slots. The caller disposes both. */
export function copyOf(system: SkinningSystem, slots = system.K): SkinningSystem {
  return system.withBones(bonesOf(system), 0, Math.min(slots, system.m));
}

/** Bones by increasing cost of their removal, ties by index. */
export function cheapestFirst(costs: Float64Array): number[] {
  return Array.from(costs.keys()).sort((a, b) => costs[a] - costs[b] || a - b);
}

/**
 * Starts bones that move next to nothing again where the error is largest. Locked bones stay.
 *
 * @param support   Σ_i w_ij² below which a bone is unused
 * @param vertices  of the patch that such a bone gets
 * @returns the number of bones that were started again
 */
export function restartIdleBones(
  system: SkinningSystem,
  graph: EdgeGraph,
  { support, vertices, most }: { readonly support: number; readonly vertices: number; readonly most: number },
): number {
  const { m, n } = system;
  let count = 0;
  if (n < support * m) return count;
  for (let j = 0; j < m && count < most; j++) {
    if (system.mass(j, j) >= support || system.locked.view[j] !== 0) continue;
    count++;
    const error = system.error.view;
    const patch = patchAround(graph, worstVertex(error), vertices);
    giveVertices(system, patch, j);
    for (const i of patch) error[i] = 0;
  }
  return count;
}

function bonesOf({ m }: SkinningSystem): number[] {
  return Array.from({ length: m }, (_, j) => j);
}
