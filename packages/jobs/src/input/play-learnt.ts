/** What a learnt skin shows, frame by frame. */
import { type GltfAsset, readEnvelope } from '@pelt/io';
import { openNumerics } from '@pelt/math';
import type { Clip } from '@pelt/model';

/**
 * S × n × 3 positions of the learnt skin that a glTF carries; undefined where it has none.
 *
 * @param size  3 n, numbers of a frame
 */
export async function playLearnt(asset: GltfAsset, clip: Clip, size: number): Promise<Float32Array | undefined> {
  const envelope = readEnvelope(asset);
  if (!envelope) return undefined;
  // Loaded only now: few files have one.
  const { createReducedDeformer } = await import('@pelt/skin/envelope/runtime');
  const numerics = await openNumerics({ threads: 1 });
  try {
    const deformer = createReducedDeformer(envelope, {}, { numerics });
    const S = clip.times.length;
    const step = clip.transforms.length / S;
    const frames = new Float32Array(S * size);
    for (let t = 0; t < S; t++) {
      deformer.deform(clip.transforms.subarray(t * step, (t + 1) * step), frames.subarray(t * size, (t + 1) * size));
    }
    return frames;
  } finally {
    numerics.close();
  }
}
