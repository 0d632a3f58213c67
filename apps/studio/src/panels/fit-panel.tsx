import { FIT } from '@pelt/jobs/tables';
import type { FitChoices } from '../store/document.ts';
import { foldedOptions, hasEffect } from '../store/more-options.ts';
import { Field, Segments } from './controls.tsx';
import { OptionFold } from './option-fold.tsx';
import { OptionChoice, OptionSegments, OptionSlider, titleOf } from './option-form.tsx';
import { RunButton, RunCard } from './run-card.tsx';
import { Runs } from './runs.tsx';
import { useStudio } from './studio.ts';

/** Whether a method can be given an error to reach. */
const searchesBy = (method: FitChoices['method']) => hasEffect(FIT.options.maxError, { method });

const FOLDED = foldedOptions(
  FIT,
  ['method', 'bones', 'maxError', 'weights', 'smooth', 'restPose', 'lock', 'stage'],
  ['start', 'smaBones', 'bandwidth'],
);

/** Bones, weights and motion from the animation. */
export function FitPanel() {
  const { bench, document } = useStudio();
  const choices = document.fit.value;
  const set = (change: Partial<FitChoices>, label: string) =>
    bench.store.edit(`Change ${label}`, (now) => ({ ...now, fit: { ...now.fit, ...change } }), `fit ${label}`);
  const searches = searchesBy(choices.method);
  return (
    <>
      <div class="heading">
        <h2>Fit bones</h2>
        <OptionChoice
          table={FIT}
          option="method"
          label="Method"
          bare
          value={choices.method}
          onChange={(method) => set({ method, ...(!searchesBy(method) && { goal: 'bones' }) }, 'method')}
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
          <OptionSlider
            table={FIT}
            option="bones"
            label="Bones"
            value={choices.bones}
            onChange={(bones) => set({ bones: Math.round(bones) }, 'bones')}
          />
        ) : (
          <Field label="Error at most" title={titleOf(FIT.options.maxError.help)}>
            <input
              type="text"
              value={choices.maxError}
              onChange={(event) => set({ maxError: event.currentTarget.value }, 'error')}
            />
          </Field>
        )}
        <Segments
          label="Weights per vertex"
          title={titleOf(FIT.options.weights.help)}
          value={choices.weights}
          choices={[
            [1, '1'],
            [2, '2'],
            [4, '4'],
            [8, '8'],
          ]}
          onChange={(weights) => set({ weights }, 'weights')}
        />
        {hasEffect(FIT.options.smooth, choices) && (
          <OptionSlider
            table={FIT}
            option="smooth"
            label="Smooth weights"
            value={choices.smooth}
            onChange={(smooth) => set({ smooth }, 'smoothness')}
          />
        )}
        {hasEffect(FIT.options.restPose, choices) && (
          <OptionSegments
            table={FIT}
            option="restPose"
            label="Rest pose"
            value={choices.restPose}
            onChange={(restPose) => set({ restPose }, 'rest pose')}
          />
        )}
        <OptionFold
          table={FIT}
          folded={FOLDED}
          values={choices.more}
          chosen={choices}
          onChange={(more, option) => set({ more }, option)}
        />
      </div>
      <RunButton command="fit" verb="Fit" />
      <RunCard />
      <Runs />
    </>
  );
}
