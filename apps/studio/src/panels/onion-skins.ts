import { useEffect } from 'preact/hooks';
import { keyFrames } from '../store/clips.ts';
import { type Ghost, Ghosts } from '../viewport/ghosts.ts';
import { neighbourKey } from './clip-tracks.tsx';
import { useStudio } from './studio.ts';

/**
 * The shapes of the keys before and after the playhead, seen through while nothing plays.
 *
 * @param ghostAt  the shape at the frame of a key
 * @param ready    whether there are shapes yet
 */
export function useOnionSkins(ghostAt: (frame: number) => Ghost | undefined, ready: boolean): void {
  const { view, session, clip, viewport } = useStudio();
  const shown = viewport.value;
  const keying = session.keying.value;
  const on = view.onion.value && ready && !view.playing.value && keying !== undefined;
  const frames = keying ? keyFrames(clip.value, keying) : [];
  const frame = view.frame.value;
  const [before, after] = ([-1, 1] as const).map((by) => neighbourKey(frames, frame, by));
  useEffect(() => {
    if (!on || !shown) return undefined;
    const ghosts = new Ghosts(shown);
    ghosts.show([before === undefined ? undefined : ghostAt(before), after === undefined ? undefined : ghostAt(after)]);
    return () => ghosts.dispose();
  }, [on, shown, before, after, clip.value]);
}
