/**
 * A reduced rig as bytes, and what those bytes play: everything is judged on the file as it is read back, quantised and
 * interpolated as a player would.
 */
import {
  compressGlb,
  FrameBaker,
  type GltfAsset,
  NO_VERTEX,
  type RewriteOptions,
  readGltf,
  rewriteGltf,
  writeSkinnedGlb,
} from '@pelt/io';
import { SequenceErrorMeter, type SequenceErrors, vertexCount } from '@pelt/model';
import { sampledFrames } from './frame-truth.ts';
import type { SmallerRig } from './reduce-rig.ts';
import type { ReductionSource } from './reduction-source.ts';

export interface EncodedRig {
  readonly bytes: Uint8Array;
  /** Against the truth, over frames of all clips. */
  readonly error: SequenceErrors;
  readonly asset: GltfAsset;
}

export type Encoding = Pick<RewriteOptions, 'compress' | 'maxError'> & Partial<Pick<RewriteOptions, 'rounds'>>;

/** Vertices in the frames that are measured; more do not change the figures. */
const MEASURED_VERTICES = 4_000_000;

export async function encodeRig(
  source: ReductionSource,
  smaller: SmallerRig,
  encoding: Encoding,
  warn: (message: string) => void,
): Promise<EncodedRig> {
  const { bytes, places, starts } = await writeRig(source, smaller, encoding, warn);
  const asset = await readGltf(bytes, { name: 'the reduced file' });
  return { bytes, asset, error: measure(source, smaller, asset, places, starts) };
}

export interface WrittenRig {
  /** What the file costs beside the rig's own error, at sampled frames, as a share of the diagonal. */
  readonly error: number;
  readonly bytes: Uint8Array;
  /** Vertex of the file for each of the rig's. */
  readonly places: Uint32Array;
  /** For each clip the second of its animation at which it begins. */
  readonly starts: readonly number[];
}

/** The bytes alone, without measuring them at all frames. */
export async function writeRig(
  source: ReductionSource,
  { edit, model }: SmallerRig,
  { compress, maxError, rounds }: Encoding,
  warn: (message: string) => void,
): Promise<WrittenRig> {
  const options = { maxError, ...(rounds !== undefined && { rounds }) };
  if (!model) {
    const { bytes, resolve } = source.file;
    const file = await rewriteGltf({ bytes, ...edit }, { ...options, compress, resolve });
    return { bytes: file.bytes, error: file.error, places: file.places, starts: source.starts };
  }
  const { bytes, vertexMap } = await writeSkinnedGlb(model, { onWarning: warn });
  const places = new Uint32Array(vertexCount(source.rig.mesh)).fill(NO_VERTEX);
  vertexMap.forEach((i, v) => {
    if (places[i] === NO_VERTEX) places[i] = v;
  });
  const starts = source.clips.map(() => 0);
  if (compress === undefined && maxError === undefined) return { bytes, error: 0, places, starts };
  const small = compress ? await compressGlb(bytes, options) : await rewriteGltf({ bytes }, options);
  const moved = places.map((v) => (v === NO_VERTEX ? v : small.places[v]));
  return { bytes: small.bytes, error: small.error, places: moved, starts };
}

function measure(
  { truth, clips, asset: before }: ReductionSource,
  { periods }: SmallerRig,
  asset: GltfAsset,
  places: Uint32Array,
  starts: readonly number[],
): SequenceErrors {
  const n = places.length;
  const lengths = truth.times.map(({ length }) => length);
  const frames = sampledFrames(lengths, n, MEASURED_VERTICES);
  const meter = new SequenceErrorMeter(truth.rest, frames.length);
  const baker = new FrameBaker(asset);
  const [expected, moved] = [new Float32Array(3 * n), new Float32Array(3 * n)];
  const shown = new Float32Array(asset.mesh.positions.length);
  // Animations that move nothing are not written.
  const written = before.animations.map(
    ({ channels }, c) =>
      before.animations.slice(0, c + 1).filter((own) => own.channels.length > 0).length - (channels.length > 0 ? 1 : 0),
  );
  for (const { clip, frame } of frames) {
    truth.read(clip, frame, expected);
    const at = periods[clip] > 0 ? frame % periods[clip] : frame;
    const animation = asset.animations[written[clip]] ?? STILL;
    baker.bake(animation, starts[clip] + clips[clip].times[at], shown);
    for (let i = 0; i < n; i++) {
      // A vertex that no triangle uses is not part of the surface.
      const v = places[i];
      for (let k = 0; k < 3; k++) moved[3 * i + k] = v === NO_VERTEX ? expected[3 * i + k] : shown[3 * v + k];
    }
    meter.addFrame(expected, moved);
  }
  return meter.result();
}

const STILL = { name: '', channels: [], start: 0, end: 0 };
