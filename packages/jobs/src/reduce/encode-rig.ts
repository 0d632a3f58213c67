/**
 * A reduced rig as bytes, and what those bytes play: everything is judged on the file as it is read back, quantised and
 * interpolated as a player would.
 */
import { bakeSequence, type CompressOptions, readGltf, type SkinnedModel, writeSkinnedGlb } from '@pelt/io';
import { frameAt, frameCount, type MeshSequence, SequenceErrorMeter, type SequenceErrors } from '@pelt/model';

export interface EncodedRig {
  readonly bytes: Uint8Array;
  /** Against the truths, over all clips. */
  readonly error: SequenceErrors;
  readonly compression: Partial<CompressOptions>;
}

/** Bits from coarse to fine: what a ladder of files is made of. Weights of 8 bits are bytes. */
export const BIT_LADDER: readonly Partial<CompressOptions>[] = [
  { positionBits: 10, weightBits: 8, rotationBits: 9, translationBits: 10 },
  { positionBits: 11, weightBits: 8, rotationBits: 10, translationBits: 11 },
  { positionBits: 12, weightBits: 8, rotationBits: 11, translationBits: 13 },
  { positionBits: 13, weightBits: 8, rotationBits: 12, translationBits: 14 },
  { positionBits: 13, weightBits: 10, rotationBits: 12, translationBits: 14 },
  { positionBits: 14, weightBits: 10, rotationBits: 13, translationBits: 16 },
  { positionBits: 16, weightBits: 12, rotationBits: 16, translationBits: 20 },
];

/**
 * @param periods  for each clip the frames of the loop that it was cut to; 0 for none
 */
export async function encodeRig(
  model: SkinnedModel,
  truths: readonly MeshSequence[],
  periods: readonly number[],
  compress: 'none' | 'meshopt',
  compression: Partial<CompressOptions>,
  warn: (message: string) => void,
): Promise<EncodedRig> {
  const options = { compress: compress === 'none' ? undefined : compress, compression, onWarning: warn };
  const { bytes, vertexMap } = await writeSkinnedGlb(model, options);
  const asset = await readGltf(bytes, { name: 'the reduced file' });
  const S = truths.reduce((sum, truth) => sum + frameCount(truth), 0);
  const n = truths[0].rest.positions.length / 3;
  const meter = new SequenceErrorMeter(truths[0].rest, S);
  const moved = new Float32Array(3 * n);
  truths.forEach((truth, c) => {
    // Where every frame is a key the keys say it best; thinned curves are sampled at the frames they stood for.
    const shown = bakeSequence(asset, { clip: c, times: model.keys ? model.clips[c].times : undefined });
    for (let t = 0; t < frameCount(truth); t++) {
      const frame = frameAt(shown, Math.min(periods[c] > 0 ? t % periods[c] : t, frameCount(shown) - 1));
      for (let v = 0; v < vertexMap.length; v++) {
        const i = vertexMap[v];
        for (let k = 0; k < 3; k++) moved[3 * i + k] = frame[3 * v + k];
      }
      meter.addFrame(frameAt(truth, t), moved);
    }
  });
  return { bytes, error: meter.result(), compression };
}
