import { PUPPET } from '@pelt/jobs/tables';
import { frameNearest } from '@pelt/model';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask } from '../jobs/ask.ts';
import { givePuppet, motionOf, perform } from '../jobs/puppet-bench.ts';
import { type ExtraFile, type Performance, type PuppetChoices, withNewClip } from '../store/document.ts';
import type { PairWeights } from '../store/library.ts';
import { foldedOptions } from '../store/more-options.ts';
import { commandLine } from '../store/requests.ts';
import type { ShownWeights } from '../store/session.ts';
import { kilobytes } from './amounts.ts';
import { Field, Segments, Slider, Toggle } from './controls.tsx';
import { download } from './download.ts';
import { LivePuppet } from './live-puppet.tsx';
import { followMotion } from './motion-figure.ts';
import { OptionFold } from './option-fold.tsx';
import { DraggedPairs, MadePairs, TakeTrim } from './puppet-takes.tsx';
import { QualityTable } from './quality-table.tsx';
import { Registration } from './registration.tsx';
import { FirstStep } from './run-card.tsx';
import { useStudio } from './studio.ts';
import { chooseFiles } from './take-files.ts';

const TUNED = ['base', 'projection', 'lambda', 'noise', 'interpolation', 'features'];
const TUNING = { more: TUNED, published: [] };
const SHOWN = ['parts', 'contacts', 'loose', 'delay', 'travel', 'live', 'send', 'controls', 'handle', 'suggest'];
const FOLDED = foldedOptions(PUPPET, [...TUNED, ...SHOWN], []);

/** A performance on the character, live or recorded, directly or by pairs of poses. */
export function PuppetPanel() {
  const { bench, document, character, session } = useStudio();
  const { store } = bench;
  const choices = document.puppet.value;
  const set = (change: Partial<PuppetChoices>, label: string) =>
    store.edit(`Change ${label}`, (now) => ({ ...now, puppet: { ...now.puppet, ...change } }), `puppet ${label}`);
  const base = character.value;
  const task = session.task.value;
  const performance = document.performance.value;
  const shown = performance !== undefined && performance.character === base?.id ? performance : undefined;
  const choose = () => chooseFiles((files) => void givePuppet(bench, files));
  const live = useSignal(false);
  /** Whether pairs are worked on. */
  const pairing = useSignal(false);
  const camera = choices.source === 'camera';
  const ready = camera ? choices.take !== undefined : choices.motion !== undefined;
  return (
    <>
      <div class="heading">
        <h2>Puppet</h2>
        <span class="dim small">{base ? base.title : ''}</span>
      </div>
      {!base?.jointed && (
        <FirstStep
          command="skeleton"
          verb="Find the skeleton now"
          text="A performance moves joints, which this has none of."
        />
      )}
      <div class="group">
        <Segments
          label="Performer"
          value={choices.source}
          choices={[
            ['file', 'motion file', 'BVH, or a recording of a Kinect or of MediaPipe Pose'],
            ['camera', 'camera', 'You, before the camera; its picture does not leave this page'],
          ]}
          onChange={(source) => {
            live.value = false;
            set({ source }, 'performer');
          }}
        />
        {camera && (
          <Toggle
            label="Fingers"
            title="Tracks your hands as well, which takes about twice the time of each picture; for characters that have fingers"
            value={choices.fingers}
            onChange={(fingers) => {
              live.value = false;
              set({ fingers }, 'fingers');
            }}
          />
        )}
        {camera ? (
          <Toggle
            label="As in a mirror"
            title="The character raises the arm that you see raised in the mirror"
            value={choices.mirrored}
            onChange={(mirrored) => set({ mirrored }, 'mirror')}
          />
        ) : (
          <FileRow
            label="Motion"
            title="BVH, or a recording of a Kinect or of MediaPipe Pose"
            file={choices.motion}
            choose={choose}
          />
        )}
      </div>
      {ready && base?.jointed && !live.value && (
        <button
          type="button"
          class="button wide"
          aria-pressed={pairing.value}
          title="Pick key poses of the performer, set what the character does with them, and see what comes of it at once"
          onClick={() => {
            pairing.value = !pairing.value;
          }}
        >
          {pairing.value ? 'Done with pairs' : 'Edit pairs'}
        </button>
      )}
      {pairing.value && ready && base?.jointed && !live.value && <Registration run={base} />}
      {choices.made.length > 0 && !pairing.value && <MadePairs />}
      {camera && !task && !live.value && (
        <button
          type="button"
          class={`button wide ${choices.take ? '' : 'primary'}`}
          disabled={!base?.jointed}
          onClick={() => {
            live.value = true;
          }}
        >
          Start the camera
        </button>
      )}
      {live.value && base && (
        <LivePuppet
          character={base.id}
          onStop={() => {
            live.value = false;
          }}
        />
      )}
      <div class="group">
        <FileRow
          label="Pairs"
          title="Poses of the performer with those of the character that mean the same, as JSON; a humanoid needs none, and pelt puppet --suggest begins one"
          file={choices.pairs}
          choose={choose}
          remove={() => set({ pairs: undefined, made: [] }, 'pairs')}
        />
        {!camera && choices.motion && !pairing.value && <DraggedPairs />}
        <Segments
          label="Parts"
          title="Parts of the body that are blended by themselves"
          value={choices.parts}
          choices={[
            ['whole', 'whole'],
            ['body', 'body'],
            ['limbs', 'limbs'],
          ]}
          onChange={(parts) => set({ parts }, 'parts')}
        />
        <Toggle
          label="Feet do not slide"
          title="Feet that touch the ground stay where they are"
          value={choices.contacts}
          onChange={(contacts) => set({ contacts }, 'contacts')}
        />
        <Field label="Springs" title="Bones that swing after the motion, by name, with commas between: tail, ear">
          <input
            type="text"
            value={choices.loose}
            onChange={(event) => set({ loose: event.currentTarget.value }, 'springs')}
          />
        </Field>
        <Slider
          label="Smoothing, s"
          title="Largest lag of the filter that takes the tremble out of a recording"
          value={choices.delay}
          min={0}
          max={0.5}
          step={0.01}
          onChange={(delay) => set({ delay }, 'smoothing')}
        />
        <OptionFold
          table={PUPPET}
          folded={TUNING}
          title="Tuning"
          values={choices.more}
          chosen={{}}
          onChange={(more, option) => set({ more }, option)}
        />
        <Slider
          label="Travel"
          title="How far the character goes when the performer does; 0 stays on the spot"
          value={choices.travel}
          min={0}
          max={2}
          step={0.1}
          onChange={(travel) => set({ travel }, 'travel')}
        />
        <OptionFold
          table={PUPPET}
          folded={FOLDED}
          values={choices.more}
          chosen={{}}
          onChange={(more, option) => set({ more }, option)}
        />
      </div>
      {camera && choices.take && <TakeTrim take={choices.take} />}
      {task && base?.jointed ? (
        <button type="button" class="button wide" onClick={() => bench.cancel()}>
          Cancel · {task.stage}
        </button>
      ) : (
        (!camera || choices.take) && (
          <button
            type="button"
            class={`button wide ${live.value ? '' : 'primary'}`}
            disabled={!base?.jointed || !ready}
            onClick={() => {
              live.value = false;
              pairing.value = false;
              void perform(bench);
            }}
          >
            {camera ? 'Perform the take' : shown ? 'Perform again' : 'Perform'}
          </button>
        )
      )}
      {shown && !live.value && !pairing.value && <Playing key={shown.id} performance={shown} />}
    </>
  );
}

interface FileRowProps {
  readonly label: string;
  readonly title: string;
  readonly file: ExtraFile | undefined;
  readonly choose: () => void;
  readonly remove?: () => void;
}

function FileRow({ label, title, file, choose, remove }: FileRowProps) {
  return (
    <div class="field" title={title}>
      <span class="label">{label}</span>
      <button type="button" class="button" onClick={choose} aria-label={`Choose ${label.toLowerCase()}`}>
        {file?.name ?? 'Choose …'}
      </button>
      {file && remove && (
        <button type="button" class="quiet" aria-label={`Use no ${label.toLowerCase()}`} onClick={remove}>
          ×
        </button>
      )}
    </div>
  );
}

/** The performance in the viewport, with its file and its command. */
function Playing({ performance }: { readonly performance: Performance }) {
  const { bench, document, view, viewport, performer } = useStudio();
  const { store, library } = bench;
  const shown = viewport.value;
  const frame = view.frame.value;
  const figure = useSignal<ReturnType<typeof followMotion> | undefined>(undefined);
  useEffect(() => {
    let closed = false;
    const start = async () => {
      const motion = await motionOf(bench, document.puppet.value);
      const data = motion && (await ask({ type: 'puppet', files: { character: undefined, pairs: undefined, motion } }));
      if (!closed && data?.motion) figure.value = followMotion(data.motion);
    };
    // The figure is an aid: without it the performance plays all the same.
    start().catch(() => {});
    return () => {
      closed = true;
      performer.value = undefined;
    };
  }, []);
  const follow = figure.value;
  useEffect(() => {
    if (follow) performer.value = follow(frame / (store.state.session.clip?.fps ?? 30));
  }, [follow, frame]);
  const [file] = library.get(performance.id)?.files ?? [];
  useEffect(() => {
    let closed = false;
    let close = () => {};
    const start = async () => {
      if (!shown || !file) return;
      const { ClipGuest } = await import('../viewport/clip-guest.ts');
      const guest = await ClipGuest.open(shown, await file.blob.arrayBuffer());
      if (closed) return guest.dispose();
      close = () => guest.dispose();
      const { frames, fps } = guest;
      const { weights } = library.get(performance.id) ?? {};
      store.setSession({ clip: { frames, fps }, weights: weights && overFrames(weights, frames, fps) });
      store.setView({ frame: 0, playing: true });
    };
    store.setSession({ hands: true });
    start().catch((error: Error) => store.setSession({ notice: { kind: 'error', text: error.message } }));
    return () => {
      closed = true;
      close();
      store.setSession({ hands: false, clip: undefined, weights: undefined });
      store.setView({ frame: 0 });
    };
  }, [shown, file, store]);
  if (!file) return null;
  const { inputs, options } = performance;
  return (
    <section class="group" aria-label="Performance">
      <button type="button" class="button wide" onClick={() => download(file.blob, file.path)}>
        Save GLB · {kilobytes(performance.bytes)}
      </button>
      <button
        type="button"
        class="button wide"
        title="The performance becomes the motion of a clip in Volume, with keys over it"
        onClick={() => {
          const { clip } = store.state.session;
          const base = { kind: 'file', id: performance.id, name: 'the performance' } as const;
          store.edit('Animate over the performance', (now) =>
            withNewClip(now, { name: 'Performance', base, ...(clip && { frames: clip.frames, fps: clip.fps }) }),
          );
          store.amend({ mode: 'volume' });
        }}
      >
        Animate over it
      </button>
      {performance.quality && <QualityTable quality={performance.quality} />}
      <p class="dim small">The same bytes from a terminal:</p>
      <pre class="command">{commandLine({ command: 'puppet', inputs, output: file.path, options })}</pre>
    </section>
  );
}

/** Weights at every frame of a clip. */
function overFrames({ pairs, parts, times, values }: PairWeights, frames: number, fps: number): ShownWeights {
  const out = new Float32Array(frames * parts.length * pairs.length);
  const moments = Float64Array.from(times);
  for (let t = 0; t < frames; t++) {
    out.set(values[frameNearest(moments, t / fps)].flat(), t * parts.length * pairs.length);
  }
  return { pairs, parts, values: out };
}
