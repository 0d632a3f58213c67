import { SKELETON } from '@pelt/jobs/tables';
import type { SkeletonChoices } from '../store/document.ts';
import { foldedOptions } from '../store/more-options.ts';
import { Segments, Toggle } from './controls.tsx';
import { OptionFold } from './option-fold.tsx';
import { OptionChoice, OptionSlider, titleOf } from './option-form.tsx';
import { RunButton, RunCard } from './run-card.tsx';
import { Runs } from './runs.tsx';
import { useStudio } from './studio.ts';

const FOLDED = foldedOptions(SKELETON, ['method', 'bones', 'weights', 'symmetry', 'lock'], ['patches', 'clusters']);

/** The same with joints and a hierarchy. */
export function SkeletonPanel() {
  const { bench, document } = useStudio();
  const choices = document.skeleton.value;
  const set = (change: Partial<SkeletonChoices>, label: string) =>
    bench.store.edit(
      `Change ${label}`,
      (now) => ({ ...now, skeleton: { ...now.skeleton, ...change } }),
      `skeleton ${label}`,
    );
  return (
    <>
      <div class="heading">
        <h2>Find the skeleton</h2>
      </div>
      <div class="group">
        <OptionChoice
          table={SKELETON}
          option="method"
          label="Method"
          value={choices.method}
          onChange={(method) => set({ method }, 'method')}
        />
        <Toggle
          label="As many bones as are worth it"
          title="A bone that lowers the error too little is left out"
          value={choices.bones === 0}
          onChange={(free) => set({ bones: free ? 0 : 16 }, 'bones')}
        />
        {choices.bones > 0 && (
          <OptionSlider
            table={SKELETON}
            option="bones"
            label="At most"
            value={choices.bones}
            onChange={(bones) => set({ bones: Math.max(1, Math.round(bones)) }, 'bones')}
          />
        )}
        <Segments
          label="Weights per vertex"
          title={titleOf(SKELETON.options.weights.help)}
          value={choices.weights}
          choices={[
            [1, '1'],
            [2, '2'],
            [4, '4'],
            [8, '8'],
          ]}
          onChange={(weights) => set({ weights }, 'weights')}
        />
        <Toggle
          label="Mirrored pairs"
          title={titleOf(SKELETON.options.symmetry.help)}
          value={choices.symmetry}
          onChange={(symmetry) => set({ symmetry }, 'symmetry')}
        />
        <OptionFold
          table={SKELETON}
          folded={FOLDED}
          values={choices.more}
          chosen={choices}
          onChange={(more, option) => set({ more }, option)}
        />
      </div>
      <RunButton command="skeleton" verb="Find skeleton" />
      <RunCard />
      <Runs />
    </>
  );
}
