import { describe, expect, it } from 'vitest';
import {
  copiedKeys,
  easedKeys,
  FIRST_CLIP,
  freeName,
  jointsAt,
  keyed,
  keyFrames,
  movedKeys,
  newClip,
  pastedKeys,
  reachesAt,
  removedKeys,
  scaledKeys,
  slidersAt,
} from '../../src/store/clips.ts';
import { clipOf, EMPTY_DOCUMENT, type StudioDocument, withClip, withNewClip } from '../../src/store/document.ts';

const slider = (frame: number) => ({ track: 'sliders', frame }) as const;
const jaw = [0, 10, 20].reduce((clip, frame) => keyed(clip, 'sliders', frame, { jaw: frame / 20 }), FIRST_CLIP);

import { completed } from '../../src/store/kept-document.ts';

describe('a clip', () => {
  it('is as long as its animation, and long enough to animate in', () => {
    expect(newClip('a', 'A', { frames: 10, fps: 30 })).toMatchObject({ frames: 90, fps: 30 });
    expect(newClip('a', 'A', { frames: 500, fps: 23.98 })).toMatchObject({ frames: 500, fps: 24 });
    expect(newClip('a', 'A', { frames: 11, fps: 2 })).toMatchObject({ frames: 151, fps: 30 });
    expect(keyFrames(FIRST_CLIP)).toEqual([]);
  });

  it('is one of several with names of their own, and the one that is being made', () => {
    const two = withNewClip(EMPTY_DOCUMENT);
    expect(two.clips.map(({ name }) => name)).toEqual(['Clip 1', 'Clip 2']);
    expect(clipOf(two).name).toBe('Clip 2');
    const copy = withNewClip(
      withClip(two, () => ({ ...jaw, id: two.clip, name: 'Walk' })),
      { ...jaw, name: 'Walk' },
    );
    expect(clipOf(copy)).toMatchObject({ name: 'Walk 2', tracks: jaw.tracks });
    expect(new Set(copy.clips.map(({ id }) => id)).size).toBe(3);
    expect(freeName(two.clips, 'Run')).toBe('Run');
  });

  it('of an older project has the keys that it had', () => {
    const older = {
      keys: [{ frame: 3, pose: 'pose-1' }],
      face: { keys: [{ frame: 5, values: { jaw: 1 }, ease: 'linear' }], frames: 40, fps: 24 },
    } as unknown as StudioDocument;
    const [clip] = completed(older).clips;
    expect(clip).toMatchObject({ frames: 72, fps: 24 });
    expect(clip.tracks.pose).toEqual([{ frame: 3, value: 'pose-1', ease: 'slow' }]);
    expect(clip.tracks.sliders[0].value).toEqual({ jaw: 1 });
  });
});

describe('keys that are chosen', () => {
  it('move together, replace what they meet, and do not go below the first frame', () => {
    const places = [slider(0), slider(10)];
    expect(movedKeys(jaw, places, 0)).toEqual(jaw);
    expect(keyFrames(movedKeys(jaw, places, 5))).toEqual([5, 15, 20]);
    expect(keyFrames(movedKeys(jaw, places, -7))).toEqual([0, 10, 20]);
    const met = movedKeys(jaw, [slider(10)], 10);
    expect(met.tracks.sliders.map(({ frame, value }) => [frame, value.jaw])).toEqual([
      [0, 0],
      [20, 0.5],
    ]);
    // The clip reaches as far as its keys.
    expect(movedKeys(jaw, [slider(20)], 200).frames).toBe(221);
  });

  it('scale about the first, copy and paste with their ease, and go', () => {
    const all = [slider(0), slider(10), slider(20)];
    expect(keyFrames(scaledKeys(jaw, all, 0, 1.5))).toEqual([0, 15, 30]);
    expect(keyFrames(scaledKeys(jaw, all, 0, 0))).toEqual([0]);
    const eased = easedKeys(jaw, [slider(10)], 'curve', [0, 1, 0, 1]);
    expect(eased.tracks.sliders.map(({ ease }) => ease)).toEqual(['smooth', 'curve', 'smooth']);
    const twice = pastedKeys(eased, copiedKeys(eased, [slider(10), slider(20)]), 30);
    expect(keyFrames(twice)).toEqual([0, 10, 20, 30, 40]);
    expect(twice.tracks.sliders[3]).toEqual({ ...eased.tracks.sliders[1], frame: 30 });
    expect(keyFrames(removedKeys(jaw, [slider(0), slider(20)]))).toEqual([10]);
    // Another track with a key at the same frame is left alone.
    expect(keyFrames(removedKeys(keyed(jaw, 'pose', 0, 'a'), [slider(0)]), 'pose')).toEqual([0]);
  });
});

describe('what tracks say', () => {
  it('is nothing without keys', () => {
    expect(jointsAt(FIRST_CLIP, 3)).toEqual({ turns: {}, shift: [0, 0, 0] });
    expect(reachesAt(FIRST_CLIP, 3)).toEqual([]);
    expect(slidersAt(FIRST_CLIP, 3)).toEqual({});
  });

  it('turns joints the short way, by unit quaternions', () => {
    const half = Math.SQRT1_2;
    const one = keyed(FIRST_CLIP, 'joints', 0, { turns: { knee: [0, 0, 0, 1] } });
    // The same turn with the other sign.
    const two = keyed(one, 'joints', 10, { turns: { knee: [-half, 0, 0, -half] }, shift: [2, 0, 0] });
    const { turns, shift } = jointsAt(two, 5);
    expect(shift).toEqual([1, 0, 0]);
    const [x, y, z, w] = turns.knee;
    expect(Math.hypot(x, y, z, w)).toBeCloseTo(1, 12);
    expect(2 * Math.acos(Math.abs(w))).toBeCloseTo(Math.PI / 4, 2);
    expect(jointsAt(two, 10).turns.knee[3]).toBeCloseTo(half, 12);
  });

  it('lets a reach that one key has alone come in and go', () => {
    const reach = { at: [1, 2, 3], pole: [0, 0, 1], bones: 2 } as const;
    const one = keyed(FIRST_CLIP, 'targets', 0, {});
    const two = keyed(one, 'targets', 10, { hand: reach });
    expect(reachesAt(two, 0)).toEqual([]);
    expect(reachesAt(two, 5)).toEqual([{ joint: 'hand', ...reach, share: 0.5 }]);
    expect(reachesAt(two, 50)).toEqual([{ joint: 'hand', ...reach, share: 1 }]);
  });

  it('sets sliders between keys', () => {
    expect(slidersAt(easedKeys(jaw, [slider(10)], 'linear'), 15)).toEqual({ jaw: 0.75 });
    expect(slidersAt({ ...jaw, closes: true, frames: 30 }, 25).jaw).toBeCloseTo(0.5, 10);
  });
});
