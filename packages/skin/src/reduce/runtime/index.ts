/** Two-layer skinning: blending through virtual bones. */
export { blendTransforms, deformTwoLayer, type TwoLayerSkin, virtualCount } from './two-layer.ts';
