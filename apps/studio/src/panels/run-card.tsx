import type { RunCommand } from '../store/document.ts';
import type { Task } from '../store/session.ts';
import { error, percent, seconds } from './amounts.ts';
import { Chart } from './chart.tsx';
import { useStudio } from './studio.ts';

const LEARNS_FROM_MOTION: ReadonlySet<RunCommand> = new Set(['fit', 'skeleton']);

interface RunButtonProps {
  readonly command: RunCommand;
  readonly verb: string;
  readonly disabled?: boolean;
}

/** The one next action; while it works, Cancel stands in its place. */
export function RunButton({ command, verb, disabled = false }: RunButtonProps) {
  const { bench, document, session } = useStudio();
  if (session.task.value) {
    return (
      <button type="button" class="button wide" onClick={() => bench.cancel()}>
        Cancel
      </button>
    );
  }
  const input = document.input.value;
  const again = document.runs.value.some((run) => run.command === command);
  const still = LEARNS_FROM_MOTION.has(command) && input !== undefined && input.frames < 2;
  return (
    <>
      {still && (
        <p class="dim">
          One pose shows no motion to learn from: open more frames of this mesh, or place a skeleton in it under Volume.
        </p>
      )}
      <button
        type="button"
        class="button primary wide"
        disabled={disabled || still || !input}
        onClick={() => void bench.run(command)}
      >
        {again ? `${verb} again` : verb}
      </button>
    </>
  );
}

interface FirstStepProps extends Omit<RunButtonProps, 'disabled'> {
  readonly text: string;
}

/** What has to be done before this mode can do anything, to be done here. */
export function FirstStep({ text, ...button }: FirstStepProps) {
  return (
    <>
      <p class="dim">{text}</p>
      <RunButton {...button} />
      <RunCard />
    </>
  );
}

/** How the work goes, or how it went. */
export function RunCard() {
  const { document, session } = useStudio();
  const task = session.task.value;
  if (task) return <Working task={task} />;
  const run = document.runs.value.find(({ id }) => id === document.shown.value);
  if (!run) return null;
  const { median, p95 } = run.spread;
  return (
    <section class="card group" aria-label="Result">
      {run.curve.length > 1 && (
        <>
          <div class="row dim small">
            <span>Error over {run.curve.length} rounds</span>
            <span>{seconds(run.seconds)}</span>
          </div>
          <Curve curve={run.curve} />
        </>
      )}
      <div class="row">
        <span>
          <span class="figure">{error(run.eRms)}</span>
          <br />
          <abbr class="dim small" title="Root mean square error in thousandths of the model's radius">
            E_RMS
          </abbr>
        </span>
        <span class="dim small" title="Distances of vertices, in parts of the diagonal of the model">
          median {percent(median)}
          <br />
          p95 {percent(p95)}
        </span>
      </div>
    </section>
  );
}

function Working({ task }: { readonly task: Task }) {
  const { stage, fraction, curve, left, seconds: spent } = task;
  const last = curve.at(-1);
  return (
    <section class="card group" aria-label="Progress">
      <div class="row dim small">
        <span>{stage}</span>
        <span>{left === undefined ? seconds(spent) : `${seconds(left)} left`}</span>
      </div>
      <div
        class="bar"
        role="progressbar"
        aria-label={stage}
        aria-valuenow={Math.round(100 * fraction)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <div style={{ width: `${100 * fraction}%` }} />
      </div>
      {curve.length > 1 && <Curve curve={curve} />}
      {last !== undefined && (
        <div class="row">
          <span class="figure">{error(last)}</span>
          <span class="dim small">E_RMS after {curve.length} rounds</span>
        </div>
      )}
    </section>
  );
}

function Curve({ curve }: { readonly curve: readonly number[] }) {
  return (
    <Chart
      label={`Error per round, from ${error(curve[0])} to ${error(curve[curve.length - 1])}`}
      x={curve.map((_, k) => k + 1)}
      y={curve}
      height={64}
      kind="line"
    />
  );
}
