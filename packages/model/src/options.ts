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

/** By option, the methods that take it; an option that is not listed is taken by all of them. */
export type TakenBy<T, M extends string> = { readonly [K in keyof T]?: readonly M[] };

/** The keys of options that a method takes. */
type Taken<T, M, B> = {
  [K in keyof T]: K extends keyof B ? (B[K] extends readonly (infer N)[] ? (M extends N ? K : never) : never) : K;
}[keyof T];

/**
 * Options by method: `method` decides which others there are. It may be left out for the default D.
 * @example
 * {@includeCode ../examples/options-by-method.ts}
 */
export type OptionsByMethod<T extends { readonly method: string }, B, D extends string> = {
  [M in T['method']]: (M extends D ? { readonly method?: M | undefined } : { readonly method: M }) & {
    readonly [K in Exclude<Taken<T, M, B>, 'method'>]?: T[K] | undefined;
  };
}[T['method']];

/**
 * Refuses options that the method does not take, so that none is accepted and ignored. Those at their defaults pass.
 *
 * @param owner    name of the function, for the message
 * @param method   that was chosen
 * @param takenBy  by option, the methods that take it
 * @param given    options as the caller gave them
 * @throws UsageError that names the option and the methods that take it
 * @example
 * {@includeCode ../examples/options-by-method.ts}
 */
export function requireTaken(
  owner: string,
  method: string,
  takenBy: Readonly<Record<string, readonly string[]>>,
  given: object,
  defaults: object,
): void {
  const standard = new Map(Object.entries(defaults));
  for (const [key, value] of Object.entries(given)) {
    const methods = takenBy[key];
    if (value === undefined || value === standard.get(key) || !methods || methods.includes(method)) continue;
    throw new UsageError(`${owner}: ${notTaken(`option '${key}'`, `method '${method}'`, methods)}`);
  }
}

/**
 * What is wrong with an option that the method does not take, and what to do.
 *
 * @param option  in words
 * @param chosen  the method, in words
 * @param others  methods that take the option
 * @example
 * {@includeCode ../examples/options-by-method.ts}
 */
export function notTaken(option: string, chosen: string, others: readonly string[]): string {
  const names = others.map((name) => `'${name}'`);
  const last = names.pop();
  const listed = names.length > 0 ? `${names.join(', ')} or ${last}` : last;
  return `${option} has no effect on ${chosen}; leave it out, or choose ${listed}`;
}

/**
 * The options that a method takes, out of all of them.
 *
 * @param takenBy  by option, the methods that take it
 * @param all      options of any method
 * @example
 * {@includeCode ../examples/options-by-method.ts}
 */
export function takenOf<T extends object>(
  method: string,
  takenBy: Readonly<Record<string, readonly string[]>>,
  all: T,
): Partial<T> {
  const entries = Object.entries(all).filter(([key]) => takenBy[key]?.includes(method) ?? true);
  return Object.fromEntries(entries) as Partial<T>;
}
