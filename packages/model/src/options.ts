import { UsageError } from './errors.ts';

/**
 * Options over defaults. An unknown key throws a `UsageError`, so that a stale or misspelt option is never silently
 * ignored; `undefined` means "not given".
 *
 * @param owner  name of the function, for the message
 * @example
 * {@includeCode ../examples/run.ts}
 */
export function resolveOptions<T extends object>(owner: string, defaults: T, given: Partial<T> | undefined): T {
  const resolved = { ...defaults };
  if (!given) return resolved;
  for (const key of Object.keys(given) as (keyof T & string)[]) {
    if (!Object.hasOwn(defaults, key)) {
      throw new UsageError(`${owner}: unknown option '${key}'; it takes ${Object.keys(defaults).join(', ')}`);
    }
    const value = given[key];
    if (value !== undefined) resolved[key] = value as T[typeof key];
  }
  return resolved;
}
