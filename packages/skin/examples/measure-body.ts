import { tetrahedralize } from '@pelt/skin/tetrahedra';
import { measureBody } from '@pelt/skin/volume';
import { cylinder } from '@pelt/testkit';

const { mesh: body } = tetrahedralize(cylinder().mesh);
const { volume, inverted } = measureBody(body, body.positions);
if (volume !== 1 || inverted !== 0) throw new Error('the rest pose is not itself');
