/** From a request to an exit code: runs the job, shows how it goes, prints how it went. */
import type { CommandName } from '@pelt/jobs/commands';
import type { ShellOptions } from './define-command.ts';
import { exceededLimits, LIMIT_EXIT_CODE } from './exceeded-limits.ts';
import { printable, printableJson } from './terminal/printable.ts';
import { ProgressLine } from './terminal/progress-line.ts';

/**
 * @param writes  whether the command writes files of its own
 * @returns the exit code
 */
export async function runCommand(
  name: CommandName,
  request: unknown,
  options: ShellOptions,
  writes: boolean,
): Promise<number> {
  const { json, report: reportFile, quiet, debug, threads, memory, maxTime } = options;
  const progress = new ProgressLine(process.stderr, () => performance.now());
  const run =
    writes || reportFile !== undefined || maxTime !== undefined
      ? (await import('./thread/run-in-worker.ts')).runInWorker
      : (await import('./thread/run-here.ts')).runHere;
  const end = await run(
    { request, threads, memory, reportFile, maxTime },
    {
      progress: (state) => {
        if (!quiet) progress.show(state);
      },
      warning: (message) => {
        if (quiet) return;
        progress.clear();
        process.stderr.write(`warning: ${printable(message)}\n`);
      },
    },
  );
  progress.clear();
  if ('error' in end) {
    const { message, exitCode, stack } = end.error;
    process.stderr.write(`error: ${printable(message)}\n`);
    if (debug) process.stderr.write(`${stack.split('\n').map(printable).join('\n')}\n`);
    return exitCode;
  }
  if (json) process.stdout.write(`${printableJson(end.report)}\n`);
  else if (!quiet) {
    // Loaded only now: a run that fails, or that a program reads, needs none of it.
    const { SUMMARIES } = await import('./summaries/summaries.ts');
    for (const line of SUMMARIES[name](end.report as never)) process.stdout.write(`${printable(line)}\n`);
  }
  const exceeded = exceededLimits(end.report);
  if (exceeded === undefined) return 0;
  process.stderr.write(`error: ${printable(exceeded)}\n`);
  return LIMIT_EXIT_CODE;
}
