import { tetrahedralLaplacian, VolumeIteration, VolumeSystem } from '@pelt/kernels';
import { openNumerics } from '@pelt/math';

// Two tetrahedra on either side of the triangle (1, 2, 3).
const rest = Float64Array.of(-1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0);
const tetrahedra = Uint32Array.of(0, 1, 2, 3, 1, 4, 2, 3);
const { volumes } = tetrahedralLaplacian(rest, tetrahedra);
if (Math.abs(volumes.reduce((sum, v) => sum + v, 0) - 1 / 3) > 1e-12) throw new Error('two sixths');

// Vertices 0 to 3 are given and turn by 90° about z; vertex 4 follows as rigidly as it can.
const numerics = await openNumerics();
const system = new VolumeSystem(numerics, rest, tetrahedra, { fixed: Uint32Array.of(0, 1, 2, 3) });
const positions = system.positions.view;
for (let i = 0; i < 4; i++) positions.set([-rest[3 * i + 1], rest[3 * i], rest[3 * i + 2]], 3 * i);
const iteration = new VolumeIteration(numerics, system, true);
// A start from the rotation of every vertex, as quaternions.
system.setRotations((quaternions) => {
  for (let k = 0; k < quaternions.length; k++) quaternions[k] = k % 4 < 2 ? 0 : Math.SQRT1_2;
});
iteration.beginFromRotations();
for (let round = 0; round < 200 && iteration.round(1) > 1e-9; round++);
iteration.finish();
const [x, y] = system.positions.view.subarray(12);
if (Math.abs(x) > 1e-4 || Math.abs(y - 1) > 1e-4) throw new Error('(1, 0, 0) has turned to (0, 1, 0)');
iteration.dispose();
system.dispose();
numerics.close();
