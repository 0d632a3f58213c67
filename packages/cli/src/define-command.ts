/** A command as commander takes it, made from its table. */
import { availableParallelism } from 'node:os';
import { COMMANDS, type CommandName, flagOf, type Table, type Option as TableOption } from '@pelt/jobs/commands';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { memorySize, timeSpan } from './limit-words.ts';
import type { ShellRequest } from './run-command.ts';

/** What every command takes beside what its table says. */
export interface ShellOptions {
  readonly json?: boolean | undefined;
  readonly report?: string | undefined;
  readonly quiet?: boolean | undefined;
  readonly verbose?: boolean;
  readonly dryRun?: boolean;
  readonly debug?: boolean;
  /** Absent for commands whose work is not spread over threads. */
  readonly threads?: number;
  /** Bytes. */
  readonly memory?: number;
  /** Seconds. */
  readonly maxTime?: number;
}

/** @param finish  gets the exit code */
export function defineCommand(command: Command, name: CommandName, table: Table, finish: (code: number) => void): void {
  const { inputs, output, options, threads, examples } = table;
  for (const input of inputs) command.argument(argumentOf(input), input.help);
  if (output) command.addOption(new Option('-o, --output <file>', output.help).makeOptionMandatory(output.required));
  for (const [key, option] of Object.entries(options)) command.addOption(optionOf(key, option));
  if (threads) {
    const option = new Option('--threads <n>', 'threads to use; the result is the same').argParser(threadCount);
    command.addOption(option.default(availableParallelism(), 'all cores'));
  }
  command
    .usage(usageOf(table))
    .option('--json', 'print the report as one JSON object, and nothing else')
    .option('--report <file>', 'write the same object to a file')
    .addOption(
      new Option(
        '--memory <size>',
        'refuse to start what would need more than this, such as 2G (default: all there is)',
      ).argParser(memorySize),
    )
    .option('--max-time <time>', 'give up after so long, such as 90s or 2h', timeSpan)
    .option('--quiet', 'print errors only')
    .option('--verbose', 'print every stage with its time')
    .option('--dry-run', 'check files and options, print what would be done, and do nothing')
    .option('--no-config', 'ignore pelt.config.json')
    .option('--debug', 'print where an error came from')
    .addHelpText('after', `\nExamples:${examples.replace(/^ +/gm, '  ').replaceAll('  pelt', '  $ pelt')}`)
    .action(async () => {
      const given: Record<string, unknown> = { ...command.opts() };
      if (given.config) await configure(command, given);
      const own = Object.entries(given).filter(([key, value]) => Object.hasOwn(options, key) && value !== undefined);
      const request = {
        command: name,
        inputs: command.args,
        ...(given.output !== undefined && { output: given.output }),
        options: Object.fromEntries(own),
      };
      // Loaded only now: it brings the model with it, and help should not have to wait for that.
      const { runCommand } = await import('./run-command.ts');
      finish(await runCommand(request as ShellRequest, given as ShellOptions, output !== undefined));
    });
}

/** Options of `pelt.config.json`, where the command line has none. */
async function configure(command: Command, given: Record<string, unknown>): Promise<void> {
  const { configuredOptions } = await import('./shell/config-file.ts');
  const isKnown = (key: string) => command.options.some((option) => option.attributeName() === key);
  const values = configuredOptions(command.name(), isKnown, Object.keys(COMMANDS));
  for (const [key, value] of Object.entries(values)) {
    if ((command.getOptionValueSource(key) ?? 'default') === 'default') given[key] = value;
  }
}

function argumentOf({ name, many, optional }: Table['inputs'][number]): string {
  const word = many ? `${name}...` : name;
  return optional ? `[${word}]` : `<${word}>`;
}

function usageOf({ inputs, output, options }: Table): string {
  const required = Object.entries(options).filter(([, option]) => option.required);
  const words = [...inputs.map(argumentOf), ...required.map(([key, option]) => flagsOf(key, option))];
  return [...words, ...(output?.required ? ['-o <file>'] : []), '[options]'].join(' ');
}

/** `--max-error <e>`, `--examples <file...>`, `--no-loops`. */
function flagsOf(key: string, option: TableOption): string {
  return typeof option.default === 'boolean' ? flagOf(key, option) : `${flagOf(key)} <${option.kind.value}>`;
}

function optionOf(key: string, option: TableOption): Option {
  const { kind, required = false } = option;
  const made = new Option(flagsOf(key, option), helpOf(option)).makeOptionMandatory(required);
  const { read = (word: string) => word } = kind;
  if (kind.many === 'flags') made.argParser((word, before: unknown[] | undefined) => [...(before ?? []), read(word)]);
  else if (kind.many === undefined && kind.read) made.argParser(read);
  return made;
}

function helpOf({ kind, help, without, otherwise, only, default: standard }: TableOption): string {
  const plain = kind.choices ? `${help}: ${kind.is}` : standard === true ? (without ?? help) : help;
  const words = only ? `${plain}; for ${flagOf(only.option)} ${only.values.join(', ')}` : plain;
  const value = typeof standard === 'string' || typeof standard === 'number' ? String(standard) : otherwise;
  return value === undefined ? words : `${words} (default: ${value})`;
}

function threadCount(word: string): number {
  if (/^[1-9]\d*$/.test(word)) return Number(word);
  throw new InvalidArgumentError('It must be a whole number from 1.');
}
