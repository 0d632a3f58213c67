/** `pelt worker`: takes jobs from a queue until it is told to stop. */
import { openStore, startQueueWorker } from '@pelt/farm';
import { UsageError } from '@pelt/model';
import type { Command } from 'commander';
import { printable } from '../terminal/printable.ts';
import {
  addLimits,
  CORES,
  endingWith,
  JOB_KEY_HELP,
  jobKeyOf,
  limitsOf,
  PELT,
  STORE_HELP,
  untilSignal,
  version,
  wholeFrom,
} from './shared.ts';

interface WorkerCommandOptions {
  readonly engine: string;
  readonly store: string;
  readonly jobs: number;
  readonly threads: number;
  readonly lease: number;
  readonly maxTime?: number;
  readonly memory?: number;
  readonly jobKey?: string;
  readonly quiet?: boolean;
}

export function defineWorker(command: Command, finish: (code: number) => void): void {
  addLimits(command)
    .usage('--engine <url> --store <place> [options]')
    .requiredOption('--engine <url>', 'the queue: redis://… or postgres://…')
    .requiredOption('--store <place>', STORE_HELP)
    .option('--jobs <n>', 'most jobs at a time', wholeFrom(1), CORES)
    .option('--threads <n>', 'threads of each', wholeFrom(1), 1)
    .option('--lease <seconds>', 'without a sign of life for so long, its jobs go to others', wholeFrom(1), 30)
    .option('--job-key <text>', JOB_KEY_HELP)
    .option('--quiet', 'print errors only')
    .addHelpText('after', '\nExamples:\n  $ pelt worker --engine redis://127.0.0.1:6379 --store /mnt/pelt --jobs 4')
    .action(async () => finish(await endingWith(work(command.opts<WorkerCommandOptions>()))));
}

async function work(options: WorkerCommandOptions): Promise<number> {
  const { engine, store, jobs, threads, lease, quiet } = options;
  if (engine === 'local') throw new UsageError('the local engine needs no workers; give redis://… or postgres://…');
  const signal = untilSignal();
  const worker = await startQueueWorker(engine, await openStore(store), {
    pelt: PELT,
    jobs,
    threads,
    lease: 1000 * lease,
    limits: limitsOf(options),
    version: version(),
    jobKey: jobKeyOf(options),
    onJob: (what, key, message) => {
      if (!quiet || what === 'failed')
        process.stderr.write(`${what} ${key.slice(0, 12)}${message ? `: ${printable(message)}` : ''}\n`);
    },
  });
  if (!quiet) process.stderr.write('waiting for jobs; Ctrl-C ends when those at hand are done\n');
  await new Promise((stopped) => signal.addEventListener('abort', stopped, { once: true }));
  await worker.close();
  return 0;
}
