/** Regions of the surface that rotate together: the proxies that are dominated by one control. */
import { exampleCount, type Poser, proxyCount } from '@pelt/model';

export interface TurningRegion {
  readonly proxies: readonly number[];
  /** E × 3: weighted mean logarithm of its proxies' rotations in each example */
  readonly logs: Float64Array;
}

/** @param areas  n fractions of the surface area */
export function turningRegions(poser: Poser, areas: Float64Array): TurningRegion[] {
  const { slots, bones, weights } = poser.rig.weights;
  const m = poser.rig.bones.length;
  const p = proxyCount(poser);
  const shares = new Float64Array(p * m);
  poser.vertexProxies.forEach((proxy, i) => {
    for (let s = i * slots; s < (i + 1) * slots; s++) shares[proxy * m + bones[s]] += areas[i] * weights[s];
  });
  const regions: number[][] = Array.from({ length: m }, () => []);
  for (let proxy = 0; proxy < p; proxy++) {
    let most = 0;
    for (let j = 1; j < m; j++) if (shares[proxy * m + j] > shares[proxy * m + most]) most = j;
    regions[most].push(proxy);
  }
  return regions
    .filter((proxies) => proxies.length > 0)
    .map((proxies) => ({ proxies, logs: meanLogs(poser, proxies) }));
}

function meanLogs(poser: Poser, proxies: readonly number[]): Float64Array {
  const { exampleLogs, proxyWeights } = poser;
  const p = proxyCount(poser);
  const total = proxies.reduce((sum, k) => sum + proxyWeights[k], 0);
  const logs = new Float64Array(3 * exampleCount(poser));
  for (let k = 0; k < logs.length; k++) {
    const first = p * (k - (k % 3)) + (k % 3);
    for (const proxy of proxies) logs[k] += (proxyWeights[proxy] / total) * exampleLogs[first + 3 * proxy];
  }
  return logs;
}
