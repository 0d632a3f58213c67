import { useEffect } from 'preact/hooks';
import type { ExtraFile, Performance, PuppetChoices } from '../store/document.ts';
import { commandLine } from '../store/requests.ts';
import { kilobytes } from './amounts.ts';
import { Field, Segments, Slider, Toggle } from './controls.tsx';
import { download } from './download.ts';
import { useStudio } from './studio.ts';
import { chooseFiles } from './take-files.ts';

/** A recorded performance on the character, learnt from pairs of poses. */
export function PuppetPanel() {
  const { bench, document, base: starting, session } = useStudio();
  const { store } = bench;
  const choices = document.puppet.value;
  const set = (change: Partial<PuppetChoices>, label: string) =>
    store.edit(`Change ${label}`, (now) => ({ ...now, puppet: { ...now.puppet, ...change } }), `puppet ${label}`);
  const base = starting.value;
  const task = session.task.value;
  const performance = document.performance.value;
  const shown = performance !== undefined && performance.character === base?.id ? performance : undefined;
  const choose = () => chooseFiles((files) => bench.givePuppet(files));
  return (
    <>
      <div class="heading">
        <h2>Puppet</h2>
        <span class="dim small">{base ? base.title : ''}</span>
      </div>
      {!base?.jointed && <p class="dim">Open a rigged character, or find a skeleton first.</p>}
      <div class="group">
        <FileRow
          label="Motion"
          title="BVH, or a recording of a Kinect or of MediaPipe Pose"
          file={choices.motion}
          choose={choose}
        />
        <FileRow
          label="Pairs"
          title="Poses of the performer with those of the character that mean the same, as JSON; pelt puppet --suggest begins one"
          file={choices.pairs}
          choose={choose}
        />
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
        <Slider
          label="Travel"
          title="How far the character goes when the performer does; 0 stays on the spot"
          value={choices.travel}
          min={0}
          max={2}
          step={0.1}
          onChange={(travel) => set({ travel }, 'travel')}
        />
      </div>
      {task ? (
        <button type="button" class="button wide" onClick={() => bench.cancel()}>
          Cancel · {task.stage}
        </button>
      ) : (
        <button
          type="button"
          class="button primary wide"
          disabled={!base?.jointed || !choices.motion || !choices.pairs}
          onClick={() => void bench.perform()}
        >
          {shown ? 'Perform again' : 'Perform'}
        </button>
      )}
      {shown && <Playing key={shown.id} performance={shown} />}
    </>
  );
}

interface FileRowProps {
  readonly label: string;
  readonly title: string;
  readonly file: ExtraFile | undefined;
  readonly choose: () => void;
}

function FileRow({ label, title, file, choose }: FileRowProps) {
  return (
    <div class="field" title={title}>
      <span class="label">{label}</span>
      <button type="button" class="button" onClick={choose} aria-label={`Choose ${label.toLowerCase()}`}>
        {file?.name ?? 'Choose …'}
      </button>
    </div>
  );
}

/** The performance in the viewport, with its file and its command. */
function Playing({ performance }: { readonly performance: Performance }) {
  const { bench, viewport } = useStudio();
  const { store, library } = bench;
  const shown = viewport.value;
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
      store.setSession({ clip: { frames: guest.frames, fps: guest.fps } });
      store.setView({ frame: 0, playing: true });
    };
    store.setSession({ hands: true });
    start().catch((error: Error) => store.setSession({ notice: { kind: 'error', text: error.message } }));
    return () => {
      closed = true;
      close();
      store.setSession({ hands: false, clip: undefined });
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
      <p class="dim small">The same bytes from a terminal:</p>
      <pre class="command">{commandLine({ command: 'puppet', inputs, output: file.path, options })}</pre>
    </section>
  );
}
