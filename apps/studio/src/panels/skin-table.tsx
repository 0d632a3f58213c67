import type { FinishedRun } from '../store/document.ts';
import { error } from './amounts.ts';
import { useStudio } from './studio.ts';

/** Plain skinning and all skins that were learnt over it, on frames that trained and on those that were left out. */
export function SkinTable({ base }: { readonly base: FinishedRun }) {
  const { bench, document } = useStudio();
  const learnt = document.runs.value.filter(({ command, from }) => command === 'envelope' && from === base.id);
  const last = learnt.at(-1);
  if (!last) return null;
  const count = base.frameErrors.length;
  const rows = [{ run: base, title: 'plain skinning', train: trainOf(last, count) }].concat(
    learnt.map((run) => ({ run, title: run.title, train: trainOf(run, count) })),
  );
  const best = Math.min(...rows.map(({ run, train }) => rmsOver(run.frameErrors, train, false)));
  return (
    <section class="card" aria-label="Comparison">
      <table class="sizes">
        <thead>
          <tr>
            <th scope="col">
              <abbr class="dim small" title="Root mean square error in thousandths of the model's radius">
                E_RMS
              </abbr>
            </th>
            <th scope="col">trained</th>
            <th scope="col">left out</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ run, title, train }) => {
            const leftOut = rmsOver(run.frameErrors, train, false);
            return (
              <tr key={run.id}>
                <th scope="row">
                  <button
                    type="button"
                    class="quiet"
                    onClick={() => bench.store.edit('Show another run', (now) => ({ ...now, shown: run.id }))}
                  >
                    {title}
                  </button>
                </th>
                <td>{shown(rmsOver(run.frameErrors, train, true))}</td>
                <td>{leftOut === best ? <strong>{shown(leftOut)}</strong> : shown(leftOut)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function shown(value: number): string {
  return Number.isNaN(value) ? '–' : error(value);
}

/** Frames that trained, from 0. */
function trainOf({ options }: FinishedRun, count: number): ReadonlySet<number> {
  const train = options?.train as readonly number[] | undefined;
  return new Set(train ? train.map((frame) => frame - 1) : Array.from({ length: count }, (_, t) => t));
}

/** Root mean square over frames that are in a set, or over those that are not; NaN where there are none. */
function rmsOver(errors: readonly number[], frames: ReadonlySet<number>, inside: boolean): number {
  const wanted = errors.filter((_, t) => frames.has(t) === inside);
  return Math.sqrt(wanted.reduce((sum, e) => sum + e * e, 0) / wanted.length);
}
