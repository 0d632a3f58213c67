import { enclosingBall, hilbertKeys, hilbertOrder, KdTree, Random } from '@pelt/math';

// Seeded: the same numbers on every platform.
const random = new Random(1);
const points = Float64Array.from({ length: 300 }, () => random.uniform(-1, 1));

const tree = new KdTree(points);
const [indices, squared] = [new Uint32Array(2), new Float64Array(2)];
tree.nearest(points, 3 * 7, 2, indices, squared); // from point 7
if (indices[0] !== 7 || !(squared[1] > 0)) throw new Error('itself, then its neighbour');
if (tree.within(points, 3 * 7, Math.sqrt(squared[1]))[0] > 7) throw new Error('both are within that distance');

const { center, radius } = enclosingBall(points);
for (let i = 0; i < 100; i++) {
  const [x, y, z] = points.subarray(3 * i);
  if (Math.hypot(x - center[0], y - center[1], z - center[2]) > radius * (1 + 1e-9)) throw new Error('inside');
}

// Along a Hilbert curve, where consecutive points are near each other.
const [order, keys] = [hilbertOrder(points), hilbertKeys(points)];
if (!order.every((i, k) => k === 0 || keys[order[k - 1]] <= keys[i])) throw new Error('keys ascend');
