import type { FinishedRun, RunCommand } from '../store/document.ts';
import { error, kilobytes } from './amounts.ts';
import { Chart } from './chart.tsx';
import { useStudio } from './studio.ts';

/** All runs so far: one is shown, another may stand beside it instead of the original. */
export function Runs() {
  const { bench, document } = useStudio();
  const { store } = bench;
  const runs = document.runs.value;
  if (runs.length === 0) return null;
  const [shown, compared] = [document.shown.value, document.compared.value];
  const show = (id: string) =>
    store.edit('Show another run', (now) => ({
      ...now,
      shown: id,
      compared: now.compared === id ? undefined : now.compared,
    }));
  const compare = (id: string) =>
    store.edit('Compare runs', (now) => ({ ...now, compared: now.compared === id ? undefined : id }));
  const remove = (id: string) =>
    store.edit('Remove a run', (now) => {
      const left = now.runs.filter((run) => run.id !== id);
      return {
        ...now,
        runs: left,
        shown: now.shown === id ? left.at(-1)?.id : now.shown,
        compared: now.compared === id ? undefined : now.compared,
      };
    });
  return (
    <section class="group" aria-label="Runs">
      <div class="row dim">
        <h3>Runs</h3>
        <span class="small" title="Thousandths of the model's radius">
          E_RMS · size
        </span>
      </div>
      <ul class="runs">
        {runs.map((run) => (
          <li key={run.id} data-shown={run.id === shown} data-compared={run.id === compared}>
            <button type="button" class="pick" aria-pressed={run.id === shown} onClick={() => show(run.id)}>
              <span class="dot" />
              <span>{run.title}</span>
              <span>{error(run.eRms)}</span>
              <span class="size">{kilobytes(run.bytes)}</span>
            </button>
            {run.id !== shown && (
              <button
                type="button"
                class="quiet"
                aria-pressed={run.id === compared}
                title={run.id === compared ? 'Compare with the original again' : 'Compare with the run that is shown'}
                onClick={() => compare(run.id)}
              >
                {run.id === compared ? '✓ vs' : 'vs'}
              </button>
            )}
            <button type="button" class="quiet" aria-label={`Remove ${run.title}`} onClick={() => remove(run.id)}>
              ×
            </button>
          </li>
        ))}
      </ul>
      <ErrorAgainstBones runs={runs} command={document.mode.value === 'skeleton' ? 'skeleton' : 'fit'} onPick={show} />
    </section>
  );
}

interface PlotProps {
  readonly runs: readonly FinishedRun[];
  readonly command: RunCommand;
  readonly onPick: (id: string) => void;
}

/** From the runs so far; a point leads back to its run. */
function ErrorAgainstBones({ runs, command, onPick }: PlotProps) {
  const own = runs.filter((run) => run.command === command).toSorted((a, b) => a.bones - b.bones);
  if (new Set(own.map(({ bones }) => bones)).size < 2) return null;
  return (
    <div class="card">
      <p class="dim small">Error against bones; click a point to go back to it</p>
      <Chart
        label={`Error against bones of ${own.length} runs`}
        x={own.map(({ bones }) => bones)}
        y={own.map(({ eRms }) => eRms)}
        height={110}
        kind="points"
        axes
        onPick={(k) => onPick(own[k].id)}
      />
    </div>
  );
}
