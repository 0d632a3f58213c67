/**
 * Divides a body into regions that move together over the examples: limbs, trunk, head. Each region later departs from the
 * common blend of the examples for itself (see BodyBlend), so that a region is good where one blend serves all of it.
 *
 * The surface is divided into patches, where one control has most of the weight and vertices are connected: a control may
 * move a hoof and the tail, and a region must not. Two patches move together as far as the same pairs of examples look alike
 * in both: the RV coefficient of the Gram matrices of their rotations, ⟨S_a, S_b⟩ / (‖S_a‖‖S_b‖). It does not depend on how
 * much they move, only on when, so that a thigh and its foot belong together although the foot turns more. Adjacent patches
 * are merged, those that move most alike first and small ones before large ones, until as many are left as wanted.
 *
 * A proxy has the shares of the regions that its vertices have, smoothed over neighbouring proxies, so that the blend
 * changes gradually from one region to the next. Regions form a tree along their longest borders, the largest at the root.
 *
 * Experiments: docs/experiments/posing.md.
 *
 * Reference: Escoufier. Le traitement des variables vectorielles. 1973 (the RV coefficient).
 */
import { type BodyRegions, exampleCount, type Poser, proxyCount } from '@pelt/model';
import { type EdgeGraph, edgeGraph } from '../../shared/mesh/edge-graph.ts';
import { vertexAreas } from '../../shared/mesh/vertex-areas.ts';

/** Rounds of smoothing the shares, and the share below which a region leaves a proxy. */
const ROUNDS = 2;
const LEAST_SHARE = 0.02;
/** Controls that a region has on average, at least: what has only a few needs no division. */
const CONTROLS_PER_REGION = 3;
/** Share of the surface below which a patch joins its neighbour with the longest border, whatever it does. */
const LEAST_PATCH = 0.003;

interface Part {
  readonly area: number;
  /** E × E: Gram matrix of the rotations of all examples, weighted by area */
  readonly gram: Float64Array;
}

/** What a poser has before its regions are known. */
type Undivided = Omit<Poser, 'regions'>;

/**
 * @param wanted  most regions, or n labels, one for each vertex, of regions that somebody has painted
 * @returns undefined where the body has one region
 */
export function findRegions(poser: Undivided, wanted: number | Uint16Array): BodyRegions | undefined {
  if (typeof wanted !== 'number') {
    const R = wanted.reduce((most, label) => Math.max(most, label), 0) + 1;
    return R < 2 ? undefined : new Body(poser, Int32Array.from(wanted), R).regions();
  }
  const most = Math.min(wanted, Math.floor(poser.rig.bones.length / CONTROLS_PER_REGION));
  if (most < 2 || exampleCount(poser as Poser) === 0) return undefined;
  const body = patches(poser);
  body.merge(most);
  return body.count < 2 ? undefined : body.regions();
}

/** Connected vertices with the same control of most weight. */
function patches(poser: Undivided): Body {
  const { mesh, weights: skin } = poser.rig;
  const { slots, bones, weights } = skin;
  const n = mesh.positions.length / 3;
  const { starts, neighbours } = edgeGraph(mesh.triangles, n);
  const dominant = Int32Array.from({ length: n }, (_, i) => {
    let most = i * slots;
    for (let s = most; s < (i + 1) * slots; s++) if (weights[s] > weights[most]) most = s;
    return bones[most];
  });
  const labels = new Int32Array(n).fill(-1);
  let count = 0;
  for (let i = 0; i < n; i++) {
    if (labels[i] >= 0) continue;
    const stack = [i];
    labels[i] = count;
    while (stack.length > 0) {
      const at = stack.pop() as number;
      for (let k = starts[at]; k < starts[at + 1]; k++) {
        const next = neighbours[k];
        if (labels[next] >= 0 || dominant[next] !== dominant[i]) continue;
        labels[next] = count;
        stack.push(next);
      }
    }
    count++;
  }
  return new Body(poser, labels, count);
}

class Body {
  readonly #poser: Undivided;
  readonly #graph: EdgeGraph;
  readonly #areas: Float64Array;
  readonly #p: number;
  readonly #E: number;
  /** n: the part of each vertex */
  readonly #labels: Int32Array;
  readonly #parts: Part[];
  /** Of each part: the length of its border to others, in edges */
  readonly #borders: Map<number, number>[];

  /**
   * @param labels  n parts, 0 to R − 1
   */
  constructor(poser: Undivided, labels: Int32Array, R: number) {
    const { rig, vertexProxies, exampleLogs } = poser;
    const n = labels.length;
    this.#poser = poser;
    this.#labels = labels;
    this.#p = proxyCount(poser as Poser);
    this.#E = exampleCount(poser as Poser);
    this.#graph = edgeGraph(rig.mesh.triangles, n);
    this.#areas = vertexAreas(Float64Array.from(rig.mesh.positions), rig.mesh.triangles);
    this.#borders = Array.from({ length: R }, () => new Map());
    const areas = new Float64Array(R);
    const logs = Array.from({ length: R }, () => new Float64Array(3 * this.#E));
    for (let i = 0; i < n; i++) {
      const label = labels[i];
      areas[label] += this.#areas[i];
      for (let e = 0; e < this.#E; e++) {
        const from = 3 * (e * this.#p + vertexProxies[i]);
        for (let c = 0; c < 3; c++) logs[label][3 * e + c] += this.#areas[i] * exampleLogs[from + c];
      }
      for (let k = this.#graph.starts[i]; k < this.#graph.starts[i + 1]; k++) {
        const other = labels[this.#graph.neighbours[k]];
        if (other !== label) add(this.#borders[label], other, 1);
      }
    }
    this.#parts = logs.map((sums, r) => ({ area: areas[r], gram: gramOf(sums, areas[r], this.#E) }));
  }

  get count(): number {
    return this.#parts.length;
  }

  /** Merges parts until at most as many are left as wanted. */
  merge(most: number): void {
    const total = this.#areas.reduce((sum, area) => sum + area, 0);
    this.#absorb(LEAST_PATCH * total);
    while (this.count > most) {
      let best = Number.POSITIVE_INFINITY;
      let pair: [number, number] | undefined;
      this.#borders.forEach((row, a) => {
        for (const b of row.keys()) {
          if (b < a) continue;
          const [one, two] = [this.#parts[a], this.#parts[b]];
          const cost = (1 - likeness(one, two)) * Math.min(one.area, two.area);
          if (cost < best || (cost === best && pair && a === pair[0] && b < pair[1])) [best, pair] = [cost, [a, b]];
        }
      });
      this.#join(...(pair ?? this.#smallest()));
    }
  }

  /** Lets small parts join their neighbours, the smallest first; those of separate components stay. */
  #absorb(least: number): void {
    const isSmall = (r: number) => this.#parts[r].area < least && this.#borders[r].size > 0;
    for (;;) {
      let smallest = -1;
      for (let r = 0; r < this.count; r++) {
        if (isSmall(r) && (smallest < 0 || this.#parts[r].area < this.#parts[smallest].area)) smallest = r;
      }
      if (smallest < 0) return;
      let to = -1;
      for (const [other, length] of this.#borders[smallest]) {
        const longest = to < 0 ? 0 : (this.#borders[smallest].get(to) as number);
        if (length > longest || (length === longest && other < to)) to = other;
      }
      this.#join(Math.min(smallest, to), Math.max(smallest, to));
    }
  }

  /** The smallest part, and that whose vertices are nearest to its own at rest: of separate components, such as an eye. */
  #smallest(): [number, number] {
    const centres = this.#parts.map(() => new Float64Array(3));
    const { positions } = this.#poser.rig.mesh;
    const counts = new Float64Array(this.count);
    this.#labels.forEach((r, i) => {
      counts[r]++;
      for (let c = 0; c < 3; c++) centres[r][c] += positions[3 * i + c];
    });
    const least = this.#parts.reduce((best, { area }, r) => (area < this.#parts[best].area ? r : best), 0);
    let [nearest, other] = [Number.POSITIVE_INFINITY, -1];
    this.#labels.forEach((r, i) => {
      if (r === least) return;
      let squared = 0;
      for (let c = 0; c < 3; c++) squared += (positions[3 * i + c] - centres[least][c] / counts[least]) ** 2;
      if (squared < nearest) [nearest, other] = [squared, r];
    });
    return [Math.min(least, other), Math.max(least, other)];
  }

  /** Makes one part of two, a < b; the last one takes the place of b. */
  #join(a: number, b: number): void {
    const [one, two] = [this.#parts[a], this.#parts[b]];
    this.#parts[a] = {
      area: one.area + two.area,
      gram: one.gram.map((value, k) => value + two.gram[k]),
    };
    for (const [other, length] of this.#borders[b]) {
      this.#borders[other].delete(b);
      if (other === a) continue;
      add(this.#borders[a], other, length);
      add(this.#borders[other], a, length);
    }
    const last = this.count - 1;
    if (b < last) {
      this.#parts[b] = this.#parts[last];
      this.#borders[b] = this.#borders[last];
      for (const [other, length] of this.#borders[b]) {
        this.#borders[other].delete(last);
        this.#borders[other].set(b, length);
      }
    }
    this.#parts.pop();
    this.#borders.pop();
    for (let i = 0; i < this.#labels.length; i++) {
      if (this.#labels[i] === b) this.#labels[i] = a;
      else if (this.#labels[i] === last) this.#labels[i] = b;
    }
  }

  regions(): BodyRegions {
    const R = this.count;
    const shares = new Float64Array(this.#p * R);
    this.#labels.forEach((r, i) => {
      shares[this.#poser.vertexProxies[i] * R + r] += this.#areas[i];
    });
    return { shares: this.#smoothed(shares, R), ...this.#tree() };
  }

  /** Shares of each proxy, sum 1, averaged with those of its neighbours. */
  #smoothed(areas: Float64Array, R: number): Float64Array {
    const p = this.#p;
    const { vertexProxies } = this.#poser;
    const edges: Map<number, number>[] = Array.from({ length: p }, () => new Map());
    vertexProxies.forEach((a, i) => {
      for (let k = this.#graph.starts[i]; k < this.#graph.starts[i + 1]; k++) {
        const b = vertexProxies[this.#graph.neighbours[k]];
        if (b !== a) edges[a].set(b, (edges[a].get(b) ?? 0) + 1);
      }
    });
    let shares = normalised(areas, R, 0);
    for (let round = 0; round < ROUNDS; round++) {
      const next = shares.slice();
      edges.forEach((row, k) => {
        const total = [...row.values()].reduce((sum, count) => sum + count, 0);
        if (total === 0) return;
        for (let r = 0; r < R; r++) {
          next[k * R + r] *= 0.5;
          for (const [other, count] of row) next[k * R + r] += (0.5 * count * shares[other * R + r]) / total;
        }
      });
      shares = next;
    }
    return normalised(shares, R, LEAST_SHARE);
  }

  /** A spanning tree along the longest borders, then along likeness; the largest part is the root. */
  #tree(): Pick<BodyRegions, 'parents' | 'bonds'> {
    const R = this.count;
    const parts = this.#parts;
    const parents = new Int32Array(R).fill(-1);
    const bonds = new Float64Array(R);
    const inside = [parts.reduce((most, { area }, r) => (area > parts[most].area ? r : most), 0)];
    while (inside.length < R) {
      let [best, from, to] = [-1, -1, -1];
      for (const a of inside) {
        for (let b = 0; b < R; b++) {
          if (inside.includes(b)) continue;
          const border = this.#borders[a].get(b) ?? 0;
          if (border > best) [best, from, to] = [border, a, b];
        }
      }
      inside.push(to);
      parents[to] = from;
      bonds[to] = Math.min(1, likeness(parts[from], parts[to]));
    }
    return { parents, bonds };
  }
}

function add(row: Map<number, number>, key: number, value: number): void {
  row.set(key, (row.get(key) ?? 0) + value);
}

/**
 * @param sums  E × 3 rotations, times the area
 * @returns E × E
 */
function gramOf(sums: Float64Array, area: number, E: number): Float64Array {
  const gram = new Float64Array(E * E);
  // A part without area turns nothing.
  if (!(area > 0)) return gram;
  for (let e = 0; e < E; e++) {
    for (let f = 0; f < E; f++) {
      for (let c = 0; c < 3; c++) gram[e * E + f] += (sums[3 * e + c] * sums[3 * f + c]) / area;
    }
  }
  return gram;
}

/** RV coefficient, 0 to 1; 0 where one of them does not move. */
function likeness(a: Part, b: Part): number {
  let [both, first, second] = [0, 0, 0];
  for (let k = 0; k < a.gram.length; k++) {
    both += a.gram[k] * b.gram[k];
    first += a.gram[k] * a.gram[k];
    second += b.gram[k] * b.gram[k];
  }
  return first > 0 && second > 0 ? Math.max(0, both / Math.sqrt(first * second)) : 0;
}

/** Rows divided by their sums, without shares below a least one; an empty row belongs to the first region. */
function normalised(values: Float64Array, R: number, least: number): Float64Array {
  const out = new Float64Array(values.length);
  for (let row = 0; row < values.length; row += R) {
    let [all, kept] = [0, 0];
    for (let r = row; r < row + R; r++) all += values[r];
    for (let r = row; r < row + R; r++) if (values[r] >= least * all) kept += values[r];
    if (!(kept > 0)) out[row] = 1;
    else for (let r = row; r < row + R; r++) out[r] = values[r] >= least * all ? values[r] / kept : 0;
  }
  return out;
}
