/** `pelt serve`: an HTTP API on this machine, or with a token for others. */
import { totalmem } from 'node:os';
import { openEngine, openStore, serve } from '@pelt/farm';
import type { Command } from 'commander';
import { memorySize, timeSpan } from '../limit-words.ts';
import { printable } from '../terminal/printable.ts';
import {
  CORES,
  DEFAULT_STORE,
  endingWith,
  JOB_KEY_HELP,
  jobKeyOf,
  limitsOf,
  PELT,
  untilSignal,
  version,
  wholeFrom,
} from './shared.ts';

interface ServeCommandOptions {
  readonly host: string;
  readonly port: number;
  readonly token?: string;
  readonly engine: string;
  readonly store: string;
  readonly jobs: number;
  readonly threads: number;
  readonly largestUpload: number;
  readonly rate: number;
  readonly mostJobs: number;
  readonly maxTime: number;
  readonly memory?: number;
  readonly jobKey?: string;
}

/** Longest time of a job of a stranger, in seconds. */
const MAX_TIME = 3600;

export function defineServe(command: Command, finish: (code: number) => void): void {
  command
    .usage('[options]')
    .option('--host <name>', 'where to listen; beyond this machine a --token is needed', '127.0.0.1')
    .option('--port <n>', 'port; 0 for any that is free', wholeFrom(0), 8417)
    .option('--token <text>', 'what clients send as Authorization: Bearer; or PELT_TOKEN in the environment')
    .option('--engine <url>', 'what runs the jobs: local, redis://… or postgres://…', 'local')
    .option('--store <folder>', 'where uploads and results are kept', DEFAULT_STORE)
    .option('--jobs <n>', 'most jobs at a time, of the local engine', wholeFrom(1), CORES)
    .option('--threads <n>', 'threads of each', wholeFrom(1), 1)
    .option('--largest-upload <megabytes>', 'largest file', wholeFrom(1), 2048)
    .option('--rate <n>', 'requests per minute and address', wholeFrom(1), 600)
    .option('--most-jobs <n>', 'most jobs that may wait', wholeFrom(1), 1000)
    .option('--max-time <time>', 'longest time of a job, such as 90s or 2h', timeSpan, MAX_TIME)
    .option('--memory <size>', 'most memory of a job, such as 2G; by default its share of the machine', memorySize)
    .option('--job-key <text>', JOB_KEY_HELP)
    .addHelpText(
      'after',
      '\nExamples:\n  $ pelt serve --port 8417\n  $ PELT_TOKEN=… pelt serve --host 0.0.0.0 --store /mnt/pelt',
    )
    .action(async () => finish(await endingWith(run(command.opts<ServeCommandOptions>()))));
}

async function run(options: ServeCommandOptions): Promise<number> {
  const { host, port, jobs, threads, largestUpload, rate: requestsPerMinute, mostJobs } = options;
  const store = await openStore(options.store);
  const engine = await openEngine(options.engine, store, {
    pelt: PELT,
    jobs,
    threads,
    limits: limitsOf({ ...options, memory: options.memory ?? totalmem() / jobs }),
    version: version(),
    jobKey: jobKeyOf(options),
  });
  const token = options.token ?? (process.env.PELT_TOKEN || undefined);
  // The last handler: whatever nobody foresaw ends the request it came with, and is told.
  const onFault = (error: unknown) =>
    void process.stderr.write(`a fault of pelt itself: ${printable(String((error as Error)?.stack ?? error))}\n`);
  process.on('uncaughtException', onFault);
  const signal = untilSignal();
  const server = await serve({
    engine,
    store,
    version: version(),
    host,
    port,
    token,
    largestUpload: largestUpload * 1e6,
    requestsPerMinute,
    mostJobs,
    onFault,
  });
  process.stdout.write(`${server.url}/v1\n`);
  await new Promise((stopped) => signal.addEventListener('abort', stopped, { once: true }));
  await server.close();
  await engine.close();
  return 0;
}
