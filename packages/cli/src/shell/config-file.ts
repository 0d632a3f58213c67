/**
 * Options from `pelt.config.json` in the working folder, for what the command line leaves open:
 *
 *   { "all": { "threads": 2 }, "fit": { "bones": 30, "compress": "meshopt" } }
 *
 * Keys are those of a request (`maxError`), values as in JSON. It is looked for in one folder alone, so that what a
 * command does can be seen from where it is run.
 */
import { readFileSync } from 'node:fs';
import { InputError, UsageError } from '@pelt/model';

export const CONFIG_FILE = 'pelt.config.json';
/** The entry for every command that has such an option. */
const ALL = 'all';

type Values = Readonly<Record<string, unknown>>;

/**
 * @param known  whether the command has an option of that name
 * @param names  of all commands
 * @returns nothing where there is no file
 */
export function configuredOptions(command: string, known: (key: string) => boolean, names: readonly string[]): Values {
  const whole = readConfig();
  const unknown = Object.keys(whole).find((name) => name !== ALL && !names.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`'${CONFIG_FILE}' has '${unknown}', which is not a command; it may have ${ALL} and commands`);
  }
  const [all, own] = [ALL, command].map((name) => entryOf(whole, name));
  const wrong = Object.keys(own).find((key) => !known(key));
  if (wrong !== undefined) {
    throw new UsageError(`'${CONFIG_FILE}': ${command} has no option '${wrong}'; see pelt ${command} --help`);
  }
  const shared = Object.entries(all).filter(([key]) => known(key));
  return { ...Object.fromEntries(shared), ...own };
}

function readConfig(): Values {
  let text: string;
  try {
    text = readFileSync(CONFIG_FILE, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new InputError(`cannot read '${CONFIG_FILE}': ${(error as Error).message}`, { cause: error });
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    throw new InputError(`'${CONFIG_FILE}' is not JSON: ${(error as Error).message}`, { cause: error });
  }
  throw new InputError(`'${CONFIG_FILE}' must be an object of commands with their options`);
}

function entryOf(whole: Values, name: string): Values {
  const value = Object.hasOwn(whole, name) ? whole[name] : {};
  if (isObject(value)) return value;
  throw new InputError(`'${CONFIG_FILE}': ${name} must be an object of options`);
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
