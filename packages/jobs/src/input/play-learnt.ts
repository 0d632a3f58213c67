/** What a learnt skin or a skin in two layers shows, frame by frame, where it is played as what it is. */
import { type GltfAsset, readEnvelope, readTwoLayer } from '@pelt/io';
import { openNumerics } from '@pelt/math';
import { type Clip, TRANSFORM_SIZE, virtualCount } from '@pelt/model';

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
    return playEach(clip, size, (pose, out) => deformer.deform(pose, out));
  } finally {
    numerics.close();
  }
}

/** The same of a skin in two layers, whose virtual bones are blended of the masters in each frame. */
export async function playLayers(asset: GltfAsset, clip: Clip, size: number): Promise<Float32Array | undefined> {
  const layers = readTwoLayer(asset);
  if (!layers) return undefined;
  const { deformTwoLayer } = await import('@pelt/skin/reduce/runtime');
  const virtual = new Float64Array(virtualCount(layers) * TRANSFORM_SIZE);
  return playEach(clip, size, (pose, out) => deformTwoLayer(asset.mesh.positions, layers, pose, virtual, out));
}

function playEach(
  { times, transforms }: Clip,
  size: number,
  pose: (transforms: Float64Array, out: Float32Array) => void,
): Float32Array {
  const step = transforms.length / times.length;
  const frames = new Float32Array(times.length * size);
  times.forEach((_, t) => {
    pose(transforms.subarray(t * step, (t + 1) * step), frames.subarray(t * size, (t + 1) * size));
  });
  return frames;
}
