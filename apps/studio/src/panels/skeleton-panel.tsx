import type { SkeletonChoices } from '../store/document.ts';
import { Choice, Segments, Slider, Toggle } from './controls.tsx';
import { RunButton, RunCard } from './run-card.tsx';
import { Runs } from './runs.tsx';
import { useStudio } from './studio.ts';

const MOST_BONES = 64;

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
        <Choice
          label="Method"
          title="Exact joints keeps the two bones of a joint together in every frame, at the lowest error; the others are published methods, for comparison"
          value={choices.method}
          choices={[
            ['strict', 'Exact joints'],
            ['le-deng', 'Le, Deng'],
            ['schaefer-yuksel', 'Schaefer, Yuksel'],
            ['de-aguiar', 'de Aguiar'],
            ['hasler', 'Hasler'],
          ]}
          onChange={(method) => set({ method }, 'method')}
        />
        <Toggle
          label="As many bones as are worth it"
          title="A bone that lowers the error too little is left out"
          value={choices.bones === 0}
          onChange={(free) => set({ bones: free ? 0 : 16 }, 'bones')}
        />
        {choices.bones > 0 && (
          <Slider
            label="At most"
            value={choices.bones}
            min={1}
            max={MOST_BONES}
            onChange={(bones) => set({ bones: Math.max(1, Math.round(bones)) }, 'bones')}
          />
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
        <Toggle
          label="Mirrored pairs"
          title="Names left and right bones in pairs; the rest pose must be symmetric"
          value={choices.symmetry}
          onChange={(symmetry) => set({ symmetry }, 'symmetry')}
        />
      </div>
      <RunButton command="skeleton" verb="Find skeleton" />
      <RunCard />
      <Runs />
    </>
  );
}
