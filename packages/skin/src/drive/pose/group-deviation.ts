/**
 * What the mean gradient of a proxy does not see: how the gradients of its vertices differ from it. With G_v the rows of
 * a vertex, Ḡ those of its proxy and u the controls from the rest pose, the energy of all vertices is
 *
 *   Σ_v a_v‖G_v u − m_v‖² = Σ_p W_p‖Ḡ_p u − m_p‖² + Σ_p Σ_{v∈p} a_v‖(G_v − Ḡ_p) u − δ_v‖²,   δ_v = m_v − m_p,
 *
 * because the differences of a proxy sum to zero. In example e the model's own gradients have δ_v = (G_v − Ḡ_p) u_e, so
 * that with Δ_p = Σ_v a_v (G_v − Ḡ_p)ᵀ(G_v − Ḡ_p), a fixed matrix, the second sum needs the examples' controls alone
 * (TurningSpread blends them). It costs the same however many vertices there are, and it keeps neighbours together where
 * the means alone would let them drift: with it a handle pulled away by half the size stretches the edges of an elephant
 * less than four times, without it fourteen times.
 *
 * Reference: Der, Sumner, Popović. Inverse kinematics for reduced deformable models. 2006 (section 3.2, proxy vertices).
 */
import type { Poser } from '@pelt/model';
import { edgeGraph } from '../../mesh/edge-graph.ts';
import { type GradientRows, vertexGradientRows } from './weight-gradients.ts';

export class GroupDeviation {
  readonly #rows: GradientRows;
  /** Δ_p over the controls of each proxy, 4k × 4k; absent where the proxy is one vertex. */
  readonly #matrices: (Float64Array | undefined)[];

  /**
   * @param rows   the proxies' rows
   * @param x      n × 3 rest positions, relative
   * @param areas  n shares of the surface
   */
  constructor({ rig, vertexProxies, proxyWeights }: Poser, rows: GradientRows, x: Float64Array, areas: Float64Array) {
    const n = areas.length;
    const p = proxyWeights.length;
    this.#rows = rows;
    const sizes = new Uint32Array(p);
    for (const proxy of vertexProxies) sizes[proxy]++;
    this.#matrices = Array.from(sizes, (size, proxy) =>
      size > 1 ? new Float64Array((4 * (rows.starts[proxy + 1] - rows.starts[proxy])) ** 2) : undefined,
    );
    if (p === n) return;
    const vertexRows = vertexGradientRows(x, rig.weights, edgeGraph(rig.mesh.triangles, n));
    for (let i = 0; i < n; i++) this.#addVertex(vertexProxies[i], vertexRows, i, areas[i]);
    for (let proxy = 0; proxy < p; proxy++) {
      const matrix = this.#matrices[proxy];
      if (matrix) addBlocks(rows, proxy, localPlaces(rows, proxy, rows, proxy), -proxyWeights[proxy], matrix);
    }
  }

  /**
   * H += Σ_p s_p Δ_p.
   *
   * @param scales  p
   * @param h       N × N; added to
   */
  addTo(scales: Float64Array, h: Float64Array, N: number): void {
    const { starts, controls } = this.#rows;
    this.#matrices.forEach((matrix, p) => {
      if (!matrix || scales[p] === 0) return;
      const width = 4 * (starts[p + 1] - starts[p]);
      for (let row = 0; row < width; row++) {
        const out = (4 * controls[starts[p] + (row >> 2)] + (row & 3)) * N;
        for (let column = 0; column < width; column++) {
          h[out + 4 * controls[starts[p] + (column >> 2)] + (column & 3)] += scales[p] * matrix[row * width + column];
        }
      }
    });
  }

  #addVertex(proxy: number, vertexRows: GradientRows, i: number, area: number): void {
    const matrix = this.#matrices[proxy];
    if (matrix) addBlocks(vertexRows, i, localPlaces(this.#rows, proxy, vertexRows, i), area, matrix);
  }
}

/** Where the controls of a row are among those of a proxy; −1: a control that the proxy does not have. */
function localPlaces(proxies: GradientRows, proxy: number, rows: GradientRows, i: number): number[] {
  const own = proxies.controls.subarray(proxies.starts[proxy], proxies.starts[proxy + 1]);
  return Array.from(rows.controls.subarray(rows.starts[i], rows.starts[i + 1]), (control) => own.indexOf(control));
}

/** matrix += weight · (row i)ᵀ(row i). */
function addBlocks(
  { starts, blocks }: GradientRows,
  i: number,
  places: readonly number[],
  weight: number,
  matrix: Float64Array,
): void {
  const width = Math.round(Math.sqrt(matrix.length));
  for (let a = 0; a < places.length; a++) {
    for (let b = 0; b < places.length; b++) {
      if (places[a] < 0 || places[b] < 0) continue;
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
