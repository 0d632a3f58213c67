/** Entry point of every job: check a request, complete it by defaults, or refuse it in one line. */
import { notTaken, UsageError } from '@pelt/model';
import { COMMANDS, type CommandName, type TableOf } from '../commands.ts';
import { listed } from './kinds.ts';
import { requestSchema } from './request-schema.ts';
import { type Checked, flagOf, type GivenValues, type Table } from './table.ts';

/** A job as plain JSON: what a program writes down, a farm stores and a worker is sent. */
export type JobRequest<C extends CommandName = CommandName> = {
  [Name in C]: {
    readonly command: Name;
    /** Paths of files and folders, in the order of the command line. */
    readonly inputs: readonly string[];
    /** Where the result goes; a name with `####` stands for the files of all frames. */
    readonly output?: string;
    readonly options?: GivenValues<TableOf<Name>>;
  };
}[C];

/** A part of what the schema library says was wrong. */
interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly keys?: readonly string[];
}

/**
 * Checks a request from anywhere, and completes it by defaults.
 *
 * @throws UsageError that names the option, the value and the cure
 * @example
 * {@includeCode ../../examples/requests.ts}
 */
export async function checkRequest(request: unknown): Promise<{ command: CommandName; checked: Checked<Table> }> {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    throw new UsageError(`a job is an object with command, inputs, output and options; it is ${shown(request)}`);
  }
  const { command } = request as { command?: unknown };
  if (typeof command !== 'string' || !Object.hasOwn(COMMANDS, command)) {
    throw new UsageError(`unknown command ${shown(command)}; it must be ${listed(Object.keys(COMMANDS))}`);
  }
  const name = command as CommandName;
  const table: Table = await COMMANDS[name].table();
  const { success, data, error } = requestSchema(name, table).safeParse(request);
  if (success) {
    const checked = data as Checked<Table>;
    requireEffect(name, table, (request as { options?: Record<string, unknown> }).options ?? {}, checked.options);
    return { command: name, checked };
  }
  throw new UsageError(`${command}: ${explain(error.issues[0], request as JobRequest, table)}`);
}

/** Refuses what is given and would be ignored. */
function requireEffect(
  command: string,
  { options }: Table,
  given: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, unknown>>,
): void {
  for (const [name, option] of Object.entries(options)) {
    const { only, decidedBy, default: standard } = option;
    // A command line gives flags that nobody has set.
    if (given[name] === undefined || (typeof standard === 'boolean' && given[name] === standard)) continue;
    if (only && !only.values.includes(String(values[only.option]))) {
      const chosen = `${flagOf(only.option)} ${values[only.option]}`;
      throw new UsageError(`${command}: ${notTaken(flagOf(name), chosen, only.values)}`);
    }
    const decider = decidedBy?.find((other) => given[other] !== undefined);
    if (decider !== undefined) {
      throw new UsageError(`${command}: ${flagOf(name)} has no effect with ${flagOf(decider)}; leave out one of them`);
    }
  }
}

function explain({ code, path, keys = [] }: Issue, request: JobRequest, table: Table): string {
  const [field, name, index] = path;
  if (code === 'unrecognized_keys' && path.length === 0) {
    return `a request has no '${keys[0]}'; it has command, inputs, ${table.output ? 'output ' : ''}and options`;
  }
  if (code === 'unrecognized_keys' && path.length === 1) {
    return `there is no option '${keys[0]}'; it takes ${Object.keys(table.options).join(', ')}`;
  }
  if (field === 'output') return `the output is ${shown(request.output)}; it must be ${table.output?.kind.is}`;
  if (field === 'options' && typeof name === 'string') {
    const option = table.options[name];
    const value = (request.options as Record<string, unknown> | undefined)?.[name];
    const culprit = option.kind.many === 'flags' && typeof index === 'number' ? (value as unknown[])[index] : value;
    const state = culprit === undefined ? 'is missing' : `is ${shown(culprit)}`;
    return `${flagOf(name)} ${state}; it must be ${option.kind.is}`;
  }
  if (field === 'options') return `options is ${shown(request.options)}; it must be an object`;
  const wanted = table.inputs.map((input) => `${input.name}${input.many ? ' …' : ''}`).join(', ');
  return `inputs is ${shown(request.inputs)}; it must be a list of paths: ${wanted}`;
}

/** Longest part of a value that a message repeats. */
const SHOWN = 60;

function shown(value: unknown): string {
  const json = (typeof value === 'string' ? `'${value}'` : JSON.stringify(value)) ?? 'missing';
  return json.length > SHOWN ? `${json.slice(0, SHOWN)}…` : json;
}
