/** Clips that were opened as one animation whose frames are read when they are asked for. */
import type { Clip, FrameReader } from '@pelt/model';
import { TRANSFORM_SIZE } from '@pelt/model';
import type { NamedOpened, OpenedClips } from '../../input/load-clips.ts';
import { namedMesh } from '../../input/names.ts';

export interface ClipReader {
  /** The frames of all clips, one clip behind the other; with a sample those of the sample. */
  readonly reader: FrameReader;
  readonly clips: readonly NamedOpened[];
  /** The motion of all frames as one clip each. */
  split(clip: Clip): Clip[];
}

/** What a clip without a name is called. */
const CLIP = 'clip';

/** @param sampled  whether frames that a sample leaves out are left out */
export function clipReader({ parts }: OpenedClips, sampled: boolean): ClipReader {
  const clips = parts.map(({ name, opened }) => ({ name: name ?? (opened.animation || CLIP), opened }));
  const places = clips.flatMap(({ opened: { source, frames } }) => {
    const numbers = sampled && frames ? frames : Uint32Array.from(source.times.keys());
    return Array.from(numbers, (t) => ({ source, t }));
  });
  const counts = clips.map(({ opened: { source, frames } }) => (sampled && frames ? frames : source.times).length);
  const [first] = clips;
  const ownTimes = clips.map(({ opened: { source, frames } }) =>
    sampled && frames ? Float64Array.from(frames, (t) => source.times[t] - source.times[frames[0]]) : source.times,
  );
  return {
    clips,
    reader: {
      rest: namedMesh(first.opened.source.rest),
      // Of several clips the times only have to increase: each gets its own back.
      times: clips.length === 1 ? ownTimes[0] : Float64Array.from(places.keys()),
      readFrame: (k, out, vertices) => places[k].source.readFrame(places[k].t, out, vertices),
    },
    split: ({ transforms }) => {
      const size = transforms.length / places.length;
      let from = 0;
      return clips.map(({ name }, c) => {
        const own = transforms.slice(from * size, (from + counts[c]) * size);
        from += counts[c];
        return { name, times: ownTimes[c], transforms: own };
      });
    },
  };
}

/** Clips behind each other as the one clip of a reader. */
export function joinedClip(clips: readonly Clip[], times: Float64Array, bones: number): Clip {
  const transforms = new Float64Array(times.length * bones * TRANSFORM_SIZE);
  let at = 0;
  for (const clip of clips) {
    transforms.set(clip.transforms, at);
    at += clip.transforms.length;
  }
  return { name: CLIP, times, transforms };
}
