// @ts-check
/** Handles for the pictures of posing: where to, and where the proxies stand. */

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
