/** `pelt run job.json`: one job, for whoever has a farm of their own. */
import { NodeFiles } from '@pelt/farm/files';
import { requestFiles } from '@pelt/jobs';
import { UsageError } from '@pelt/model';
import type { Command } from 'commander';
import { exceededLimits, LIMIT_EXIT_CODE } from '../exceeded-limits.ts';
import { memorySize, timeSpan } from '../limit-words.ts';
import { printable, printableJson } from '../terminal/printable.ts';
import { runInWorker } from '../thread/run-in-worker.ts';
import { CORES, readText, wholeFrom } from './shared.ts';

interface RunOptions {
  readonly line?: number;
  readonly events?: boolean;
  readonly threads: number;
  readonly report?: string;
  readonly memory?: number;
  readonly maxTime?: number;
}

export function defineRun(command: Command, finish: (code: number) => void): void {
  command
    .usage('<file> [options]')
    .argument('<file>', 'a job as JSON, or a batch with --line')
    .option('--line <n>', 'the line of a batch that holds the job', wholeFrom(1))
    .option('--events', 'write what happens to standard output, one JSON object a line')
    .option('--report <file>', 'write the report to a file')
    .option('--threads <n>', 'threads to use; the result is the same', wholeFrom(1), CORES)
    .option('--memory <size>', 'most memory to use, such as 2G; by default what the machine has', memorySize)
    .option('--max-time <time>', 'give up after so long, such as 90s or 2h', timeSpan)
    .addHelpText('after', '\nExamples:\n  $ pelt run job.json\n  $ pelt run jobs.jsonl --line 3 --threads 4')
    .action(async (file: string) => finish(await run(file, command.opts<RunOptions>())));
}

async function run(file: string, options: RunOptions): Promise<number> {
  const { line, events, threads, report: reportFile, memory, maxTime } = options;
  const request = requestIn(readText(file), file, line);
  await refuseToReplace(file, request, reportFile);
  endWithParent();
  const say = (event: object) => process.stdout.write(`${JSON.stringify(event)}\n`);
  const end = await runInWorker(
    { request, threads, memory, maxTime, reportFile, portable: true },
    {
      progress: (progress) => void (events && say({ type: 'progress', progress })),
      warning: (message) =>
        void (events ? say({ type: 'warning', message }) : process.stderr.write(`warning: ${printable(message)}\n`)),
    },
  );
  if ('error' in end) {
    if (events) say({ type: 'failed', message: end.error.message });
    else process.stderr.write(`error: ${printable(end.error.message)}\n`);
    return end.error.exitCode;
  }
  const exceeded = exceededLimits(end.report);
  if (!events) process.stdout.write(`${printableJson(end.report)}\n`);
  if (exceeded !== undefined) {
    if (events) say({ type: 'failed', message: exceeded });
    else process.stderr.write(`error: ${printable(exceeded)}\n`);
    return LIMIT_EXIT_CODE;
  }
  if (events) say({ type: 'done', report: end.report });
  return 0;
}

/** The request of a job: what a batch says beside it is for `pelt batch`. */
function requestIn(text: string, file: string, line: number | undefined): unknown {
  const chosen = line === undefined ? text : text.split('\n')[line - 1];
  if (!chosen?.trim()) throw new UsageError(`'${file}' has no line ${line}`);
  let job: unknown;
  try {
    job = JSON.parse(chosen);
  } catch (error) {
    throw new UsageError(`'${file}' is not JSON: ${(error as Error).message}; a batch needs --line`);
  }
  if (typeof job !== 'object' || job === null) return job;
  const { id, after, priority, ...request } = job as Record<string, unknown>;
  return request;
}

/** Neither the report nor a result may take the place of the file that the job stands in. */
async function refuseToReplace(file: string, request: unknown, reportFile: string | undefined): Promise<void> {
  const files = new NodeFiles();
  const { writes } = await requestFiles(request);
  for (const path of [...writes, ...(reportFile === undefined ? [] : [reportFile])]) {
    if (files.key(path) === files.key(file))
      throw new UsageError(`'${path}' would replace the job itself; choose another name`);
  }
}

/** A job that a farm has started ends with it, however that ended: nobody is left to take its result. */
function endWithParent(): void {
  if (!process.channel) return;
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // To listen would keep the process alive.
  process.channel.unref();
}
