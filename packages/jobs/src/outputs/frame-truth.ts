/** The shapes that a reduced file is measured against: what the rig plays, frame by frame, or examples. */
import { FrameBaker, type GltfAsset } from '@pelt/io';
import { type Clip, frameAt, type Mesh, type MeshSequence } from '@pelt/model';

/** Of an asset without animations. */
const STILL = { name: '', channels: [], start: 0, end: 0 };

export interface FrameTruth {
  /** Gives the size that errors are relative to. */
  readonly rest: Mesh;
  /** For each clip its frames, as seconds from its beginning. */
  readonly times: readonly Float64Array[];
  /** @param out  n × 3 */
  read(clip: number, frame: number, out: Float32Array): void;
}

/** What an asset plays, with its morph targets. Frames are made when they are read, for all of them may not fit memory. */
export function playedTruth(
  asset: GltfAsset,
  rest: Mesh,
  clips: readonly Clip[],
  starts: readonly number[],
): FrameTruth {
  const baker = new FrameBaker(asset);
  return {
    rest,
    times: clips.map(({ times }) => times),
    read: (c, t, out) => baker.bake(asset.animations[c] ?? STILL, starts[c] + clips[c].times[t], out),
  };
}

/** @param truths  of each clip */
export function exampleTruth(truths: readonly MeshSequence[]): FrameTruth {
  return {
    rest: truths[0].rest,
    times: truths.map(({ times }) => times),
    read: (c, t, out) => out.set(frameAt(truths[c], t)),
  };
}

/** Frames at even distances in all clips behind each other, as many as make so many vertices, but a few in any case. */
export function sampledFrames(
  lengths: readonly number[],
  vertices: number,
  mostVertices: number,
): { readonly clip: number; readonly frame: number }[] {
  const all = lengths.flatMap((length, clip) => Array.from({ length }, (_, frame) => ({ clip, frame })));
  const count = Math.min(all.length, Math.max(Math.floor(mostVertices / Math.max(vertices, 1)), LEAST_FRAMES));
  return Array.from({ length: count }, (_, k) => all[Math.floor(((k + 0.5) * all.length) / count)]);
}

const LEAST_FRAMES = 24;
