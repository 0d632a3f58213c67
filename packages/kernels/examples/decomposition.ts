import { LaplacianWeights, SkeletonSystem, SkinningSystem, skeletonTree, TwoLayerSystem } from '@pelt/kernels';
import { openNumerics } from '@pelt/math';

// A chain of ten points along x. In the second of two frames the points beyond the joint at x = 0 stand upright.
const [n, m] = [10, 2];
const xs = Array.from({ length: n }, (_, i) => i - 4.5);
const rest = Float64Array.from(xs.flatMap((x) => [x, 0, 0]));
const coefficients = Float64Array.from(xs.flatMap((x) => (x > 0 ? [x, 0, 0, 0, x, 0] : [x, 0, 0, x, 0, 0])));
const basis = Float64Array.from({ length: 36 }, (_, k) => Number(k % 7 === 0)); // the identity: no compression
const squaredNorms = Float64Array.from(xs, (x) => 2 * x * x);

// Alternate weights and rigid bones, from one bone for each half.
const numerics = await openNumerics();
const system = new SkinningSystem(numerics, { rest, basis, coefficients, squaredNorms }, m, 2);
const halves = xs.map((x) => Number(x > 0));
const edited = system.editWeights();
halves.forEach((bone, i) => {
  edited.bones.set([bone, 0], 2 * i);
  edited.weights.set([1, 0], 2 * i);
});
system.solveRigidBones(50);
system.measureError();
if (system.totalError() > 1e-9) throw new Error('two rigid bones are exact');

// The same bones with a joint that holds: bone 1 turns about the origin.
const skeleton = new SkeletonSystem(numerics, system, skeletonTree([-1, 0]), new Float64Array(6));
skeleton.solveRotations(20, 5);
skeleton.writeTransforms();
system.measureError();
if (system.totalError() > 1e-9) throw new Error('the joint is where the chain bends');
skeleton.dispose();

// Weights that reproduce the Laplacian of the frames, from equal shares of both bones.
const starts = Int32Array.from({ length: n + 1 }, (_, i) => (i === 0 ? 0 : i === n ? 2 * n - 2 : 2 * i - 1));
const neighbours = Int32Array.from(xs.flatMap((_, i) => [i - 1, i + 1].filter((k) => k >= 0 && k < n)));
const values = new Float64Array(neighbours.length).fill(-1);
const diagonal = Float64Array.from(xs, (_, i) => starts[i + 1] - starts[i]);
const scope = numerics.scope();
const candidates = scope.i32From(xs.flatMap(() => [0, 1]));
const half = new Float64Array(2 * n).fill(0.5);
const laplacian = new LaplacianWeights(numerics, system, { starts, neighbours, values, diagonal }, candidates, half, 2);
const before = laplacian.error();
for (let sweep = 0; sweep < 200; sweep++) laplacian.sweep();
if (!(laplacian.error() < 0.1 * before)) throw new Error('sweeps lower the error');
laplacian.dispose();

// Two layers: atoms that blend bones, two atoms per vertex.
const layers = new TwoLayerSystem(numerics, system, { starts, neighbours }, 2, 1);
layers.setAtom([0], [1]);
layers.setAtom([1], [1]);
layers.pairs.view.set(halves.flatMap((atom) => [atom, atom]));
layers.refresh();
if (layers.totalError() > 1e-9 || layers.useCounts()[1] !== 5) throw new Error('each atom serves its half');
layers.dispose();
scope.dispose();
system.dispose();
numerics.close();
