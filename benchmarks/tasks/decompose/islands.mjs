/**
 * Islands of weights: the share of (vertex, bone) pairs of weight 0.01 or more that no path of such vertices joins to the
 * largest region of the bone, and the number of regions per bone. An artist has to paint around them.
 */
import { decompose } from '@pelt/skin';
import { loadAnimation } from './load-animation.mjs';

const CASES = [
  { data: 'horse-gallop', bones: 20 },
  { data: 'cat-poses', bones: 25 },
  { data: 'lion-poses', bones: 21 },
];
const SEEN = 0.01;

export function islands(context, numerics) {
  return CASES.filter(({ data }) => context.wants(`${data}, islands`)).flatMap(({ data, bones }) => {
    context.log(`${data}, islands`);
    const { rig } = decompose(loadAnimation(context, data), { bones }, { numerics });
    const { share, regions } = regionsOf(rig);
    const place = `${data} ${bones}, islands`;
    return [
      { case: place, metric: 'pairs outside the main regions', value: share, unit: '', target: 'value <= 0.08' },
      { case: place, metric: 'regions per bone', value: regions / bones, unit: '' },
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
  let [pairs, inMain, regions] = [0, 0, 0];
  for (let j = 0; j < m; j++) {
    const left = new Set();
    for (let s = 0; s < n * slots; s++) if (bones[s] === j && weights[s] >= SEEN) left.add(Math.floor(s / slots));
    pairs += left.size;
    let largest = 0;
    for (const seed of left) {
      const region = [seed];
      left.delete(seed);
      for (const i of region) for (const other of neighbours[i]) if (left.delete(other)) region.push(other);
      regions++;
      largest = Math.max(largest, region.length);
    }
    inMain += largest;
  }
  return { share: 1 - inMain / pairs, regions };
}
