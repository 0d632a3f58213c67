/**
 * Nearest neighbours: the tree beside looking at everything.
 */
import { KdTree, Random } from '@pelt/math';

const POINTS = 20_000;
const NEIGHBOURS = 8;
/** Looking at everything is measured on fewer queries. */
const FEW = 20;

export async function measure(context) {
  if (!context.wants('kd-tree') && !context.wants('closest point on a mesh')) return [];
  context.log(`neighbours among ${POINTS} points`);
  const random = new Random(1);
  // A bumpy sphere: points on a surface, as everywhere in pelt.
  const positions = bumpySphere(100, POINTS / 100);
  const queries = positions.map((x) => x + 0.02 * random.normal());
  const tree = new KdTree(positions);
  const [indices, squared] = [new Uint32Array(NEIGHBOURS), new Float64Array(NEIGHBOURS)];
  const perQuery = (count, work) => {
    const time = context.medianTime(() => {
      for (let q = 0; q < count; q++) work(3 * q);
    });
    return (1e3 * time) / count;
  };
  const everything = { unit: 'µs', referenceName: 'looking at everything' };
  return [
    {
      case: 'kd-tree',
      metric: `build, ${POINTS} points`,
      value: context.medianTime(() => new KdTree(positions)),
      unit: 'ms',
    },
    {
      case: 'kd-tree',
      metric: `${NEIGHBOURS} nearest`,
      value: perQuery(POINTS, (at) => tree.nearest(queries, at, NEIGHBOURS, indices, squared)),
      reference: perQuery(FEW, (at) => nearestOfAll(positions, queries, at)),
      ...everything,
    },
  ];
}

/** Distances to all, the eight smallest kept. */
function nearestOfAll(positions, queries, at) {
  const best = new Float64Array(NEIGHBOURS).fill(Number.POSITIVE_INFINITY);
  for (let i = 0; i < positions.length; i += 3) {
    const [x, y, z] = [
      positions[i] - queries[at],
      positions[i + 1] - queries[at + 1],
      positions[i + 2] - queries[at + 2],
    ];
    const squared = x * x + y * y + z * z;
    if (squared >= best[NEIGHBOURS - 1]) continue;
    let k = NEIGHBOURS - 1;
    for (; k > 0 && best[k - 1] > squared; k--) best[k] = best[k - 1];
    best[k] = squared;
  }
  return best;
}

function bumpySphere(rings, sides) {
  const positions = new Float32Array(3 * rings * sides);
  for (let r = 0; r < rings; r++) {
    for (let s = 0; s < sides; s++) {
      const [theta, phi] = [(Math.PI * (r + 0.5)) / rings, (2 * Math.PI * s) / sides];
      const radius = 1 + 0.1 * Math.sin(5 * theta) * Math.cos(7 * phi);
      const at = 3 * (r * sides + s);
      positions[at] = radius * Math.sin(theta) * Math.cos(phi);
      positions[at + 1] = radius * Math.cos(theta);
      positions[at + 2] = radius * Math.sin(theta) * Math.sin(phi);
    }
  }
  return positions;
}
