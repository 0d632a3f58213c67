/**
 * Islands of weights: the share of (vertex, bone) pairs of weight 0.01 or more that no path of such vertices joins to the
 * main region of the bone, the number of regions per bone, and the error beside a fit in which islands have no price. An
 * artist has to paint around them. The main region of a bone is its largest; where the mesh has several connected parts,
 * which may share a bone that moves them together, the largest in each part.
 */
import { decompose } from '@pelt/skin';
import { loadAnimation } from './load-animation.mjs';
import { ISLAND_CASES, OUTSIDE_REGIONS, REGIONS_PER_BONE } from './metrics.mjs';

const SEEN = 0.01;
const FREE = 'islands at no price';

export function islands(context, numerics) {
  return ISLAND_CASES.filter(({ data }) => context.wants(`${data}, islands`)).flatMap(({ data, bones }) => {
    context.log(`${data}, islands`);
    const sequence = loadAnimation(context, data);
    const fit = decompose(sequence, { bones }, { numerics });
    const free = decompose(sequence, { bones, islandPrice: 0 }, { numerics });
    const [own, before] = [regionsOf(fit.rig), regionsOf(free.rig)];
    const row = (metric, value, reference, target) => ({
      case: `${data} ${bones}, islands`,
      metric,
      value,
      unit: '',
      reference,
      referenceName: FREE,
      ...(target && { target }),
    });
    return [
      row(OUTSIDE_REGIONS, own.share, before.share, 'value <= 0.08'),
      row(REGIONS_PER_BONE, own.regions / bones, before.regions / bones),
      row('E_RMS', fit.error.eRms, free.error.eRms, 'ratio <= 1.01'),
    ];
  });
}

function regionsOf({ mesh: { positions, triangles }, weights: { slots, bones, weights }, bones: { length: m } }) {
  const n = positions.length / 3;
  const neighbours = Array.from({ length: n }, () => []);
  triangles.forEach((i, k) => {
    const first = k - (k % 3);
    neighbours[i].push(triangles[first + ((k + 1) % 3)], triangles[first + ((k + 2) % 3)]);
  });
  const part = new Int32Array(n);
  regionsAmong(new Set(part.keys()), neighbours).forEach((region, k) => {
    for (const i of region) part[i] = k;
  });
  let [pairs, inMain, count] = [0, 0, 0];
  for (let j = 0; j < m; j++) {
    const own = new Set();
    for (let s = 0; s < n * slots; s++) if (bones[s] === j && weights[s] >= SEEN) own.add(Math.floor(s / slots));
    pairs += own.size;
    const largest = new Map();
    for (const region of regionsAmong(own, neighbours)) {
      count++;
      largest.set(part[region[0]], Math.max(largest.get(part[region[0]]) ?? 0, region.length));
    }
    for (const size of largest.values()) inMain += size;
  }
  return { share: 1 - inMain / pairs, regions: count };
}

/** Connected sets of the given vertices, which are taken out of their set. */
function regionsAmong(left, neighbours) {
  const regions = [];
  for (const seed of left) {
    const region = [seed];
    left.delete(seed);
    for (const i of region) for (const other of neighbours[i]) if (left.delete(other)) region.push(other);
    regions.push(region);
  }
  return regions;
}
