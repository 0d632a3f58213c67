/** How far what a file plays is from what it shall show, as any reader of the file finds it. */
import { FrameBaker, type GltfAsset } from '@pelt/io';
import { SequenceErrorMeter, type SequenceErrors } from '@pelt/model';
import { NO_VERTEX } from '@pelt/pack';
import { type FrameTruth, sampledFrames } from './frame-truth.ts';

export interface PlayedFile {
  readonly asset: GltfAsset;
  /** Vertex of the file for each vertex of the truth; `NO_VERTEX` for those that no triangle uses. */
  readonly places: Uint32Array;
  /** For each clip its animation, and the second of it at which the clip begins; −1 for one that does not move. */
  readonly animations: readonly number[];
  readonly starts: readonly number[];
  /** For each clip the frames of the loop that it was cut to; 0 for none. */
  readonly periods: readonly number[];
}

/** Vertices in the frames that are measured; more do not change the figures. */
const MEASURED_VERTICES = 4_000_000;
const STILL = { name: '', channels: [], start: 0, end: 0 };

export function errorOfFile(
  { asset, places, animations, starts, periods }: PlayedFile,
  truth: FrameTruth,
): SequenceErrors {
  const n = places.length;
  const frames = sampledFrames(
    truth.times.map(({ length }) => length),
    n,
    MEASURED_VERTICES,
  );
  const meter = new SequenceErrorMeter(truth.rest, frames.length);
  const baker = new FrameBaker(asset);
  const [expected, moved] = [new Float32Array(3 * n), new Float32Array(3 * n)];
  const shown = new Float32Array(asset.mesh.positions.length);
  for (const { clip, frame } of frames) {
    truth.read(clip, frame, expected);
    const at = periods[clip] > 0 ? frame % periods[clip] : frame;
    baker.bake(asset.animations[animations[clip]] ?? STILL, starts[clip] + truth.times[clip][at], shown);
    for (let i = 0; i < n; i++) {
      // A vertex that no triangle uses is not part of the surface.
      const v = places[i];
      for (let k = 0; k < 3; k++) moved[3 * i + k] = v === NO_VERTEX ? expected[3 * i + k] : shown[3 * v + k];
    }
    meter.addFrame(expected, moved);
  }
  return meter.result();
}
