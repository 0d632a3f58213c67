/** Keys as diamonds on their tracks: chosen, moved, copied and scaled as a group. */
import { useRef } from 'preact/hooks';
import {
  copiedKeys,
  type KeyPlace,
  type keyFrames,
  movable,
  movedKeys,
  pastedKeys,
  scaledFrame,
  scaledKeys,
  TRACKS,
  type Track,
} from '../store/clips.ts';
import { chosenIn, editClip } from './keying.ts';
import { useStudio } from './studio.ts';

const NAMES: Readonly<Record<Track, string>> = {
  pose: 'Pose',
  joints: 'Joints',
  targets: 'Reach',
  sliders: 'Sliders',
};
/** Pixels between labels of the ruler, at least. */
const LABEL_PIXELS = 56;
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

/** E_RMS that is shown as nothing. */
const SEEN = 0.005;

let drags = 0;

interface TracksProps {
  readonly go: (frame: number) => void;
}

export function ClipTracks({ go }: TracksProps) {
  const studio = useStudio();
  const { bench, document, session, view, clip } = studio;
  const { store } = bench;
  const place = useRef<HTMLDivElement>(null);
  const now = clip.value;
  const keying = session.keying.value;
  const chosen = chosenIn(now, session.chosenKeys.value);
  const run = document.runs.value.find(({ id }) => id === document.shown.value);
  const errors = now.base?.kind === 'own' && run?.frameErrors.length === now.frames ? run.frameErrors : [];
  const tracks = TRACKS.filter((track) => track === keying || now.tracks[track].length > 0);
  const last = Math.max(1, now.frames - 1);
  const left = (frame: number) => `${(100 * frame) / last}%`;
  const frameAt = (clientX: number) => {
    const box = place.current?.getBoundingClientRect();
    return box ? Math.min(last, Math.max(0, Math.round(((clientX - box.left) / box.width) * last))) : 0;
  };
  const choose = (chosenKeys: readonly KeyPlace[]) => store.setSession({ chosenKeys });
  const isChosen = ({ track, frame }: KeyPlace) => chosen.some((one) => one.track === track && one.frame === frame);

  /** Follows the pointer from a press until it is let go. */
  const follow = (event: PointerEvent, move: (frame: number) => void) => {
    const target = event.currentTarget as HTMLElement;
    target.setPointerCapture(event.pointerId);
    const ended = new AbortController();
    target.addEventListener('pointermove', (moved) => move(frameAt(moved.clientX)), ended);
    for (const name of ['pointerup', 'pointercancel']) target.addEventListener(name, () => ended.abort(), ended);
  };
  const pressKey = (event: PointerEvent, at: KeyPlace) => {
    event.stopPropagation();
    if (event.button !== 0) return;
    const wanted = event.shiftKey
      ? isChosen(at)
        ? chosen.filter((one) => one.track !== at.track || one.frame !== at.frame)
        : [...chosen, at]
      : isChosen(at)
        ? chosen
        : [at];
    choose(wanted);
    const [before, copies, merge] = [now, event.altKey, `keys ${drags++}`];
    follow(event, (frame) => {
      const by = movable(wanted, frame - at.frame);
      editClip(
        studio,
        copies ? 'Copy keys' : wanted.length === 1 ? 'Move a key' : 'Move keys',
        () =>
          copies
            ? pastedKeys(before, copiedKeys(before, wanted), Math.min(...wanted.map((one) => one.frame)) + by)
            : movedKeys(before, wanted, by),
        merge,
      );
      choose(wanted.map((one) => ({ ...one, frame: one.frame + by })));
    });
  };
  const nudge = (event: KeyboardEvent, at: KeyPlace) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const wanted = isChosen(at) ? chosen : [at];
    const far = movable(wanted, event.shiftKey ? 10 * by : by);
    editClip(studio, 'Move keys', (one) => movedKeys(one, wanted, far));
    choose(wanted.map((one) => ({ ...one, frame: one.frame + far })));
  };
  /** Shift and drag over a track chooses what is under it; else the playhead follows. */
  const pressRow = (event: PointerEvent, track: Track | undefined) => {
    if (event.button !== 0) return;
    const start = frameAt(event.clientX);
    if (!event.shiftKey) {
      if (track) choose([]);
      go(start);
      follow(event, go);
      return;
    }
    follow(event, (frame) => {
      const [from, to] = [Math.min(start, frame), Math.max(start, frame)];
      const inside = (track ? [track] : tracks).flatMap((one) =>
        now.tracks[one].flatMap((key) =>
          key.frame >= from && key.frame <= to ? [{ track: one, frame: key.frame }] : [],
        ),
      );
      choose(inside);
    });
  };
  const frames = [...new Set(chosen.map(({ frame }) => frame))].sort((a, b) => a - b);
  const [from, to] = [frames[0], frames.at(-1) ?? 0];
  const scale = (event: PointerEvent) => {
    event.stopPropagation();
    const [before, merge] = [now, `scale ${drags++}`];
    follow(event, (frame) => {
      const factor = Math.max(0, frame - from) / (to - from);
      editClip(studio, 'Scale keys', () => scaledKeys(before, chosen, from, factor), merge);
      choose(chosen.map((one) => ({ ...one, frame: scaledFrame(one.frame, from, factor) })));
    });
  };
  return (
    <div class="tracks">
      <div class="track-names" aria-hidden="true">
        {tracks.map((track) => (
          <span key={track} data-on={track === keying}>
            {NAMES[track]}
          </span>
        ))}
      </div>
      <div class="track-place" ref={place}>
        <Ruler frames={now.frames} fps={now.fps} onPress={(event) => pressRow(event, undefined)} />
        {tracks.map((track) => (
          <section
            key={track}
            class="track"
            aria-label={`Keys: ${NAMES[track].toLowerCase()}`}
            onPointerDown={(event) => pressRow(event, track)}
          >
            {now.tracks[track].map(({ frame, ease }) => (
              <button
                key={frame}
                type="button"
                class="diamond"
                data-ease={ease}
                aria-pressed={isChosen({ track, frame })}
                aria-label={`${NAMES[track]} key at frame ${frame + 1}`}
                title={`Frame ${frame + 1}, ${ease}. Drag to move, Alt to copy, Shift to choose several`}
                style={{ left: left(frame) }}
                onPointerDown={(event) => pressKey(event, { track, frame })}
                onKeyDown={(event) => nudge(event, { track, frame })}
                onDblClick={() => go(frame)}
              />
            ))}
          </section>
        ))}
        <ErrorBand errors={errors} />
        {frames.length > 1 && (
          <div class="chosen-span" style={{ left: left(from), width: left(to - from) }}>
            <button
              type="button"
              aria-label="Scale the chosen keys"
              title="Drag to scale the chosen keys about the first"
              onPointerDown={scale}
            />
          </div>
        )}
        <div class="head" style={{ left: left(Math.min(last, view.frame.value)) }} />
      </div>
    </div>
  );
}

/** The error of every frame of the motion below, as a thin band. */
function ErrorBand({ errors }: { readonly errors: readonly number[] }) {
  const most = Math.max(...errors, 0);
  if (most < SEEN) return null;
  const points = errors.map((error, t) => `${(1000 * t) / Math.max(1, errors.length - 1)} ${100 * (1 - error / most)}`);
  return (
    <svg class="error-band" viewBox="0 0 1000 100" preserveAspectRatio="none">
      <title>Error of every frame of the motion below</title>
      <path d={`M0 100L${points.join('L')}L1000 100Z`} />
    </svg>
  );
}

interface RulerProps {
  readonly frames: number;
  readonly fps: number;
  readonly onPress: (event: PointerEvent) => void;
}

function Ruler({ frames, fps, onPress }: RulerProps) {
  const width = globalThis.innerWidth * 0.6;
  const step = STEPS.find((one) => (width * one) / frames >= LABEL_PIXELS) ?? frames;
  return (
    <div class="ruler" onPointerDown={onPress}>
      {Array.from({ length: Math.ceil(frames / step) }, (_, k) => k * step).map((frame) => (
        <span key={frame} style={{ left: `${(100 * frame) / Math.max(1, frames - 1)}%` }}>
          {frame + 1}
        </span>
      ))}
      <span class="length">{(frames / fps).toFixed(1)} s</span>
    </div>
  );
}

/** The key before or after a frame, of any track. */
export function neighbourKey(frames: ReturnType<typeof keyFrames>, frame: number, by: 1 | -1): number | undefined {
  return by > 0 ? frames.find((one) => one > frame) : frames.findLast((one) => one < frame);
}
