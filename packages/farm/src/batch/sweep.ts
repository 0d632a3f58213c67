/** A batch of one job with every combination of some values: `--vary bones=8,12,20 --vary weights=4,8`. */
import { COMMANDS, type CommandName } from '@pelt/jobs';
import { UsageError } from '@pelt/model';

export interface Variation {
  /** As in a request: `maxError`. */
  readonly option: string;
  readonly values: readonly unknown[];
}

/**
 * Reads a variation as a command line has it: `bones=8,12,20`; what is no JSON is a text.
 *
 * @example
 * {@includeCode ../../examples/batch.ts}
 */
export function readVariation(word: string): Variation {
  const [, flag, list] = /^(?:--)?([a-z][\w-]*)=(.+)$/i.exec(word) ?? [];
  if (!flag) throw new UsageError(`--vary ${word}: give an option and its values, such as bones=8,12,20`);
  const option = flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return { option, values: list.split(',').map(readValue) };
}

/**
 * The lines of a batch with every combination of the values; outputs get the values into their names.
 *
 * @param job         a job as a line of a batch has it
 * @param variations  one for each option that varies
 * @example
 * {@includeCode ../../examples/batch.ts}
 */
export async function sweep(
  job: {
    readonly command: string;
    readonly inputs: readonly string[];
    readonly output: string;
    readonly options?: object;
  },
  variations: readonly Variation[],
): Promise<object[]> {
  if (!Object.hasOwn(COMMANDS, job.command)) throw new UsageError(`unknown command '${job.command}'`);
  const { options } = await COMMANDS[job.command as CommandName].table();
  for (const { option } of variations) {
    if (!Object.hasOwn(options, option)) {
      throw new UsageError(
        `--vary ${option}: ${job.command} has no such option; it takes ${Object.keys(options).join(', ')}`,
      );
    }
  }
  let combinations: [string, unknown][][] = [[]];
  for (const { option, values } of variations) {
    combinations = combinations.flatMap((chosen) =>
      values.map((value): [string, unknown][] => [...chosen, [option, value]]),
    );
  }
  return combinations.map((chosen) => {
    const tag = chosen.map(([option, value]) => `${option}-${String(value).replaceAll(/[^\w.-]/g, '_')}`).join('-');
    return {
      id: tag,
      command: job.command,
      inputs: job.inputs,
      output: job.output.replace(/(\.[^./\\]+)?$/, (extension) => `-${tag}${extension}`),
      options: { ...job.options, ...Object.fromEntries(chosen) },
    };
  });
}

function readValue(word: string): unknown {
  try {
    return JSON.parse(word);
  } catch {
    return word;
  }
}
