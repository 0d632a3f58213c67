import { openNumerics } from '@pelt/math';
import { IDENTITY_TRANSFORM } from '@pelt/model';
import { tetrahedralize } from '@pelt/skin/tetrahedra';
import { bindVolume, createShapeBlender, learnShapes } from '@pelt/skin/volume';
import { cylinder } from '@pelt/testkit';

const numerics = await openNumerics();
const { mesh: surface, bones } = cylinder();
const { mesh: body } = tetrahedralize(surface);
const binding = bindVolume({ body, bones }, {}, { numerics });
const transforms = Float64Array.from(bones.flatMap(() => IDENTITY_TRANSFORM));
const examples = [{ transforms, positions: surface.positions }];
const shapes = learnShapes({ surface, bones, binding, examples }, {}, { numerics });
const { stretches } = createShapeBlender({ shapes, binding }).blend(transforms);
if (Math.abs(stretches[0] - 1) > 1e-4) throw new Error('the rest pose is stretched');
numerics.close();
