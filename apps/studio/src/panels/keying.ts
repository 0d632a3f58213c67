/** What a mode does to have its keys on the timeline. */
import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { EditedClip, KeyPlace, Track } from '../store/clips.ts';
import { withClip } from '../store/document.ts';
import { type Studio, useStudio } from './studio.ts';

/**
 * The timeline is that of the clip that is being made, for as long as the component is there.
 *
 * @param track    into which the mode keys
 * @param keyHere  sets a key at the playhead
 * @param on       whether there is something to key
 */
export function useKeying(track: Track, keyHere: () => void, on = true): void {
  const studio = useStudio();
  const { bench, clip } = studio;
  const { store } = bench;
  const { frames, fps } = clip.value;
  useLayoutEffect(() => {
    studio.keyHere.value = on ? keyHere : undefined;
  });
  useEffect(() => {
    if (!on) return;
    store.setSession({ keying: track, clip: { frames, fps } });
    if (store.state.view.frame >= frames) store.setView({ frame: frames - 1 });
  }, [on, track, frames, fps, store]);
  useEffect(() => {
    if (!on) return undefined;
    return () => {
      studio.keyHere.value = undefined;
      store.setSession({ keying: undefined, clip: undefined, chosenKeys: [] });
      const last = (store.state.document.input?.frames ?? 1) - 1;
      if (store.state.view.frame > last) store.setView({ frame: 0 });
    };
  }, [on, studio, store]);
}

/** Changes the clip that is being made, as one step. */
export function editClip(
  { bench }: Studio,
  label: string,
  change: (clip: EditedClip) => EditedClip,
  merge?: string,
): void {
  bench.store.edit(label, (now) => withClip(now, change), merge);
}

/** Keys that are chosen and still there. */
export function chosenIn(clip: EditedClip, chosen: readonly KeyPlace[]): readonly KeyPlace[] {
  return chosen.filter(({ track, frame }) => clip.tracks[track].some((key) => key.frame === frame));
}
