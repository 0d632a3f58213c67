/** Subdivision of triangles at their edges, each level smoothed once: fine meshes that move as a coarse one does. */
export class Subdivision {
  #levels = [];
  /** f × 3, after all levels */
  triangles;

  /**
   * @param n          vertices
   * @param triangles  f × 3
   */
  constructor(n, triangles, levels) {
    this.triangles = triangles;
    for (let level = 0, count = n; level < levels; level++) {
      const edges = this.#split(count);
      count += edges.length / 2;
      this.#levels.push({ edges, ...adjacency(this.triangles, count) });
    }
  }

  /** @param positions  n × 3 */
  refine(positions) {
    return this.#levels.reduce((coarse, { edges, starts, neighbours }) => {
      const n = starts.length - 1;
      const fine = new Float32Array(3 * n);
      fine.set(coarse);
      for (let e = 0; e < edges.length; e += 2) {
        const at = coarse.length + 3 * (e / 2);
        for (let d = 0; d < 3; d++) fine[at + d] = (coarse[3 * edges[e] + d] + coarse[3 * edges[e + 1] + d]) / 2;
      }
      const smooth = new Float32Array(3 * n);
      for (let i = 0; i < n; i++) {
        for (let d = 0; d < 3; d++) {
          let sum = 0;
          for (let e = starts[i]; e < starts[i + 1]; e++) sum += fine[3 * neighbours[e] + d];
          const own = fine[3 * i + d];
          smooth[3 * i + d] = starts[i + 1] > starts[i] ? (own + sum / (starts[i + 1] - starts[i])) / 2 : own;
        }
      }
      return smooth;
    }, positions);
  }

  /** Cuts every triangle into four. @returns the ends of the edges, one vertex behind the others for each */
  #split(n) {
    const numbers = new Map();
    const edges = [];
    const middle = (a, b) => {
      const key = a < b ? a * n + b : b * n + a;
      const known = numbers.get(key);
      if (known !== undefined) return known;
      numbers.set(key, n + edges.length / 2);
      edges.push(a, b);
      return n + edges.length / 2 - 1;
    };
    const coarse = this.triangles;
    this.triangles = new Uint32Array(4 * coarse.length);
    for (let k = 0; k < coarse.length; k += 3) {
      const [a, b, c] = coarse.subarray(k, k + 3);
      const [x, y, z] = [middle(a, b), middle(b, c), middle(c, a)];
      this.triangles.set([a, x, z, x, b, y, z, y, c, x, y, z], 4 * k);
    }
    return Uint32Array.from(edges);
  }
}

function adjacency(triangles, n) {
  const starts = new Uint32Array(n + 1);
  for (const i of triangles) starts[i + 1] += 2;
  for (let i = 0; i < n; i++) starts[i + 1] += starts[i];
  const neighbours = new Uint32Array(starts[n]);
  const next = starts.slice(0, n);
  for (let k = 0; k < triangles.length; k += 3) {
    for (let corner = 0; corner < 3; corner++) {
      const i = triangles[k + corner];
      neighbours[next[i]++] = triangles[k + ((corner + 1) % 3)];
      neighbours[next[i]++] = triangles[k + ((corner + 2) % 3)];
    }
  }
  return { starts, neighbours };
}
