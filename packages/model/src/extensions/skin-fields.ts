/** What `PELT_two_layer` and `PELT_eigenskin` say of a skin; docs/extensions describes their arrays. */
import type { EigenSkinExamples } from '../character.ts';
import type { SkinWeights } from '../skin-weights.ts';
import { ExtensionFields, type GltfExtension } from './payload.ts';

export const TWO_LAYER_EXTENSION = 'PELT_two_layer';
export const EIGENSKIN_EXTENSION = 'PELT_eigenskin';
export const DUAL_QUATERNION_EXTENSION = 'PELT_dual_quaternion';

export interface FileLayers {
  /** q, how many of the first joints are virtual */
  readonly virtual: number;
  /** q × c over the joints behind them */
  readonly masters: SkinWeights;
}

/** The first layer of a two-layer skin; how it fits the skin is not checked. */
export function decodeLayers(extension: GltfExtension): FileLayers {
  const fields = new ExtensionFields(extension);
  const bones = fields.array('masterJoints', Uint16Array);
  const weights = fields.array('masterWeights', Float32Array);
  return { virtual: fields.count('virtual', 1), masters: { slots: fields.count('slots', 1), bones, weights } };
}

export interface FileEigenSkin extends EigenSkinExamples {
  /** F, how many of the first morph targets follow the joints */
  readonly fields: number;
}

export function decodeEigenSkin(extension: GltfExtension): FileEigenSkin {
  const fields = new ExtensionFields(extension);
  return {
    fields: fields.count('fields', 1),
    poses: Float64Array.from(fields.array('poses', Float32Array)),
    amounts: fields.array('amounts', Float32Array),
  };
}
