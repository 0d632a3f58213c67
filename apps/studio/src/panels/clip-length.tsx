import { MOST_FRAMES } from '../store/clips.ts';
import { editClip } from './keying.ts';
import { leaveOnEnter } from './leave-on-enter.ts';
import { useStudio } from './studio.ts';

const MOST_FPS = 240;

/** Frames and rate of the clip that is being made, free. */
export function ClipLength() {
  const studio = useStudio();
  const { frames, fps } = studio.clip.value;
  const set = (change: { readonly frames?: number; readonly fps?: number }) =>
    editClip(studio, 'Change the length', (clip) => ({ ...clip, ...change }), 'clip length');
  const taken = (text: string, most: number) => {
    const value = Math.round(Number(text));
    return text !== '' && Number.isFinite(value) ? Math.min(most, Math.max(1, value)) : undefined;
  };
  return (
    <>
      of{' '}
      <input
        class="number"
        type="number"
        aria-label="Frames of the clip"
        title="Length of the clip in frames"
        min={1}
        max={MOST_FRAMES}
        value={frames}
        onKeyDown={leaveOnEnter}
        onChange={(event) => {
          const value = taken(event.currentTarget.value, MOST_FRAMES);
          if (value !== undefined) set({ frames: value });
        }}
      />{' '}
      at{' '}
      <input
        class="number"
        type="number"
        aria-label="Frames a second of the clip"
        title="Frames a second of the clip"
        min={1}
        max={MOST_FPS}
        value={fps}
        onKeyDown={leaveOnEnter}
        onChange={(event) => {
          const value = taken(event.currentTarget.value, MOST_FPS);
          if (value !== undefined) set({ fps: value });
        }}
      />{' '}
      fps
    </>
  );
}
