import { flattenedWeights, type TwoLayerSkin, virtualCount } from '@pelt/model';

// One vertex that blends two virtual bones, each a blend of two master bones.
const skin: TwoLayerSkin = {
  masters: { slots: 2, bones: Uint16Array.of(0, 1, 1, 2), weights: Float32Array.of(0.5, 0.5, 0.75, 0.25) },
  vertices: { slots: 2, bones: Uint16Array.of(0, 1), weights: Float32Array.of(0.5, 0.5) },
};
if (virtualCount(skin) !== 2) throw new Error('two virtual bones');

// Over the masters: a quarter of the first, 0.25 + 0.375 of the second, an eighth of the third; largest first.
if (flattenedWeights(skin).weights.join() !== '0.625,0.25,0.125') throw new Error('the product of both layers');
