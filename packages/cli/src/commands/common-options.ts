/** Options that commands share, and how their values are read. */
import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError } from 'commander';

/** What every command takes. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly report?: string;
  readonly quiet?: boolean;
  readonly debug?: boolean;
}

/** A line of a shell and what it does: shown by --help, and run by the tests. */
export interface Example {
  readonly does: string;
  readonly run: string;
}

export function addCommonOptions(command: Command, examples: readonly Example[]): Command {
  const lines = examples.map(({ does, run }) => `  # ${does}\n  $ ${run}`);
  return command
    .option('--json', 'print the report as one JSON object, and nothing else')
    .option('--report <file>', 'write the same object to a file')
    .option('--quiet', 'print errors only')
    .option('--debug', 'print where an error came from')
    .addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

export function addInputOptions(command: Command): Command {
  return addFileOptions(command).option(
    '--clip <name>',
    'which animation of a glTF, by name or number (default: the first)',
  );
}

/** The same for a command that has a `--clip` of its own. */
export function addFileOptions(command: Command): Command {
  return command
    .option('--rest <file>', 'the rest pose (default: the first frame, or what the file says)')
    .option('--fps <n>', 'frames a second of files that do not say; rate at which to sample a glTF', positiveNumber);
}

export function addThreadsOption(command: Command): Command {
  return command.option('--threads <n>', 'threads to use; the result is the same (default: all cores)', wholeNumber(1));
}

/** As many threads as asked for, else as many as the machine runs at once. */
export function threadsOf(threads: number | undefined): number {
  return threads ?? availableParallelism();
}

export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least) {
      throw new InvalidArgumentError(`It must be a whole number from ${least}.`);
    }
    return value;
  };
}

export function positiveNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0) {
    throw new InvalidArgumentError('It must be a number above 0.');
  }
  return value;
}

/** Frames by their numbers from 1; undefined for 'all'. */
export function frameNumbers(text: string): readonly number[] | undefined {
  if (text === 'all') return undefined;
  const numbers = text.split(',').map(Number);
  if (!numbers.every((value) => Number.isSafeInteger(value) && value >= 1)) {
    throw new InvalidArgumentError('It must be frame numbers from 1, as 1,12,24, or all.');
  }
  return numbers;
}
