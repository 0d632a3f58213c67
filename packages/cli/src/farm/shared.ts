/** What the commands of a farm have in common. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { InvalidArgumentError } from 'commander';

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

export const STORE_HELP = 'where results are kept: a folder, or s3://bucket/prefix';
export const DEFAULT_STORE = '.pelt-store';

/** Aborted by the first Ctrl-C or SIGTERM; a second one ends the process as usual. */
export function untilSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort(signal));
  return controller.signal;
}

/** The exit code of a process that a signal has asked to end. */
export function signalCode(signal: AbortSignal): number {
  return signal.reason === 'SIGTERM' ? 143 : 130;
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
