/** Play, scrub, and the error of every frame under the playhead. */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { type ClipFrames, trainingFrames } from '../store/document.ts';
import { error } from './amounts.ts';
import { Chart } from './chart.tsx';
import { ClipBar } from './clip-bar.tsx';
import { ClipLength } from './clip-length.tsx';
import { ClipTracks } from './clip-tracks.tsx';
import { leaveOnEnter } from './leave-on-enter.ts';
import { WeightPlot } from './pair-weight.tsx';
import { useStudio } from './studio.ts';

const SPEEDS = [0.25, 0.5, 1, 2];

export function Timeline() {
  const { bench, document, view, session } = useStudio();
  const { store } = bench;
  const clip = session.clip.value;
  const input = clip ?? document.input.value;
  const run = document.runs.value.find(({ id }) => id === document.shown.value);
  const frames = input?.frames ?? 1;
  const go = (frame: number) => store.setView({ frame: Math.min(frames - 1, Math.max(0, frame)), playing: false });
  const playing = view.playing.value;
  const keying = session.keying.value !== undefined;
  const part = useSignal(0);
  const parts = session.weights.value?.parts ?? [];
  return (
    <section class="timeline" aria-label="Timeline" data-keying={keying}>
      <div class="transport">
        <button
          type="button"
          class="button square"
          aria-label={playing ? 'Pause' : 'Play'}
          title={`${playing ? 'Pause' : 'Play'} (Space)`}
          disabled={frames < 2 || (session.hands.value && !clip)}
          onClick={() => store.setView({ playing: !playing })}
        >
          {playing ? '❚❚' : '▶'}
        </button>
        <FrameNumber frames={frames} go={go} />
        <span class="dim small info">
          {keying ? (
            <ClipLength />
          ) : (
            <>
              of {frames} · {Math.round(input?.fps ?? 0)} fps
            </>
          )}
          {!clip && <ClipMenu go={go} />}
          <br />
          <button
            type="button"
            class="quiet"
            title="Playing speed"
            onClick={() => {
              const next = SPEEDS[(SPEEDS.indexOf(view.speed.value) + 1) % SPEEDS.length];
              store.setView({ speed: next });
            }}
          >
            {view.speed.value} ×
          </button>
          <button
            type="button"
            class="quiet"
            aria-pressed={view.loop.value}
            onClick={() => store.setView({ loop: !view.loop.value })}
          >
            {view.loop.value ? 'loop' : 'once'}
          </button>
        </span>
      </div>
      {keying ? (
        <div class="keyed">
          <ClipBar />
          <ClipTracks go={go} />
        </div>
      ) : (
        <Track
          frames={frames}
          errors={clip || session.hands.value ? undefined : run?.frameErrors}
          go={go}
          part={part}
        />
      )}
      {keying ? null : session.weights.value ? (
        <div class="summary dim small">
          How much each pair counts{clip && `, ${(clip.frames / clip.fps).toFixed(1)} s`}
          {parts.length > 1 && (
            <select
              aria-label="Part of the body"
              value={String(part.value)}
              onChange={(event) => {
                part.value = Number(event.currentTarget.value);
              }}
            >
              {parts.map((name, p) => (
                <option key={name} value={String(p)} selected={p === part.value}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </div>
      ) : clip ? (
        <div class="summary dim small">The performance, {(clip.frames / clip.fps).toFixed(1)} s</div>
      ) : session.hands.value ? (
        <div class="summary dim small">A hand is on the character</div>
      ) : (
        <Summary errors={run?.frameErrors} go={go} />
      )}
    </section>
  );
}

interface FrameProps {
  readonly frames: number;
  readonly go: (frame: number) => void;
}

function FrameNumber({ frames, go }: FrameProps) {
  const { view } = useStudio();
  return (
    <input
      class="number"
      type="number"
      aria-label="Frame"
      min={1}
      max={frames}
      value={view.frame.value + 1}
      onChange={(event) => go(Number(event.currentTarget.value) - 1)}
      onKeyDown={leaveOnEnter}
    />
  );
}

interface TrackProps extends FrameProps {
  readonly errors: readonly number[] | undefined;
  /** Whose weights are drawn, where there are any. */
  readonly part: ReadonlySignal<number>;
}

function Track({ frames, errors, go, part }: TrackProps) {
  const { document, session } = useStudio();
  const weights = session.weights.value;
  // A performance has a time of its own.
  const clips = session.clip.value ? undefined : document.input.value?.clips;
  const [x, y] = useMemo(() => [(errors ?? [0, 0]).map((_, t) => t), errors ?? [0, 0]], [errors]);
  const scrub = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    const box = event.currentTarget.getBoundingClientRect();
    go(Math.round(((event.clientX - box.left) / box.width) * (frames - 1)));
  };
  return (
    <div
      class="plot"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        scrub(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) scrub(event);
      }}
    >
      {weights ? (
        <WeightPlot weights={weights} frames={frames} part={part.value} />
      ) : (
        <Chart label={errors ? 'Error of every frame' : 'Frames'} x={x} y={y} kind="area" />
      )}
      {document.mode.value === 'skin' &&
        trainingFrames(document.skin.value, frames).map((frame) => (
          <span key={frame} class="key train" style={{ left: `${(100 * frame) / Math.max(1, frames - 1)}%` }} />
        ))}
      {clipSpans(clips).map(({ name, first, count }) => (
        <button
          key={name}
          type="button"
          class="clip-start small"
          title={`Go to the clip ${name}`}
          style={{
            left: `${(100 * first) / Math.max(1, frames - 1)}%`,
            width: `${(100 * count) / Math.max(1, frames - 1)}%`,
          }}
          onPointerDown={(event) => event.stopPropagation()}
          onClick={() => go(first)}
        >
          {name}
        </button>
      ))}
      <Head frames={frames} />
    </div>
  );
}

interface ClipSpan {
  readonly name: string;
  readonly first: number;
  readonly count: number;
}

/** Where clips lie on the timeline, of files that have several. */
function clipSpans(clips: readonly ClipFrames[] | undefined): ClipSpan[] {
  if (!clips || clips.length < 2) return [];
  let first = 0;
  return clips.map(({ name, frames }) => {
    const span = { name, first, count: frames };
    first += frames;
    return span;
  });
}

/** The clip that the frame is of, by its whole name, where there are several; another one is gone to. */
function ClipMenu({ go }: Pick<FrameProps, 'go'>) {
  const { document, view } = useStudio();
  const spans = clipSpans(document.input.value?.clips);
  const at = spans.findLast(({ first }) => first <= view.frame.value);
  if (!at) return null;
  return (
    <select
      class="clip-menu"
      aria-label="Clip"
      title={at.name}
      value={String(at.first)}
      onChange={(event) => go(Number(event.currentTarget.value))}
    >
      {spans.map(({ name, first }) => (
        <option key={first} value={String(first)} selected={first === at.first}>
          {name}
        </option>
      ))}
    </select>
  );
}

function Head({ frames }: { readonly frames: number }) {
  const { view } = useStudio();
  return <div class="head" style={{ left: `${(100 * view.frame.value) / Math.max(1, frames - 1)}%` }} />;
}

function Summary({ errors, go }: Omit<TrackProps, 'frames' | 'part'>) {
  if (!errors) return <div class="summary dim small">Fit bones to see the error of every frame</div>;
  const worst = errors.indexOf(Math.max(...errors));
  if (error(errors[worst]) === error(0)) {
    return <div class="summary dim small">Every frame is as it was given</div>;
  }
  const mean = errors.reduce((sum, e) => sum + e, 0) / errors.length;
  return (
    <div class="summary dim small">
      Error per frame
      <br />
      <button type="button" class="worst" onClick={() => go(worst)}>
        ● worst: frame {worst + 1}
      </button>
      <br />
      {error(errors[worst])} E_RMS{mean > 0 && `, ${(errors[worst] / mean).toFixed(1)} × the mean`}
    </div>
  );
}
