/** How a body is filled and solved: options of `pelt volume`, examples of its shape, and all ways beside each other. */
import { VOLUME } from '@pelt/jobs/tables';
import { VOLUME_DEFORMER_DEFAULTS, type VolumeDeformerOptions } from '@pelt/skin/volume/options';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { VolumeChoices } from '../store/document.ts';
import { effectiveOptions, foldedOptions, type MoreOptions } from '../store/more-options.ts';
import type { JointGuest } from '../viewport/joint-guest.ts';
import { Field, Toggle } from './controls.tsx';
import { OptionFold } from './option-fold.tsx';
import { useStudio } from './studio.ts';
import { chooseFiles } from './take-files.ts';

const FOLDED = foldedOptions(VOLUME, ['at', 'step', 'name'], ['method']);

export function SolidOptions() {
  const { bench, document } = useStudio();
  const { store, library } = bench;
  const { more, examples, at } = document.volume.value;
  const set = (change: Partial<VolumeChoices>, label: string) =>
    store.edit(
      `Change ${label}`,
      (now) => ({ ...now, volume: { ...now.volume, ...change } }),
      `volume option ${label}`,
    );
  const addExamples = () =>
    chooseFiles((files) => {
      const added = files.map((file) => {
        const id = library.newId('file');
        library.set(id, { files: [file] });
        return { id, name: file.path };
      });
      set({ examples: added }, 'examples');
    });
  return (
    <section class="group" aria-label="Solid">
      <div
        class="field"
        title="Sculpts of the body in frames of its clip, which PC2 and the baked solid then go through"
      >
        <span class="label">Examples</span>
        <button type="button" class="button" onClick={addExamples}>
          {examples.length === 0 ? 'Choose …' : examples.length === 1 ? examples[0].name : `${examples.length} files`}
        </button>
        {examples.length > 0 && (
          <button
            type="button"
            class="quiet"
            aria-label="Use no examples"
            onClick={() => set({ examples: [] }, 'examples')}
          >
            ×
          </button>
        )}
      </div>
      {examples.length > 0 && (
        <Field label="In frames" title="The frames of the clip that the examples are of, from 1">
          <input
            type="text"
            placeholder="1,12,24"
            value={at}
            onChange={(event) => set({ at: event.currentTarget.value }, 'frames of examples')}
          />
        </Field>
      )}
      <OptionFold
        table={VOLUME}
        folded={FOLDED}
        values={more}
        chosen={{}}
        onChange={(next, option) => set({ more: next }, option)}
      />
    </section>
  );
}

/** Those of the options that the solver takes, which work at once. */
export function solverOptions(more: MoreOptions): Partial<VolumeDeformerOptions> {
  const own = Object.entries(effectiveOptions(VOLUME, more, {}));
  return Object.fromEntries(own.filter(([name]) => name in VOLUME_DEFORMER_DEFAULTS));
}

interface BesideProps {
  readonly guest: JointGuest;
  readonly names: readonly (readonly [string, string, string?])[];
}

/** All ways to deform in one pose. */
export function Beside({ guest, names }: BesideProps) {
  const { bench } = useStudio();
  const { store } = bench;
  const on = useSignal(false);
  useEffect(() => {
    guest.beside = on.value;
    const views = guest.views?.map((name) => names.find(([key]) => key === name)?.[1] ?? name);
    store.setSession({ views });
    return () => store.setSession({ views: undefined });
  }, [guest, on.value, store]);
  return (
    <Toggle
      label="Side by side"
      title="All ways to deform in the same pose"
      value={on.value}
      onChange={(value) => {
        on.value = value;
      }}
    />
  );
}
