/** A batch in the terminal: a line that moves, a table at the end, a page with pictures. */
import { readFileSync, writeFileSync } from 'node:fs';
import {
  type BatchJob,
  type BatchRun,
  countStates,
  hasSucceeded,
  type JobState,
  runBatch,
  summarise,
  summaryPage,
  thumbnail,
} from '@pelt/farm';
import { OutputError, PeltError } from '@pelt/model';
import { formatBytes, formatSeconds } from '../terminal/amounts.ts';
import { printable } from '../terminal/printable.ts';
import { alignColumns } from '../terminal/table.ts';

export interface ShowOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly page?: string;
  readonly title: string;
}

/** Rows of the table at the end; the page has all of them. */
const MOST_ROWS = 40;

/** @returns the exit code: 0, or that of the first job that failed */
export async function runAndShow(jobs: readonly BatchJob[], run: BatchRun, options: ShowOptions): Promise<number> {
  const states = new Map<string, JobState>();
  const started = performance.now();
  const live = !options.quiet && !options.json && process.stderr.isTTY;
  const onChange = (state: JobState) => {
    const before = states.get(state.id);
    states.set(state.id, state);
    if (options.json && before?.state !== state.state)
      process.stdout.write(`${JSON.stringify({ type: 'job', ...withoutReport(state) })}\n`);
    if (live) process.stderr.write(`\r\x1b[K${line(jobs.length, states, started)}`);
  };
  const ends = await runBatch(jobs, { ...run, onChange });
  if (live) process.stderr.write('\r\x1b[K');
  const rows = summarise(ends);
  if (options.json) process.stdout.write(`${JSON.stringify({ type: 'summary', counts: countStates(ends), rows })}\n`);
  else {
    for (const { id, message } of rows.filter((row) => row.state === 'failed'))
      process.stderr.write(`error: ${printable(id)}: ${printable(message ?? '')}\n`);
    if (!options.quiet) printSummary(rows, ends, (performance.now() - started) / 1000);
  }
  if (options.page) await writePage(options.page, ends, options.title);
  return (
    ends.find((end) => !hasSucceeded(end) && end.exitCode !== undefined)?.exitCode ?? (ends.every(hasSucceeded) ? 0 : 5)
  );
}

function withoutReport({ report, ...state }: JobState): object {
  return state;
}

/** `12 of 40 done, 2 running, 1 failed, 3 min left`. */
function line(total: number, states: ReadonlyMap<string, JobState>, started: number): string {
  const counts = countStates(states.values());
  const ended = counts.done + counts.cached + counts.failed + counts.skipped + counts.cancelled;
  const parts = [`${counts.done + counts.cached} of ${total} done`, `${counts.running} running`];
  if (counts.failed + counts.skipped > 0) parts.push(`${counts.failed + counts.skipped} failed`);
  // Those from the store take no time and tell nothing of the others.
  const computed = ended - counts.cached;
  let partly = 0;
  for (const { state, progress } of states.values()) if (state === 'running') partly += progress?.fraction ?? 0;
  const seconds = (performance.now() - started) / 1000;
  if (computed + partly > 0.5)
    parts.push(`${formatSeconds(((total - ended - partly) * seconds) / (computed + partly))} left`);
  return parts.join(', ');
}

function printSummary(rows: ReturnType<typeof summarise>, ends: readonly JobState[], seconds: number): void {
  const shown = rows
    .slice(0, MOST_ROWS)
    .map((row) => [
      row.id,
      row.state,
      row.error?.toPrecision(3) ?? '',
      row.bytes ? formatBytes(row.bytes) : '',
      row.seconds === undefined ? '' : formatSeconds(row.seconds),
      row.output ?? '',
    ]);
  for (const text of alignColumns([['job', 'state', 'E_RMS', 'size', 'time', 'output'], ...shown]))
    process.stdout.write(`${printable(text)}\n`);
  if (rows.length > MOST_ROWS) process.stdout.write(`and ${rows.length - MOST_ROWS} more; --page has all of them\n`);
  const counts = countStates(ends);
  process.stdout.write(
    `${counts.done} computed, ${counts.cached} from the store, ${counts.failed + counts.skipped + counts.cancelled} not done, ${formatSeconds(seconds)}\n`,
  );
}

async function writePage(file: string, ends: readonly JobState[], title: string): Promise<void> {
  const pictures = new Map<string, Uint8Array>();
  for (const { id, output, ...end } of ends) {
    const picture = output !== undefined && hasSucceeded(end) ? await pictureOf(output) : undefined;
    if (picture) pictures.set(id, picture);
  }
  try {
    writeFileSync(file, summaryPage(summarise(ends), pictures, title));
  } catch (error) {
    throw new OutputError(`cannot write '${file}': ${(error as Error).message}`, { cause: error });
  }
}

/** A result that cannot be drawn has no picture; that is no reason to fail. */
async function pictureOf(output: string): Promise<Uint8Array | undefined> {
  try {
    const { bakeSequence, readGltf, readObj } = await import('@pelt/io');
    const bytes = readFileSync(output);
    if (/\.gl(b|tf)$/i.test(output)) return thumbnail(bakeSequence(await readGltf(bytes)).rest);
    return /\.obj$/i.test(output) ? thumbnail(readObj(bytes)) : undefined;
  } catch (error) {
    // Whatever its format is, it is not one that can be drawn.
    if (!(error instanceof PeltError)) throw error;
    return undefined;
  }
}
