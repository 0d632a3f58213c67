/**
 * Choice of the root bone.
 *
 * By default it is the median of the skeleton: the bone with the least total distance, along the tree and weighted by
 * area, to all of the skin. A leaf or a small patch beside a limb is never the median, however near to the centre of the
 * box it lies: whichever way it is crossed, most of the body is on one side. If the rest pose has a mirror plane, a bone
 * that lies off it counts as farther from everything by twice its distance from the plane.
 *
 * Reference: Goldman. Optimal center location in simple networks. 1971 (the median of a tree).
 */
import type { SkinningSystem } from '@pelt/kernels';
import type { RunContext } from '@pelt/model';
import type { FitProblem } from '../decompose/fit-problem.ts';
import type { EdgeGraph } from '../shared/mesh/edge-graph.ts';
import { boneCentres, type Link } from './joint-tree.ts';
import { LOPSIDED, mirrorPlane } from './mirror-plane.ts';

/** A vertex, a point of the model, or undefined for the median of the skeleton. */
export type RootChoice = number | readonly [number, number, number] | undefined;

/** The bone that moves the vertex most, the one whose centre is nearest to the point, or the median. */
export function rootBone(
  problem: FitProblem,
  system: SkinningSystem,
  links: readonly Link[],
  root: RootChoice,
  context?: RunContext,
): number {
  if (root === undefined) return medianBone(system, links, problem.graph, context);
  if (typeof root !== 'number') {
    const { centre, radius } = problem.prepared.space;
    return nearestBone(
      system,
      root.map((value, d) => (value - centre[d]) / radius),
    );
  }
  const weights = system.weights.view.subarray(root * system.K, (root + 1) * system.K);
  const slot = weights.indexOf(weights.reduce((a, b) => Math.max(a, b)));
  return system.boneIndices.view[root * system.K + slot];
}

/** The bone whose centre is nearest to a point. */
function nearestBone(system: SkinningSystem, point: ArrayLike<number>): number {
  const centres = boneCentres(system);
  const distance = (j: number) => Math.hypot(...[0, 1, 2].map((d) => centres[3 * j + d] - point[d]));
  return least(system, distance);
}

function medianBone(
  system: SkinningSystem,
  links: readonly Link[],
  graph: EdgeGraph,
  context: RunContext | undefined,
): number {
  const rest = Float64Array.from(system.rest.view);
  const centres = boneCentres(system);
  const areas = boneAreas(system, rest, graph);
  const plane = mirrorPlane(rest, context);
  const total = areas.reduce((sum, area) => sum + area, 0);
  return least(system, (j) => {
    const distances = treeDistances(j, centres, links);
    const across = [0, 1, 2].reduce((sum, d) => sum + plane.normal[d] * centres[3 * j + d], -plane.offset);
    const off = plane.error <= LOPSIDED ? 2 * total * Math.abs(across) : 0;
    return distances.reduce((sum, distance, k) => sum + areas[k] * distance, off);
  });
}

/** The bone with weight whose cost is least; the first of equals. */
function least(system: SkinningSystem, cost: (j: number) => number): number {
  let best = 0;
  let lowest = Number.POSITIVE_INFINITY;
  for (let j = 0; j < system.m; j++) {
    if (!(system.mass(j, j) > 0)) continue;
    const value = cost(j);
    if (value < lowest) [best, lowest] = [j, value];
  }
  return best;
}

/** m, Σ_i w_ij a_i, the area a_i of a vertex taken from the lengths of its edges, so that dense regions do not count more. */
function boneAreas(
  { n, m, K, boneIndices, weights }: SkinningSystem,
  rest: Float64Array,
  { starts, neighbours }: EdgeGraph,
): Float64Array {
  const areas = new Float64Array(m);
  for (let i = 0; i < n; i++) {
    let squares = 0;
    for (let e = starts[i]; e < starts[i + 1]; e++) {
      for (let d = 0; d < 3; d++) squares += (rest[3 * i + d] - rest[3 * neighbours[e] + d]) ** 2;
    }
    const area = squares / Math.max(starts[i + 1] - starts[i], 1);
    for (let s = i * K; s < (i + 1) * K; s++) areas[boneIndices.view[s]] += weights.view[s] * area;
  }
  return areas;
}

/** Distances of all bones from one, from centre to joint to centre along the tree. */
function treeDistances(from: number, centres: Float64Array, links: readonly Link[]): Float64Array {
  const distances = new Float64Array(centres.length / 3).fill(-1);
  const length = (j: number, joint: Float64Array) =>
    Math.hypot(centres[3 * j] - joint[0], centres[3 * j + 1] - joint[1], centres[3 * j + 2] - joint[2]);
  distances[from] = 0;
  const reached = [from];
  for (const at of reached) {
    for (const { j, k, joint } of links) {
      if (j !== at && k !== at) continue;
      const other = j === at ? k : j;
      if (distances[other] >= 0) continue;
      distances[other] = distances[at] + length(j, joint) + length(k, joint);
      reached.push(other);
    }
  }
  return distances;
}
