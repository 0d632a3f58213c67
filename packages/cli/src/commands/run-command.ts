/** From a parsed command line to an exit code: runs the job, shows how it goes, prints how it went. */
import { printable, printableJson } from '../terminal/printable.ts';
import { ProgressLine } from '../terminal/progress-line.ts';
import type { JobName, Jobs, Report } from '../thread/protocol.ts';
import { runJob } from '../thread/run-job.ts';
import type { CommonOptions } from './common-options.ts';

/**
 * @param summary  the lines that a person wants to see of the report; the last one says what came out
 * @returns the exit code
 */
export async function runCommand<Name extends JobName>(
  name: Name,
  request: Jobs[Name]['request'],
  { json, report: reportFile, quiet, debug }: CommonOptions,
  summary: (report: Report<Name>) => readonly string[],
): Promise<number> {
  const progress = new ProgressLine(process.stderr, () => performance.now());
  const end = await runJob(name, request, reportFile, {
    progress: (state) => {
      if (!quiet) progress.show(state);
    },
    warning: (message) => {
      if (quiet) return;
      progress.clear();
      process.stderr.write(`warning: ${printable(message)}\n`);
    },
  });
  progress.clear();
  if ('error' in end) {
    const { message, exitCode, stack } = end.error;
    process.stderr.write(`error: ${printable(message)}\n`);
    if (debug) process.stderr.write(`${stack.split('\n').map(printable).join('\n')}\n`);
    return exitCode;
  }
  if (json) process.stdout.write(`${printableJson(end.report)}\n`);
  else if (!quiet) for (const line of summary(end.report)) process.stdout.write(`${printable(line)}\n`);
  return 0;
}
