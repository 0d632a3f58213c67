import { openNumerics } from '@pelt/math';
import { surfaceWeights, tetrahedralize } from '@pelt/skin';
import { cylinder } from '@pelt/testkit';

const { mesh, bones } = cylinder({ sides: 8, length: 6, bones: 3 });
const { mesh: body } = tetrahedralize(mesh);
const numerics = await openNumerics();
const weights = surfaceWeights({ body, bones }, { slots: 2 }, { numerics });
numerics.close();

if (weights.weights.length !== (2 * mesh.positions.length) / 3) throw new Error('two weights per vertex');
