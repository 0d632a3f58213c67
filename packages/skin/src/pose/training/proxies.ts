/**
 * Groups of vertices that are represented by one proxy: those with the same set of controls. They have nearly the same
 * deformation gradients, so that one mean gradient represents them, and the cost of posing does not depend on the size
 * of the mesh.
 *
 * A real decomposition may have more than a thousand such sets, most with few vertices; the smallest are merged into the
 * neighbour with the most similar set until the requested number is left.
 *
 * Reference: Der, Sumner, Popović. Inverse kinematics for reduced deformable models. 2006 (proxy vertices).
 */
import { checkCancelled, type RunContext, type SkinWeights } from '@pelt/model';
import type { EdgeGraph } from '../../shared/mesh/edge-graph.ts';

/** Least weight with which a control counts. */
const COUNTED_WEIGHT = 0.01;

export interface Grouping {
  readonly count: number;
  /** n group indices, in order of first appearance */
  readonly groups: Uint32Array;
  /** Groups that are connected by edges. */
  readonly graph: EdgeGraph;
}

/**
 * @param areas  n fractions of the surface area
 * @param most   most groups; Infinity merges none
 */
export function groupByControls(
  skin: SkinWeights,
  graph: EdgeGraph,
  areas: Float64Array,
  most: number,
  run?: RunContext,
): Grouping {
  const n = areas.length;
  const numbers = new Map<string, number>();
  const sets: number[][] = [];
  const groups = new Uint32Array(n);
  for (let i = 0; i < n; i++) {
    const set = countedControls(skin, i);
    const key = set.join(' ');
    let group = numbers.get(key);
    if (group === undefined) {
      group = sets.length;
      numbers.set(key, group);
      sets.push(set);
    }
    groups[i] = group;
  }
  const parent = mergeSmallest(sets, groups, graph, areas, most, run);
  return groupsOf(
    groups.map((group) => rootOf(parent, group)),
    graph,
  );
}

/** Groups of equal numbers, indexed in order of first appearance. */
export function groupsOf(numbers: Uint32Array, graph: EdgeGraph): Grouping {
  const names = new Map<number, number>();
  const groups = numbers.map((number) => {
    if (!names.has(number)) names.set(number, names.size);
    return names.get(number) as number;
  });
  return { count: names.size, groups, graph: groupGraph(groups, names.size, graph) };
}

/** Every vertex a group of its own, for comparison. */
export function groupEach(graph: EdgeGraph): Grouping {
  const count = graph.starts.length - 1;
  return { count, groups: Uint32Array.from({ length: count }, (_, i) => i), graph };
}

function countedControls({ slots, bones, weights }: SkinWeights, i: number): number[] {
  const set: number[] = [];
  for (let s = i * slots; s < (i + 1) * slots; s++) if (weights[s] > COUNTED_WEIGHT) set.push(bones[s]);
  return set.sort((a, b) => a - b);
}

/** A forest over the groups, whose roots are the remaining groups. */
function mergeSmallest(
  sets: readonly number[][],
  groups: Uint32Array,
  { starts, neighbours }: EdgeGraph,
  areas: Float64Array,
  most: number,
  run?: RunContext,
): Int32Array {
  const parent = Int32Array.from(sets.keys());
  const size = new Float64Array(sets.length);
  // Number of edges between two groups.
  const borders: Map<number, number>[] = sets.map(() => new Map());
  for (let i = 0; i < groups.length; i++) {
    size[groups[i]] += areas[i];
    for (let k = starts[i]; k < starts[i + 1]; k++) {
      const other = groups[neighbours[k]];
      if (other !== groups[i]) borders[groups[i]].set(other, (borders[groups[i]].get(other) ?? 0) + 1);
    }
  }
  const alive = new Set(sets.keys());
  while (alive.size > Math.max(most, 1)) {
    checkCancelled(run);
    let smallest = -1;
    for (const g of alive) if (smallest < 0 || size[g] < size[smallest]) smallest = g;
    const into = mostSimilar(smallest, sets, borders[smallest], alive);
    alive.delete(smallest);
    parent[smallest] = into;
    size[into] += size[smallest];
    for (const [other, edges] of borders[smallest]) {
      borders[other].delete(smallest);
      if (other === into) continue;
      borders[other].set(into, (borders[other].get(into) ?? 0) + edges);
      borders[into].set(other, (borders[into].get(other) ?? 0) + edges);
    }
  }
  return parent;
}

/**
 * The neighbour of the largest Jaccard index between the sets of controls, then of the longest border; an isolated group
 * considers all groups.
 */
function mostSimilar(
  group: number,
  sets: readonly number[][],
  border: ReadonlyMap<number, number>,
  alive: ReadonlySet<number>,
): number {
  let best = -1;
  let bestSimilarity = -1;
  let bestBorder = -1;
  for (const other of border.size > 0 ? border.keys() : alive) {
    if (other === group) continue;
    const common = sets[group].filter((control) => sets[other].includes(control)).length;
    const similarity = common / (sets[group].length + sets[other].length - common);
    const edges = border.get(other) ?? 0;
    const better = similarity > bestSimilarity || (similarity === bestSimilarity && edges > bestBorder);
    if (!better && !(similarity === bestSimilarity && edges === bestBorder && other < best)) continue;
    [best, bestSimilarity, bestBorder] = [other, similarity, edges];
  }
  return best;
}

function rootOf(parent: Int32Array, group: number): number {
  let root = group;
  while (parent[root] !== root) root = parent[root];
  return root;
}

function groupGraph(groups: Uint32Array, count: number, { starts, neighbours }: EdgeGraph): EdgeGraph {
  const rows: Set<number>[] = Array.from({ length: count }, () => new Set());
  for (let i = 0; i < groups.length; i++) {
    for (let k = starts[i]; k < starts[i + 1]; k++) {
      if (groups[neighbours[k]] !== groups[i]) rows[groups[i]].add(groups[neighbours[k]]);
    }
  }
  const lists = rows.map((row) => [...row].sort((a, b) => a - b));
  const outStarts = new Int32Array(count + 1);
  lists.forEach((list, g) => {
    outStarts[g + 1] = outStarts[g] + list.length;
  });
  return { starts: outStarts, neighbours: Int32Array.from(lists.flat()) };
}
