import { openNumerics } from '@pelt/math';
import { bindVolume, createVolumeDeformer, surfaceWeights, teachPoses, tetrahedralize } from '@pelt/skin';
import { cylinder } from '@pelt/testkit';

const { mesh, bones } = cylinder({ sides: 8, length: 6, bones: 3 });
const { mesh: body } = tetrahedralize(mesh);
const numerics = await openNumerics();
const run = { numerics };
const rig = { name: 'limb', mesh, bones, weights: surfaceWeights({ body, bones }, {}, run) };
const binding = bindVolume({ body, bones }, {}, run);
const solid = createVolumeDeformer({ surface: mesh, bones, binding }, {}, run);
const solve = (pose: Float64Array, out: Float32Array) => {
  solid.reset();
  solid.deform(pose, out);
};
const { shapes, train } = teachPoses({ rig, poses: [], teacher: { solve } }, { poses: 4, heldOut: 1, range: 40 }, run);
solid.dispose();
numerics.close();

if (train.length !== 4 || shapes.length !== 5 * mesh.positions.length)
  throw new Error('four to learn from, one left out');
