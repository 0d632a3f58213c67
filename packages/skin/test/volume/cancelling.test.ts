import { openNumerics } from '@pelt/math';
import { cylinder } from '@pelt/testkit';
import { afterAll, describe, it } from 'vitest';
import { tetrahedralize } from '../../src/tetrahedra/index.ts';
import { bindVolume, createVolumeDeformer, learnShapes } from '../../src/volume/index.ts';
import { expectCancels } from '../expect-cancels.ts';

const { mesh: surface, bones, bent } = cylinder({ sides: 44, bones: 12 });
const { mesh: body } = tetrahedralize(surface);

const numerics = await openNumerics();
afterAll(() => numerics.close());

describe('volumetric deformation', () => {
  it('can be cancelled while the body is bound', () => {
    expectCancels(numerics, (run) => bindVolume({ body, bones }, {}, run));
  });

  it('can be cancelled while shapes are learnt', () => {
    const binding = bindVolume({ body, bones }, {}, { numerics });
    const positions = surface.positions;
    const examples = [0, 20, 40].map((degrees) => ({ transforms: bent(degrees), positions }));
    expectCancels(numerics, (run) => learnShapes({ surface, bones, binding, examples }, {}, run));
  });

  it('can be cancelled while a deformer is prepared', () => {
    const binding = bindVolume({ body, bones }, {}, { numerics });
    expectCancels(numerics, (run) => createVolumeDeformer({ surface, bones, binding }, {}, run).dispose());
  });
});
