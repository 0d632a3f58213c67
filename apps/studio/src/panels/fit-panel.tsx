import type { FitChoices } from '../store/document.ts';
import { Choice, Field, Segments, Slider } from './controls.tsx';
import { RunButton, RunCard } from './run-card.tsx';
import { Runs } from './runs.tsx';
import { useStudio } from './studio.ts';

const MOST_BONES = 64;

/** Bones, weights and motion from the animation. */
export function FitPanel() {
  const { bench, document } = useStudio();
  const choices = document.fit.value;
  const set = (change: Partial<FitChoices>, label: string) =>
    bench.store.edit(`Change ${label}`, (now) => ({ ...now, fit: { ...now.fit, ...change } }), `fit ${label}`);
  const searches = choices.method === 'ssdr' || choices.method === 'affine';
  return (
    <>
      <div class="heading">
        <h2>Fit bones</h2>
        <Choice
          label="Method"
          bare
          title="How to fit: SSDR finds rigid bones, affine ones may stretch and shear; SMA and LSSP are for comparison"
          value={choices.method}
          choices={[
            ['ssdr', 'SSDR'],
            ['affine', 'Affine'],
            ['sma', 'SMA'],
            ['lssp', 'LSSP'],
          ]}
          onChange={(method) =>
            set({ method, ...(method !== 'ssdr' && method !== 'affine' && { goal: 'bones' }) }, 'method')
          }
        />
      </div>
      <div class="group">
        {searches && (
          <Segments
            label="Aim for"
            value={choices.goal}
            choices={[
              ['bones', 'bones', 'A number of bones'],
              ['error', 'an error', 'As few bones as reach an error'],
            ]}
            onChange={(goal) => set({ goal }, 'goal')}
          />
        )}
        {choices.goal === 'bones' ? (
          <Slider
            label="Bones"
            value={choices.bones}
            min={1}
            max={MOST_BONES}
            onChange={(bones) => set({ bones: Math.round(bones) }, 'bones')}
          />
        ) : (
          <Field label="Error at most" title="E_RMS in thousandths of the model's radius, or a length: 2mm">
            <input
              type="text"
              value={choices.maxError}
              onChange={(event) => set({ maxError: event.currentTarget.value }, 'error')}
            />
          </Field>
        )}
        <Segments
          label="Weights per vertex"
          title="How many bones may move one vertex; engines read 4 or 8"
          value={choices.weights}
          choices={[
            [1, '1'],
            [2, '2'],
            [4, '4'],
            [8, '8'],
          ]}
          onChange={(weights) => set({ weights }, 'weights')}
        />
        <Slider
          label="Smooth weights"
          title="Trades error for smooth weights: 0.1 is a little, 3 is much"
          value={choices.smooth}
          min={0}
          max={3}
          step={0.1}
          onChange={(smooth) => set({ smooth }, 'smoothness')}
        />
        <Segments
          label="Rest pose"
          title="Kept as it is; moved by no more than the error of the frames; or as far as it lowers the error"
          value={choices.restPose}
          choices={[
            ['keep', 'Keep'],
            ['near', 'Near'],
            ['free', 'Free'],
          ]}
          onChange={(restPose) => set({ restPose }, 'rest pose')}
        />
      </div>
      <RunButton command="fit" verb="Fit" />
      <RunCard />
      <Runs />
    </>
  );
}
