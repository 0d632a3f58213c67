import { ENVELOPE } from '@pelt/jobs/tables';
import { useSignal } from '@preact/signals';
import { type FinishedRun, type SkinChoices, trainingFrames } from '../store/document.ts';
import { foldedOptions } from '../store/more-options.ts';
import { Choice, Slider } from './controls.tsx';
import { JointHands } from './joint-hands.tsx';
import { JointSwing } from './joint-swing.tsx';
import { OptionFold } from './option-fold.tsx';
import { FirstStep, RunButton, RunCard } from './run-card.tsx';
import { Runs } from './runs.tsx';
import { SkinTable } from './skin-table.tsx';
import { useStudio } from './studio.ts';

/** What is compared on the poses left out, beside plain skinning. */
const RIVALS = ['mohr-gleicher', 'psd', 'linear-maps'] as const;

const FOLDED = foldedOptions(ENVELOPE, ['predictor', 'train', 'proxies', 'teacher', 'drive', 'suggest'], ['reduce']);

/** Skin that depends on the pose, learnt from some frames and tried on the others. */
export function SkinPanel() {
  const { bench, document, view, session, base: starting } = useStudio();
  const { store, library } = bench;
  const trying = useSignal(false);
  const choices = document.skin.value;
  const set = (change: Partial<SkinChoices>, label: string) =>
    store.edit(`Change ${label}`, (now) => ({ ...now, skin: { ...now.skin, ...change } }), `skin ${label}`);
  const base = starting.value;
  const shown = document.runs.value.find(({ id }) => id === document.shown.value);
  const input = document.input.value;
  const frames = input?.frames ?? 0;
  const training = trainingFrames(choices, frames);
  const frame = view.frame.value;
  const trains = training.includes(frame);
  const toggleFrame = () => {
    const next = trains ? training.filter((t) => t !== frame) : [...training, frame].sort((a, b) => a - b);
    set({ frames: next }, 'training frames');
  };
  const compareAll = async () => {
    // Those that are learnt already are only shown.
    for (const predictor of RIVALS) if (!(await bench.run('envelope', { predictor }))) return;
  };
  const bytesOf = async (run: FinishedRun) => {
    const [file] = library.get(run.id)?.files ?? [];
    if (!file) throw new Error('the file of this run is gone; run it again');
    return file.blob.arrayBuffer();
  };
  if (trying.value && base) {
    const learnt = shown?.command === 'envelope' ? shown : undefined;
    return (
      <>
        <div class="heading">
          <h2>Beyond the examples</h2>
        </div>
        <JointHands
          key={shown?.id}
          names={[
            ...(learnt ? [['learnt', learnt.title] as const] : []),
            ['plain', 'plain skinning', 'Linear blending of the same joints'] as const,
          ]}
          manners={async () => [
            ...(learnt ? [{ name: 'learnt', bytes: await bytesOf(learnt) }] : []),
            { name: 'plain', bytes: await bytesOf(base) },
          ]}
          more={({ guest }) => <JointSwing guest={guest} />}
          onClose={() => {
            trying.value = false;
          }}
        />
      </>
    );
  }
  return (
    <>
      <div class="heading">
        <h2>Learn the skin</h2>
        <span class="dim small">{base ? `over ${base.title}` : ''}</span>
      </div>
      {!base && <FirstStep command="skeleton" verb="Find the skeleton now" text="The skin follows joints." />}
      <div class="group">
        <Choice
          label="Learn"
          title="The learnt skin, or one of the methods it is compared with"
          value={choices.predictor}
          choices={[
            ['linear-maps', 'learnt skin'],
            ['psd', 'pose space deformation'],
            ['mohr-gleicher', 'added joints'],
            ['ssd', 'refitted weights'],
            ['wang', 'Wang et al., as published'],
          ]}
          onChange={(predictor) => set({ predictor }, 'method')}
        />
        <Slider
          label="Every n-th frame trains"
          title="The other frames are left out, and show how well it guesses"
          value={choices.every}
          min={1}
          max={12}
          onChange={(every) => set({ every: Math.max(1, Math.round(every)), frames: undefined }, 'training frames')}
        />
        {(choices.predictor === 'linear-maps' || choices.predictor === 'wang') && (
          <Slider
            label="Proxy bones"
            title="Bones that carry the learnt motion; more are closer and cost more. 0 takes three per bone"
            value={choices.proxies}
            min={0}
            max={200}
            onChange={(proxies) => set({ proxies: Math.max(0, Math.round(proxies)) }, 'proxy bones')}
          />
        )}
        <OptionFold
          table={ENVELOPE}
          folded={FOLDED}
          values={choices.more}
          chosen={choices}
          onChange={(more, option) => set({ more }, option)}
        />
        <div class="row">
          <span class="dim small">
            {training.length} frames train, {frames - training.length} test
          </span>
          <button
            type="button"
            class="button small"
            aria-pressed={trains}
            title="Choose examples one by one: the frame under the playhead"
            onClick={toggleFrame}
          >
            {trains ? `Leave out frame ${frame + 1}` : `Train on frame ${frame + 1}`}
          </button>
        </div>
      </div>
      {base && <RunButton command="envelope" verb="Learn" />}
      {base && (
        <button
          type="button"
          class="button wide"
          onClick={() => {
            trying.value = true;
          }}
        >
          Turn joints
        </button>
      )}
      {base && !session.task.value && (
        <button type="button" class="button wide" disabled={training.length === 0} onClick={() => void compareAll()}>
          Compare all methods
        </button>
      )}
      {base && <SkinTable base={base} />}
      {shown?.command === 'envelope' && <Held run={shown} />}
      {base && <RunCard />}
      <Runs />
    </>
  );
}

interface EnvelopeErrors {
  readonly training?: { readonly frames: number; readonly error: { readonly error: number } };
  readonly heldOut?: { readonly frames: number; readonly error: { readonly error: number } };
}

/** The enveloping error on frames that trained and on those that did not. */
function Held({ run }: { readonly run: FinishedRun }) {
  const { training, heldOut } = run.report as EnvelopeErrors;
  if (!training) return null;
  return (
    <section class="card" aria-label="Enveloping error">
      <div class="row" title="What is left of what the best single bone per vertex misses">
        <span class="dim">Enveloping error, trained</span>
        <span>{training.error.error.toFixed(1)} %</span>
      </div>
      {heldOut && (
        <div class="row">
          <span class="dim">{heldOut.frames} frames left out</span>
          <span>{heldOut.error.error.toFixed(1)} %</span>
        </div>
      )}
    </section>
  );
}
