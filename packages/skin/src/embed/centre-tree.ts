/**
 * The centre lines of a solid as a tree: paths from its extremities to its middle that keep as far from the surface as they
 * can. A path costs ∫ ds / depth², so that it stays on the medial axis of a limb however thin. The farthest cell, measured
 * inside the body, from what the paths so far cover is the next extremity, so that extremities come by how far they stick out.
 *
 * Reference: Sato, Bitter, Bender, Kaufman, Nakajima. TEASAR: tree-structure extraction algorithm for accurate and robust
 * skeletons. 2000.
 */
import { checkCancelled, type RunContext } from '@pelt/model';
import { CostQueue } from '../shared/cost-queue.ts';
import type { Solid } from './solid.ts';

export interface CentreTree {
  readonly solid: Solid;
  readonly root: number;
  /** c, the next cell towards the root: straight to the nearest line of the tree, and along it; −1 at the root */
  readonly towardsRoot: Int32Array;
  /** c, distance from the root inside of the body */
  readonly fromRoot: Float64Array;
  /** Ends of its lines, in the order in which they were found. */
  readonly tips: readonly number[];
  /** How far each sticks out of what the lines before it cover. */
  readonly prominences: readonly number[];
}

/** A path covers what is within this many depths and cells of it. */
const [COVERED_DEPTHS, COVERED_CELLS] = [1.3, 2];
/** Least distance of a tip from what is covered, in cells. */
const LEAST_PROMINENCE = 2;

/**
 * The tree of a solid, from half-way between the two cells that are farthest apart.
 *
 * @param tips  cells to reach, or how many of its extremities at most
 */
export function centreTree(solid: Solid, tips: readonly number[] | number, run?: RunContext): CentreTree {
  const joined = withBridges(solid);
  const plain = (from: number) => shortestPaths(joined, from, false, run).distance;
  const a = farthest(plain(farthest(joined.depth)));
  const fromA = plain(a);
  const b = farthest(fromA);
  // Half-way along the centre line, whichever way it winds.
  const { previous } = shortestPaths(joined, a, true, run);
  let root = b;
  while (previous[root] >= 0 && fromA[root] > fromA[b] / 2) root = previous[root];
  // And from there to where the body is thickest.
  for (let next = root; next >= 0; ) {
    root = next;
    next = -1;
    for (let e = joined.starts[root]; e < joined.starts[root + 1]; e++) {
      const beside = joined.neighbours[e];
      if (joined.depth[beside] > joined.depth[next < 0 ? root : next]) next = beside;
    }
  }
  const fromRoot = plain(root);
  const lines = shortestPaths(joined, root, true, run);
  const tree = { solid: joined, root, towardsRoot: lines.previous, fromRoot };
  // Another line joins those before it where it meets them, not at the root.
  const add = (cell: number) => {
    const path = pathToRoot(tree, cell);
    const sources = path.map((c): [number, number] => [c, 0]);
    relax(joined, lines.distance, sources, {
      run,
      central: true,
      // What is on a line leads to the root already.
      onReached: (c, before) => {
        if (before >= 0) lines.previous[c] = before;
      },
    });
    return path;
  };
  const distance = fromRoot.slice();
  const covered = (cell: number) => COVERED_DEPTHS * joined.depth[cell] + COVERED_CELLS * joined.spacing;
  relax(joined, distance, [[root, -covered(root)]], { run });
  const found: number[] = [];
  const prominences: number[] = [];
  const take = (cell: number) => {
    found.push(cell);
    prominences.push(distance[cell]);
    const sources = add(cell).map((c): [number, number] => [c, -covered(c)]);
    relax(joined, distance, sources, { run });
  };
  if (typeof tips !== 'number') {
    const left = new Set(tips);
    while (left.size > 0) {
      const next = [...left].reduce((best, cell) => (distance[cell] > distance[best] ? cell : best));
      left.delete(next);
      take(next);
    }
    return { ...tree, tips: found, prominences };
  }
  while (found.length < tips) {
    const cell = farthest(distance);
    if (!(distance[cell] > LEAST_PROMINENCE * joined.spacing)) break;
    take(cell);
  }
  return { ...tree, tips: found, prominences };
}

export function pathToRoot({ towardsRoot }: Pick<CentreTree, 'towardsRoot'>, cell: number): number[] {
  const path: number[] = [];
  for (let c = cell; c >= 0; c = towardsRoot[c]) path.push(c);
  return path;
}

/** The cell nearest to a point. */
export function nearestCell({ centres }: Solid, at: ArrayLike<number>): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (let c = 0; c < centres.length / 3; c++) {
    const away = (centres[3 * c] - at[0]) ** 2 + (centres[3 * c + 1] - at[1]) ** 2 + (centres[3 * c + 2] - at[2]) ** 2;
    if (away < least) [best, least] = [c, away];
  }
  return best;
}

function shortestPaths(solid: Solid, from: number, central: boolean, run: RunContext | undefined) {
  const distance = new Float64Array(solid.depth.length).fill(Number.POSITIVE_INFINITY);
  const previous = new Int32Array(solid.depth.length).fill(-1);
  relax(solid, distance, [[from, 0]], {
    run,
    central,
    onReached: (cell, before) => {
      previous[cell] = before;
    },
  });
  return { distance, previous };
}

/** Cells between two looks at the signal. */
const BATCH = 16384;

export interface RelaxOptions {
  readonly run?: RunContext | undefined;
  /** Along centre lines: an edge costs its length times (spacing / depth)². */
  readonly central?: boolean;
  /** Told of every cell that is reached, and from which; −1 for a source. */
  readonly onReached?: (cell: number, from: number) => void;
}

/** Dijkstra's algorithm: lowers the distances of cells to those from the sources. */
export function relax(
  solid: Solid,
  distance: Float64Array,
  sources: readonly (readonly [cell: number, cost: number])[],
  { run, central = false, onReached }: RelaxOptions = {},
): void {
  const { starts, neighbours, centres, depth, spacing } = solid;
  const queue = new CostQueue();
  for (const [cell, cost] of sources) {
    if (cost >= distance[cell]) continue;
    distance[cell] = cost;
    onReached?.(cell, -1);
    queue.push(cost, cell, 0, 0);
  }
  for (let next = queue.pop(), steps = 0; next; next = queue.pop(), steps++) {
    if (steps % BATCH === 0) checkCancelled(run);
    const c = next.a;
    if (next.cost > distance[c]) continue;
    for (let e = starts[c]; e < starts[c + 1]; e++) {
      const d = neighbours[e];
      let length = Math.sqrt(
        (centres[3 * c] - centres[3 * d]) ** 2 +
          (centres[3 * c + 1] - centres[3 * d + 1]) ** 2 +
          (centres[3 * c + 2] - centres[3 * d + 2]) ** 2,
      );
      if (central) length *= ((2 * spacing) / (depth[c] + depth[d])) ** 2;
      const cost = next.cost + length;
      if (cost >= distance[d]) continue;
      distance[d] = cost;
      onReached?.(d, c);
      queue.push(cost, d, 0, 0);
    }
  }
}

/** With an edge from each separate part to the nearest cell of the rest, so that one tree reaches everything. */
function withBridges(solid: Solid): Solid {
  const { starts, neighbours, centres } = solid;
  const c = solid.depth.length;
  const part = new Int32Array(c).fill(-1);
  const parts: number[][] = [];
  for (let first = 0; first < c; first++) {
    if (part[first] >= 0) continue;
    const members = [first];
    part[first] = parts.length;
    for (const cell of members) {
      for (let e = starts[cell]; e < starts[cell + 1]; e++) {
        if (part[neighbours[e]] >= 0) continue;
        part[neighbours[e]] = parts.length;
        members.push(neighbours[e]);
      }
    }
    parts.push(members);
  }
  if (parts.length === 1) return solid;
  parts.sort((a, b) => b.length - a.length || a[0] - b[0]);
  const extra = new Map<number, number[]>();
  const reached = [...parts[0]];
  const waiting = parts.slice(1);
  const gaps = waiting.map((members) => gapBetween(centres, members, reached));
  while (waiting.length > 0) {
    let next = 0;
    for (let k = 1; k < waiting.length; k++) if (gaps[k].away < gaps[next].away) next = k;
    const { from, to } = gaps[next];
    extra.set(from, [...(extra.get(from) ?? []), to]);
    extra.set(to, [...(extra.get(to) ?? []), from]);
    const [members] = waiting.splice(next, 1);
    gaps.splice(next, 1);
    waiting.forEach((others, k) => {
      const gap = gapBetween(centres, others, members);
      if (gap.away < gaps[k].away) gaps[k] = gap;
    });
  }
  const rows = new Int32Array(c + 1);
  const all: number[] = [];
  for (let cell = 0; cell < c; cell++) {
    for (let e = starts[cell]; e < starts[cell + 1]; e++) all.push(neighbours[e]);
    all.push(...(extra.get(cell) ?? []));
    rows[cell + 1] = all.length;
  }
  return { ...solid, starts: rows, neighbours: Int32Array.from(all) };
}

/** Cells of a part that are looked at: where it is, not each of them, decides the bridge. */
const LOOKED_AT = 400;

function gapBetween(centres: Float64Array, a: readonly number[], b: readonly number[]) {
  let [from, to, least] = [a[0], b[0], Number.POSITIVE_INFINITY];
  const [stepA, stepB] = [a, b].map((list) => Math.max(1, Math.floor(list.length / LOOKED_AT)));
  for (let k = 0; k < a.length; k += stepA) {
    for (let l = 0; l < b.length; l += stepB) {
      const away =
        (centres[3 * a[k]] - centres[3 * b[l]]) ** 2 +
        (centres[3 * a[k] + 1] - centres[3 * b[l] + 1]) ** 2 +
        (centres[3 * a[k] + 2] - centres[3 * b[l] + 2]) ** 2;
      if (away < least) [from, to, least] = [a[k], b[l], away];
    }
  }
  return { from, to, away: least };
}

function farthest(values: Float64Array): number {
  let best = 0;
  for (let c = 1; c < values.length; c++) if (values[c] > values[best]) best = c;
  return best;
}
