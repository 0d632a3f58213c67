/**
 * The variation of the gradients within a proxy, which its mean gradient does not capture. With G_v the rows of a
 * vertex, Ḡ those of its proxy and u the controls relative to the rest pose, the energy of all vertices is
 *
 *   Σ_v a_v‖G_v u − m_v‖² = Σ_p W_p‖Ḡ_p u − m_p‖² + Σ_p Σ_{v∈p} a_v‖(G_v − Ḡ_p) u − δ_v‖²,   δ_v = m_v − m_p,
 *
 * because the deviations of a proxy sum to zero. In example e the model's own gradients have δ_v = (G_v − Ḡ_p) u_e, so
 * that with the constant matrix Δ_p = Σ_v a_v (G_v − Ḡ_p)ᵀ(G_v − Ḡ_p) the second sum depends only on the controls of the
 * examples (TurningSpread blends them). Its cost does not depend on the number of vertices, and it keeps neighbouring
 * vertices together where the means alone would let them drift apart: a handle pulled away by half the model's size
 * stretches the edges of an elephant by a factor of less than 4 with it, and of 14 without.
 *
 * Reference: Der, Sumner, Popović. Inverse kinematics for reduced deformable models. 2006 (section 3.2, proxy vertices).
 */
import { checkCancelled, type Poser, type RunContext } from '@pelt/model';
import { edgeGraph } from '../../shared/mesh/edge-graph.ts';
import { BATCH, type GradientRows, meanRows, vertexGradientRows } from './weight-gradients.ts';

/** Controls whose blocks have less than this fraction of the largest squared norm are merged into that one. */
const LEAST_MASS = 1e-4;

export class GroupDeviation {
  /** The relevant controls of each proxy's vertices, in order of decreasing norm. */
  readonly #controls: readonly (readonly number[])[];
  /** Δ_p over these controls, 4k × 4k */
  readonly #matrices: readonly Float64Array[];

  /**
   * @param rows   the proxies' rows Ḡ, pruned or not: Δ_p includes what pruning dropped
   * @param x      n × 3 rest positions, relative
   * @param areas  n fractions of the surface area
   */
  constructor(
    { rig, vertexProxies, proxyWeights }: Poser,
    rows: GradientRows,
    x: Float64Array,
    areas: Float64Array,
    run?: RunContext,
  ) {
    const n = areas.length;
    const p = proxyWeights.length;
    // Every vertex is a proxy of its own: there is no variation.
    if (p === n) {
      this.#controls = [];
      this.#matrices = [];
      return;
    }
    const vertexRows = vertexGradientRows(x, rig.weights, edgeGraph(rig.mesh.triangles, n), run);
    this.#controls = relevantControls(vertexRows, vertexProxies, areas, p);
    this.#matrices = this.#controls.map((controls) => new Float64Array((4 * controls.length) ** 2));
    const places = new Int32Array(rig.bones.length);
    for (let i = 0; i < n; i++) {
      if (i % BATCH === 0) checkCancelled(run);
      const proxy = vertexProxies[i];
      this.#placesOf(proxy, vertexRows, i, places);
      addBlocks(vertexRows, i, places, areas[i], this.#matrices[proxy]);
    }
    const means = meanRows(vertexRows, vertexProxies, areas, p);
    for (let proxy = 0; proxy < p; proxy++) this.#subtractMean(proxy, means, rows, proxyWeights[proxy]);
  }

  /**
   * H += Σ_p s_p Δ_p.
   *
   * @param scales  p factors s
   * @param h       N × N; added to
   */
  addTo(scales: Float64Array, h: Float64Array, N: number): void {
    this.#matrices.forEach((matrix, p) => {
      if (scales[p] === 0) return;
      const controls = this.#controls[p];
      const width = 4 * controls.length;
      for (let row = 0; row < width; row++) {
        const out = (4 * controls[row >> 2] + (row & 3)) * N;
        for (let column = 0; column < width; column++) {
          h[out + 4 * controls[column >> 2] + (column & 3)] += scales[p] * matrix[row * width + column];
        }
      }
    });
  }

  /** Indices of a row's controls among those of a proxy; an irrelevant one is merged into the first. */
  #placesOf(proxy: number, { starts, controls }: GradientRows, i: number, out: Int32Array): void {
    const own = this.#controls[proxy];
    for (let b = starts[i]; b < starts[i + 1]; b++) out[b - starts[i]] = Math.max(own.indexOf(controls[b]), 0);
  }

  /** Δ −= W (MᵀḠ + ḠᵀM − ḠᵀḠ), M the mean of the vertices' rows; this is W MᵀM where Ḡ is not pruned. */
  #subtractMean(proxy: number, means: GradientRows, rows: GradientRows, weight: number): void {
    const matrix = this.#matrices[proxy];
    const width = 4 * this.#controls[proxy].length;
    const dense = (of: GradientRows) => {
      const out = new Float64Array(3 * width);
      const count = of.starts[proxy + 1] - of.starts[proxy];
      const places = new Int32Array(count);
      this.#placesOf(proxy, of, proxy, places);
      for (let k = 0; k < count; k++) {
        const at = 12 * (of.starts[proxy] + k);
        for (let c = 0; c < 12; c++) out[12 * places[k] + c] += of.blocks[at + c];
      }
      return out;
    };
    const [mean, kept] = [dense(means), dense(rows)];
    for (let a = 0; a < width; a++) {
      for (let b = 0; b < width; b++) {
        let sum = 0;
        for (let c = 0; c < 3; c++) {
          const [u, v] = [3 * a + c, 3 * b + c];
          sum += mean[u] * kept[v] + kept[u] * mean[v] - kept[u] * kept[v];
        }
        matrix[a * width + b] -= weight * sum;
      }
    }
  }
}

/** The controls of each proxy whose blocks are not negligible, in order of decreasing norm. */
function relevantControls(
  { starts, controls, blocks }: GradientRows,
  vertexProxies: Uint32Array,
  areas: Float64Array,
  p: number,
): number[][] {
  const masses: Map<number, number>[] = Array.from({ length: p }, () => new Map());
  vertexProxies.forEach((proxy, i) => {
    const own = masses[proxy];
    for (let b = starts[i]; b < starts[i + 1]; b++) {
      let squared = 0;
      for (let k = 12 * b; k < 12 * (b + 1); k++) squared += blocks[k] * blocks[k];
      own.set(controls[b], (own.get(controls[b]) ?? 0) + areas[i] * squared);
    }
  });
  return masses.map((own) => {
    const sorted = [...own].sort(([a, x], [b, y]) => y - x || a - b);
    return sorted.filter(([, mass]) => mass >= LEAST_MASS * sorted[0][1]).map(([control]) => control);
  });
}

/** matrix += weight · (row i)ᵀ(row i), where several blocks may share an index. */
function addBlocks(
  { starts, blocks }: GradientRows,
  i: number,
  places: Int32Array,
  weight: number,
  matrix: Float64Array,
): void {
  const width = Math.round(Math.sqrt(matrix.length));
  const count = starts[i + 1] - starts[i];
  for (let a = 0; a < count; a++) {
    for (let b = 0; b < count; b++) {
      for (let k = 0; k < 4; k++) {
        const u = 12 * (starts[i] + a) + 3 * k;
        const out = (4 * places[a] + k) * width + 4 * places[b];
        for (let l = 0; l < 4; l++) {
          const v = 12 * (starts[i] + b) + 3 * l;
          matrix[out + l] +=
            weight * (blocks[u] * blocks[v] + blocks[u + 1] * blocks[v + 1] + blocks[u + 2] * blocks[v + 2]);
        }
      }
    }
  }
}
