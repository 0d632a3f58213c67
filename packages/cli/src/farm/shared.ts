/** What the commands of a farm have in common. */
import { readFileSync } from 'node:fs';
import { availableParallelism, constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { JobLimits } from '@pelt/farm';
import { NodeFiles } from '@pelt/farm/files';
import { type Command, InvalidArgumentError } from 'commander';
import { memorySize, timeSpan } from '../limit-words.ts';

/** The command that runs this pelt. */
export const PELT: readonly string[] = [process.execPath, fileURLToPath(new URL('../bin/pelt.mjs', import.meta.url))];

/** Of this pelt, which may give other bytes than another. */
export function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** By default a thread each on every core: many small jobs finish sooner than one after the other with all cores. */
export const CORES = availableParallelism();

export function wholeFrom(least: number): (word: string) => number {
  return (word) => {
    if (/^\d+$/.test(word) && Number(word) >= least) return Number(word);
    throw new InvalidArgumentError(`It must be a whole number from ${least}.`);
  };
}

/** A file with jobs; one that cannot be read says why. */
export function readText(file: string): string {
  return new TextDecoder().decode(new NodeFiles().read(file));
}

/** Adds the limits of a job, which `limitsOf` reads. */
export function addLimits(command: Command): Command {
  return command
    .option('--max-time <time>', 'longest time of a job, such as 90s or 2h', timeSpan)
    .option('--memory <size>', 'most memory of a job, such as 2G', memorySize);
}

export function limitsOf({ maxTime, memory }: JobLimits): JobLimits {
  return { maxTime, memory };
}

/** Signs jobs on a queue; from the environment, so that it does not stand in the list of processes. */
export function jobKeyOf({ jobKey }: { readonly jobKey?: string }): string | undefined {
  return jobKey ?? (process.env.PELT_JOB_KEY || undefined);
}

export const JOB_KEY_HELP = 'sign jobs with it, and take only signed ones; or PELT_JOB_KEY in the environment';
export const STORE_HELP = 'where results are kept: a folder, or s3://bucket/prefix';
export const DEFAULT_STORE = '.pelt-store';

/** Aborted by the first Ctrl-C, SIGTERM or closed terminal; a second one ends the process as usual. */
export function untilSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => controller.abort(signal));
  return controller.signal;
}

/** The exit code of a process that a signal has asked to end. */
export function signalCode(signal: AbortSignal): number {
  return 128 + constants.signals[signal.reason as NodeJS.Signals];
}

/** Milliseconds that connections get to close by themselves. */
const LAST_MOMENT = 500;

/**
 * Runs a command of a farm, and sees to it that the process ends with it: a connection that is being tried again would
 * keep it alive for ever.
 */
export async function endingWith(work: Promise<number>): Promise<number> {
  try {
    return await work;
  } finally {
    setTimeout(() => process.exit(), LAST_MOMENT).unref();
  }
}
