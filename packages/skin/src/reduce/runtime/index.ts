/** Two-layer skinning: linear blending through virtual bones. */
export { type TwoLayerSkin, virtualCount } from '@pelt/model';
export { blendTransforms, deformTwoLayer } from './two-layer.ts';
