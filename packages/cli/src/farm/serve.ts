/** `pelt serve`: an HTTP API on this machine, or with a token for others. */
import { openEngine, openStore, serve } from '@pelt/farm';
import type { Command } from 'commander';
import { CORES, DEFAULT_STORE, endingWith, PELT, untilSignal, version, wholeFrom } from './shared.ts';

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
}

export function defineServe(command: Command, finish: (code: number) => void): void {
  command
    .usage('[options]')
    .option('--host <name>', 'where to listen; beyond this machine a --token is needed', '127.0.0.1')
    .option('--port <n>', 'port; 0 for any that is free', wholeFrom(0), 8417)
    .option(
      '--token <text>',
      'what clients send as Authorization: Bearer; or PELT_TOKEN in the environment',
      process.env.PELT_TOKEN,
    )
    .option('--engine <url>', 'what runs the jobs: local, redis://… or postgres://…', 'local')
    .option('--store <folder>', 'where uploads and results are kept', DEFAULT_STORE)
    .option('--jobs <n>', 'most jobs at a time, of the local engine', wholeFrom(1), CORES)
    .option('--threads <n>', 'threads of each', wholeFrom(1), 1)
    .option('--largest-upload <megabytes>', 'largest file', wholeFrom(1), 2048)
    .option('--rate <n>', 'requests per minute and address', wholeFrom(1), 600)
    .option('--most-jobs <n>', 'most jobs that may wait', wholeFrom(1), 1000)
    .addHelpText(
      'after',
      '\nExamples:\n  $ pelt serve --port 8417\n  $ PELT_TOKEN=… pelt serve --host 0.0.0.0 --store /mnt/pelt',
    )
    .action(async () => finish(await endingWith(run(command.opts<ServeCommandOptions>()))));
}

async function run(options: ServeCommandOptions): Promise<number> {
  const { host, port, token, jobs, threads, largestUpload, rate: requestsPerMinute, mostJobs } = options;
  const store = await openStore(options.store);
  const engine = await openEngine(options.engine, store, { pelt: PELT, jobs, threads });
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
  });
  process.stdout.write(`${server.url}/v1\n`);
  await new Promise((stopped) => signal.addEventListener('abort', stopped, { once: true }));
  await server.close();
  await engine.close();
  return 0;
}
