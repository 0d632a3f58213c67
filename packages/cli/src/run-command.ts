/** From a request to an exit code: runs the job, shows how it goes, prints how it went. */
import type { CommandName } from '@pelt/jobs/commands';
import type { ShellOptions } from './define-command.ts';
import { exceededLimits, LIMIT_EXIT_CODE } from './exceeded-limits.ts';
import { hasPipes, PIPE } from './shell/pipes.ts';
import { reportFailure } from './shell/report-failure.ts';
import { printable, printableJson } from './terminal/printable.ts';
import { ProgressLine } from './terminal/progress-line.ts';
import type { JobEnd } from './thread/run-in-worker.ts';

/** A request before it is checked: what is needed of it to find its files. */
export interface ShellRequest {
  readonly command: CommandName;
  readonly inputs: readonly string[];
  readonly output?: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Commands that take a folder or a pattern as output, with a job for each input. */
const FOR_MANY: readonly CommandName[] = ['reduce', 'convert'];

/**
 * @param writes  whether the command writes files of its own
 * @returns the exit code
 */
export async function runCommand(request: ShellRequest, options: ShellOptions, writes: boolean): Promise<number> {
  const { command, inputs, output } = request;
  const { isForMany, filesOfMany } = await import('./shell/many-files.ts');
  if (output !== undefined && FOR_MANY.includes(command) && isForMany(output)) {
    return runMany(request, filesOfMany(inputs, output), options);
  }
  if (options.dryRun) return printDryRun(request, options);
  const end = hasPipes(request) ? await runPiped(request, options, writes) : await runOne(request, options, writes);
  const isPiped = output === PIPE || request.options.send === 'bvh:-';
  return finish(command, end, options, isPiped ? process.stderr : process.stdout);
}

/** One job for each file; those behind one that fails are done as well. */
async function runMany(
  request: ShellRequest,
  files: readonly { readonly input: string; readonly output: string }[],
  options: ShellOptions,
): Promise<number> {
  const { mkdirSync } = await import('node:fs');
  const { dirname } = await import('node:path');
  const ends: object[] = [];
  let exitCode = 0;
  for (const { input, output } of files) {
    const one = { ...request, inputs: [input], output };
    if (options.dryRun) {
      exitCode ||= await printDryRun(one, options);
      continue;
    }
    mkdirSync(dirname(output), { recursive: true });
    const end = await runOne(one, { ...options, report: undefined }, true);
    ends.push('error' in end ? { file: input, error: { message: end.error.message } } : end.report);
    const code = await finish(request.command, end, { ...options, json: false, quiet: options.quiet || options.json });
    exitCode ||= code;
    if (code === 130) break;
  }
  const reports = printableJson({ reports: ends });
  if (options.json && !options.dryRun) process.stdout.write(`${reports}\n`);
  if (options.report !== undefined) (await import('node:fs')).writeFileSync(options.report, `${reports}\n`);
  return exitCode;
}

async function printDryRun(request: ShellRequest, { json }: ShellOptions): Promise<number> {
  const { dryRun, dryRunLines } = await import('./shell/dry-run.ts');
  const found = await dryRun(request);
  for (const line of json ? [printableJson(found)] : dryRunLines(found).map(printable)) {
    process.stdout.write(`${line}\n`);
  }
  return 0;
}

async function runPiped(request: ShellRequest, options: ShellOptions, writes: boolean): Promise<JobEnd> {
  const { Pipes } = await import('./shell/pipes.ts');
  const pipes = new Pipes();
  try {
    const end = await runOne(pipes.replaced(request), options, writes, (text) => pipes.named(text));
    if ('error' in end) return { error: { ...end.error, message: pipes.named(end.error.message) } };
    if (request.output === PIPE) await pipes.write();
    return { report: JSON.parse(pipes.named(JSON.stringify(end.report))) };
  } finally {
    pipes.remove();
  }
}

async function runOne(
  request: ShellRequest,
  options: ShellOptions,
  writes: boolean,
  named = (text: string) => text,
): Promise<JobEnd> {
  const { report: reportFile, quiet, verbose, threads, memory, maxTime } = options;
  const now = () => performance.now();
  const progress = verbose
    ? new (await import('./terminal/stage-log.ts')).StageLog(process.stderr, now)
    : new ProgressLine(process.stderr, now);
  const clear = () => progress instanceof ProgressLine && progress.clear();
  // A live performance lasts as long as its user wants, who ends it by a signal: that is the main thread's.
  const isLive = request.options.live !== undefined;
  const run =
    (writes && !isLive) || reportFile !== undefined || maxTime !== undefined
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
        clear();
        process.stderr.write(`warning: ${printable(named(message))}\n`);
      },
    },
  );
  clear();
  return end;
}

async function finish(
  name: CommandName,
  end: JobEnd,
  options: ShellOptions,
  stream: NodeJS.WriteStream = process.stdout,
): Promise<number> {
  if ('error' in end) return reportFailure(end.error, options);
  if (options.json) stream.write(`${printableJson(end.report)}\n`);
  else if (!options.quiet) {
    // Loaded only now: a run that fails, or that a program reads, needs none of it.
    const { SUMMARIES } = await import('./summaries/summaries.ts');
    for (const line of SUMMARIES[name](end.report as never)) stream.write(`${printable(line)}\n`);
  }
  const { failed = [] } = end.report as { failed?: readonly { message: string; exitCode: number }[] };
  for (const { message } of failed) process.stderr.write(`error: ${printable(message)}\n`);
  if (failed.length > 0) return failed[0].exitCode;
  const exceeded = exceededLimits(end.report);
  if (exceeded === undefined) return 0;
  process.stderr.write(`error: ${printable(exceeded)}\n`);
  return LIMIT_EXIT_CODE;
}
