import { openNumerics } from '@pelt/math';
import { tetrahedralize } from '@pelt/skin/tetrahedra';
import { bindVolume } from '@pelt/skin/volume';
import { cylinder } from '@pelt/testkit';

const numerics = await openNumerics();
const { mesh, bones } = cylinder();
const { mesh: body } = tetrahedralize(mesh);
const { skin, fixed } = bindVolume({ body, bones }, {}, { numerics });
if (fixed.length === 0 || skin.weights.length !== (4 * body.positions.length) / 3) throw new Error('not bound');
numerics.close();
