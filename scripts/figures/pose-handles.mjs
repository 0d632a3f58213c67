// @ts-check
/** Handles for the pictures of posing: which vertices, where to, and where the proxies stand. */

/**
 * The vertices that stick out most: far from the middle and from each other.
 *
 * @param {Float32Array} positions  n × 3
 * @param {number} count
 * @returns {number[]}
 */
export function extremities(positions, count) {
  const n = positions.length / 3;
  const squared = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
  /** @param {number[]} point */
  const relax = ([x, y, z]) => {
    for (let i = 0; i < n; i++) {
      const away = (positions[3 * i] - x) ** 2 + (positions[3 * i + 1] - y) ** 2 + (positions[3 * i + 2] - z) ** 2;
      squared[i] = Math.min(squared[i], away);
    }
  };
  const middle = [0, 0, 0];
  for (let k = 0; k < positions.length; k++) middle[k % 3] += positions[k] / n;
  relax(middle);
  return Array.from({ length: count }, () => {
    let farthest = 0;
    for (let i = 1; i < n; i++) if (squared[i] > squared[farthest]) farthest = i;
    relax(pointOf(positions, farthest));
    return farthest;
  });
}

/**
 * @param {Float32Array} positions
 * @param {readonly number[]} vertices
 */
export function targetsOf(positions, vertices) {
  return vertices.map((vertex) => ({ vertex, target: pointOf(positions, vertex) }));
}

/**
 * The mean place of each proxy's vertices.
 *
 * @param {import('@pelt/model').Poser} poser
 * @returns {Float64Array} p × 3
 */
export function proxyPlaces({ rig, vertexProxies, proxyWeights }) {
  const out = new Float64Array(3 * proxyWeights.length);
  const counts = new Float64Array(proxyWeights.length);
  vertexProxies.forEach((proxy, i) => {
    counts[proxy]++;
    for (let c = 0; c < 3; c++) out[3 * proxy + c] += rig.mesh.positions[3 * i + c];
  });
  return out.map((value, k) => value / counts[Math.floor(k / 3)]);
}

/**
 * @param {Float32Array} positions
 * @param {number} vertex
 */
function pointOf(positions, vertex) {
  return Array.from(positions.subarray(3 * vertex, 3 * vertex + 3));
}
