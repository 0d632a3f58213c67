import { openNumerics } from '@pelt/math';
import { IDENTITY_TRANSFORM } from '@pelt/model';
import { tetrahedralize } from '@pelt/skin/tetrahedra';
import { bindVolume, learnShapes } from '@pelt/skin/volume';
import { cylinder } from '@pelt/testkit';

const numerics = await openNumerics();
const { mesh: surface, bones } = cylinder();
const { mesh: body } = tetrahedralize(surface);
const binding = bindVolume({ body, bones }, {}, { numerics });
const transforms = Float64Array.from(bones.flatMap(() => IDENTITY_TRANSFORM));
const examples = [{ transforms, positions: surface.positions }];
const { logs } = learnShapes({ surface, bones, binding, examples }, {}, { numerics });
if (logs.some((value) => Math.abs(value) > 1e-3)) throw new Error('the rest pose is stretched');
numerics.close();
