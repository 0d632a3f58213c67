import { REDUCE } from '@pelt/jobs/tables';
import type { FinishedRun, ReduceChoices } from '../store/document.ts';
import { foldedOptions } from '../store/more-options.ts';
import { error, kilobytes } from './amounts.ts';
import { Segments, Slider } from './controls.tsx';
import { OptionFold } from './option-fold.tsx';
import { FirstStep, RunButton, RunCard } from './run-card.tsx';
import { Runs } from './runs.tsx';
import { useStudio } from './studio.ts';

const SHOWN = ['weights', 'bones', 'virtual', 'budget', 'compress', 'lods', 'textures', 'target'];
const FOLDED = foldedOptions(REDUCE, SHOWN, ['method']);
/** The other ways have a method of their own. */
const FOLDED_FIXED = foldedOptions(REDUCE, [...SHOWN, 'method'], []);

/** Fewer weights, virtual bones or a budget of kilobytes, judged on the surface. */
export function ReducePanel() {
  const studio = useStudio();
  const { bench, document } = studio;
  const choices = document.reduce.value;
  const set = (change: Partial<ReduceChoices>, label: string) =>
    bench.store.edit(`Change ${label}`, (now) => ({ ...now, reduce: { ...now.reduce, ...change } }), `reduce ${label}`);
  const runs = document.runs.value;
  const shown = runs.find(({ id }) => id === document.shown.value);
  const base = studio.base.value;
  return (
    <>
      <div class="heading">
        <h2>Reduce</h2>
        <span class="dim small">{base ? `starts from ${base.title}` : ''}</span>
      </div>
      {!base && <FirstStep command="fit" verb="Fit bones now" text="A reduction starts from a rig." />}
      <div class="group">
        <Segments
          label="By"
          value={choices.method}
          choices={[
            ['weights', 'weights', 'Fewer weights per vertex, or fewer bones'],
            ['two-layer', 'layers', 'Virtual bones between bones and vertices: two blends per vertex'],
            ['budget', 'size', 'The least error within so many kilobytes'],
          ]}
          onChange={(method) => set({ method }, 'method')}
        />
        {choices.method === 'weights' && (
          <>
            <Slider
              label="Weights per vertex"
              value={choices.weights}
              min={1}
              max={8}
              onChange={(weights) => set({ weights: Math.round(weights) }, 'weights')}
            />
            <Slider
              label="Most bones"
              title="0 keeps all of them"
              value={choices.bones}
              min={0}
              max={Math.max(base?.bones ?? 1, choices.bones)}
              onChange={(bones) => set({ bones: Math.round(bones) }, 'bones')}
            />
          </>
        )}
        {choices.method === 'two-layer' && (
          <Slider
            label="Virtual bones"
            title="0: so many that a vertex costs four blends"
            value={choices.virtual}
            min={0}
            max={400}
            onChange={(virtual) => set({ virtual: Math.round(virtual) }, 'virtual bones')}
          />
        )}
        {choices.method === 'budget' ? (
          <Slider
            label="Kilobytes"
            value={choices.budget}
            min={5}
            max={Math.max(20, Math.ceil((base?.bytes ?? 2e5) / 1000))}
            onChange={(budget) => set({ budget }, 'budget')}
          />
        ) : (
          <Segments
            label="Compression"
            title="Meshopt packs the file; most engines and three.js read it"
            value={choices.compress}
            choices={[
              ['none', 'none'],
              ['meshopt', 'Meshopt'],
            ]}
            onChange={(compress) => set({ compress }, 'compression')}
          />
        )}
        <OptionFold
          table={REDUCE}
          folded={choices.method === 'weights' ? FOLDED : FOLDED_FIXED}
          values={choices.more}
          chosen={{ method: choices.method === 'two-layer' ? 'two-layer' : 'refit' }}
          onChange={(more, option) => set({ more }, option)}
        />
      </div>
      {base && <RunButton command="reduce" verb="Reduce" />}
      {shown?.command === 'reduce' && base && <BeforeAfter before={base} after={shown} />}
      {base && <RunCard />}
      <Runs />
    </>
  );
}

const PARTS = [
  ['geometry', 'Geometry'],
  ['animation', 'Animation'],
  ['json', 'JSON'],
] as const;

/** Both files by part, and what each of them shows. */
function BeforeAfter({ before, after }: { readonly before: FinishedRun; readonly after: FinishedRun }) {
  return (
    <section class="card" aria-label="Before and after">
      <table class="sizes">
        <thead>
          <tr>
            <th scope="col">
              <span class="dim small">File</span>
            </th>
            <th scope="col">before</th>
            <th scope="col">after</th>
          </tr>
        </thead>
        <tbody>
          {PARTS.map(([key, name]) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td>{kilobytes(before.parts[key])}</td>
              <td>{kilobytes(after.parts[key])}</td>
            </tr>
          ))}
          <tr class="sum">
            <th scope="row">All</th>
            <td>{kilobytes(before.bytes)}</td>
            <td>{kilobytes(after.bytes)}</td>
          </tr>
          <tr>
            <th scope="row">E_RMS</th>
            <td>{error(before.eRms)}</td>
            <td>{error(after.eRms)}</td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}
