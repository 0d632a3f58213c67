/**
 * Divides a body into regions that move together over the examples: limbs, trunk, head. Each region later departs from the
 * common blend of the examples for itself (see BodyBlend), so that a region is good where one blend serves all of it.
 *
 * Two sets of controls move together as far as the same pairs of examples look alike in both: the RV coefficient of the
 * Gram matrices of their rotations, ⟨S_a, S_b⟩ / (‖S_a‖‖S_b‖). It does not depend on how much they move, only on when, so
 * that a thigh and its foot belong together although the foot turns more. Adjacent sets are merged, those that move most
 * alike first and small ones before large ones, until as many are left as wanted.
 *
 * A proxy has the shares of the regions that its vertices' weights give, smoothed over neighbouring proxies, so that the
 * blend changes gradually from one region to the next. Regions form a tree along their longest borders, the largest at
 * the root.
 *
 * Reference: Escoufier. Le traitement des variables vectorielles. 1973 (the RV coefficient).
 */
import { type BodyRegions, exampleCount, type Poser, proxyCount } from '@pelt/model';
import { type EdgeGraph, edgeGraph } from '../../shared/mesh/edge-graph.ts';
import { vertexAreas } from '../../shared/mesh/vertex-areas.ts';

/** Rounds of smoothing the shares, and the share below which a region leaves a proxy. */
const ROUNDS = 2;
const LEAST_SHARE = 0.02;
/** Weight of a common edge of two controls beside that of a vertex that both move. */
const EDGE_BORDER = 1e-3;
/** Controls that a region has on average, at least: what has only a few needs no division. */
const CONTROLS_PER_REGION = 3;

interface Part {
  readonly controls: readonly number[];
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
  const body = new Body(poser);
  const m = poser.rig.bones.length;
  if (typeof wanted !== 'number') {
    const R = wanted.reduce((most, label) => Math.max(most, label), 0) + 1;
    return R < 2 ? undefined : body.painted(wanted, R);
  }
  const most = Math.min(wanted, Math.floor(m / CONTROLS_PER_REGION));
  if (most < 2 || exampleCount(poser as Poser) === 0) return undefined;
  const parts = body.merged(most);
  return parts.length < 2 ? undefined : body.regionsOf(parts);
}

class Body {
  readonly #poser: Undivided;
  readonly #graph: EdgeGraph;
  readonly #areas: Float64Array;
  readonly #p: number;
  readonly #m: number;
  /** p × m: area of each proxy that each control moves */
  readonly #moved: Float64Array;
  /** m × m */
  readonly #borders: Float64Array;

  constructor(poser: Undivided) {
    const { rig, vertexProxies } = poser;
    const { slots, bones, weights } = rig.weights;
    const n = vertexProxies.length;
    this.#poser = poser;
    this.#p = proxyCount(poser as Poser);
    this.#m = rig.bones.length;
    this.#graph = edgeGraph(rig.mesh.triangles, n);
    this.#areas = vertexAreas(Float64Array.from(rig.mesh.positions), rig.mesh.triangles);
    this.#moved = new Float64Array(this.#p * this.#m);
    this.#borders = new Float64Array(this.#m * this.#m);
    const dominant = new Int32Array(n);
    for (let i = 0; i < n; i++) {
      let most = i * slots;
      for (let s = i * slots; s < (i + 1) * slots; s++) {
        this.#moved[vertexProxies[i] * this.#m + bones[s]] += this.#areas[i] * weights[s];
        if (weights[s] > weights[most]) most = s;
        for (let t = i * slots; t < (i + 1) * slots; t++) this.#join(bones[s], bones[t], weights[s] * weights[t], i);
      }
      dominant[i] = bones[most];
    }
    for (let i = 0; i < n; i++) {
      for (let k = this.#graph.starts[i]; k < this.#graph.starts[i + 1]; k++) {
        this.#join(dominant[i], dominant[this.#graph.neighbours[k]], EDGE_BORDER, i);
      }
    }
  }

  #join(a: number, b: number, weight: number, i: number): void {
    if (a !== b) this.#borders[a * this.#m + b] += weight * this.#areas[i];
  }

  /** Parts of the controls, at most as many as wanted unless the mesh has more components. */
  merged(most: number): Part[] {
    let parts = this.#single();
    while (parts.length > most) {
      let best = Number.POSITIVE_INFINITY;
      let pair: [Part, Part] | undefined;
      for (let a = 0; a < parts.length; a++) {
        for (let b = a + 1; b < parts.length; b++) {
          if (!(this.#border(parts[a], parts[b]) > 0)) continue;
          const cost = (1 - likeness(parts[a], parts[b])) * Math.min(parts[a].area, parts[b].area);
          if (cost < best) [best, pair] = [cost, [parts[a], parts[b]]];
        }
      }
      // What hangs together nowhere: the two smallest.
      const [a, b] = pair ?? [...parts].sort((x, y) => x.area - y.area);
      const both: Part = {
        controls: [...a.controls, ...b.controls],
        area: a.area + b.area,
        gram: a.gram.map((value, k) => value + b.gram[k]),
      };
      parts = parts.map((part) => (part === a ? both : part)).filter((part) => part !== b);
    }
    return parts;
  }

  regionsOf(parts: readonly Part[]): BodyRegions {
    const R = parts.length;
    const regionOf = new Int32Array(this.#m);
    parts.forEach(({ controls }, r) => {
      for (const j of controls) regionOf[j] = r;
    });
    const shares = new Float64Array(this.#p * R);
    for (let k = 0; k < this.#moved.length; k++) {
      shares[Math.floor(k / this.#m) * R + regionOf[k % this.#m]] += this.#moved[k];
    }
    return { shares: this.#smoothed(shares, R), ...this.#tree(parts) };
  }

  /** @param labels  n regions, 0 to R − 1 */
  painted(labels: Uint16Array, R: number): BodyRegions {
    const shares = new Float64Array(this.#p * R);
    const controlsOf: number[][] = Array.from({ length: R }, () => []);
    const votes = new Float64Array(this.#m * R);
    const { slots, bones, weights } = this.#poser.rig.weights;
    labels.forEach((r, i) => {
      shares[this.#poser.vertexProxies[i] * R + r] += this.#areas[i];
      for (let s = i * slots; s < (i + 1) * slots; s++) votes[bones[s] * R + r] += this.#areas[i] * weights[s];
    });
    for (let j = 0; j < this.#m; j++) {
      let most = 0;
      for (let r = 1; r < R; r++) if (votes[j * R + r] > votes[j * R + most]) most = r;
      controlsOf[most].push(j);
    }
    const single = this.#single();
    const parts = controlsOf.map((controls) => {
      const own = single.filter((part) => controls.includes(part.controls[0]));
      const E = exampleCount(this.#poser as Poser);
      const gram = new Float64Array(E * E);
      for (const part of own) for (let k = 0; k < gram.length; k++) gram[k] += part.gram[k];
      return { controls, area: own.reduce((sum, { area }) => sum + area, 0), gram };
    });
    return { shares: this.#smoothed(shares, R), ...this.#tree(parts) };
  }

  #single(): Part[] {
    const E = exampleCount(this.#poser as Poser);
    const { exampleLogs } = this.#poser;
    const p = this.#p;
    const parts: Part[] = [];
    for (let j = 0; j < this.#m; j++) {
      let area = 0;
      const logs = new Float64Array(3 * E);
      for (let k = 0; k < p; k++) {
        const moved = this.#moved[k * this.#m + j];
        area += moved;
        if (moved === 0) continue;
        for (let e = 0; e < E; e++) {
          for (let c = 0; c < 3; c++) logs[3 * e + c] += moved * exampleLogs[3 * (e * p + k) + c];
        }
      }
      // A control that moves nothing belongs nowhere.
      if (!(area > 0)) continue;
      const gram = new Float64Array(E * E);
      for (let e = 0; e < E; e++) {
        for (let f = 0; f < E; f++) {
          for (let c = 0; c < 3; c++) gram[e * E + f] += (logs[3 * e + c] * logs[3 * f + c]) / area;
        }
      }
      parts.push({ controls: [j], area, gram });
    }
    return parts;
  }

  #border(a: Part, b: Part): number {
    let sum = 0;
    for (const j of a.controls) for (const k of b.controls) sum += this.#borders[j * this.#m + k];
    return sum;
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
  #tree(parts: readonly Part[]): Pick<BodyRegions, 'parents' | 'bonds'> {
    const R = parts.length;
    const parents = new Int32Array(R).fill(-1);
    const bonds = new Float64Array(R);
    const inside = [parts.reduce((most, { area }, r) => (area > parts[most].area ? r : most), 0)];
    while (inside.length < R) {
      let [best, from, to] = [-1, -1, -1];
      for (const a of inside) {
        for (let b = 0; b < R; b++) {
          if (inside.includes(b)) continue;
          const border = this.#border(parts[a], parts[b]);
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
