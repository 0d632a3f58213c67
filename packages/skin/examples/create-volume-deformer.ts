import { openNumerics } from '@pelt/math';
import { IDENTITY_TRANSFORM } from '@pelt/model';
import { tetrahedralize } from '@pelt/skin/tetrahedra';
import { bindVolume, createVolumeDeformer } from '@pelt/skin/volume';
import { cylinder } from '@pelt/testkit';

const numerics = await openNumerics();
const { mesh: surface, bones } = cylinder();
const { mesh: body } = tetrahedralize(surface);
const binding = bindVolume({ body, bones }, {}, { numerics });
const deformer = createVolumeDeformer({ surface, bones, binding }, { volumeWeight: 20 }, { numerics });
const posed = new Float32Array(surface.positions.length);
deformer.deform(Float64Array.from(bones.flatMap(() => IDENTITY_TRANSFORM)), posed);
const moved = posed.some((value, k) => Math.abs(value - surface.positions[k]) > 1e-4);
if (moved) throw new Error('the rest pose moves the mesh');
deformer.dispose();
numerics.close();
