/**
 * What a command takes, as data: the only place where the name, kind, default and help of an option stand. Command-line
 * flags and help, the check of a request in JSON, its TypeScript type and its JSON Schema are made from it.
 */
import type { Kind } from './kinds.ts';

export interface Option<T = unknown> {
  readonly kind: Kind<T>;
  readonly help: string;
  /** Of a flag that is true by default: what its `--no-` form does. */
  readonly without?: string;
  readonly required?: true;
  /** What a request without the option gets. */
  readonly default?: T;
  /** Where there is no such value: what is done without the option, for the help. */
  readonly otherwise?: string;
  /** What a slider of a form offers of the values; a number beside it takes any. */
  readonly slider?: { readonly from: number; readonly to: number; readonly step?: number };
  /** The values of another option with which this one has an effect; with others it is refused. */
  readonly only?: { readonly option: string; readonly values: readonly string[] };
  /** Other options that decide what this one would; it is refused together with any of them. */
  readonly decidedBy?: readonly string[];
}

export interface Input {
  readonly name: string;
  readonly help: string;
  readonly many?: true;
  readonly optional?: true;
}

export interface Output {
  readonly kind: Kind<string>;
  readonly help: string;
  readonly required: boolean;
}

export type Options = Readonly<Record<string, Option>>;

export interface Table {
  /** What stands for the paths on a command line; `inputs` of a request holds them in this order. */
  readonly inputs: readonly Input[];
  readonly output?: Output;
  readonly options: Options;
  /** Whether the work can be spread over threads. */
  readonly threads?: true;
  /** Lines of a shell with comments: shown by the help, and run by the tests. */
  readonly examples: string;
}

/** Keeps the types of a table's options, so that those of their values follow. */
export function defineTable<const T extends Table>(table: T): T {
  return table;
}

type ValueOf<O extends Option> = O['kind'] extends Kind<infer T> ? T : never;

/** What a job gets: defaults are filled in, options without one may be absent. */
export type Values<T extends Table> = {
  readonly [K in keyof T['options']]: T['options'][K] extends { required: true } | { default: unknown }
    ? ValueOf<T['options'][K]>
    : ValueOf<T['options'][K]> | undefined;
};

type RequiredKeys<T extends Table> = {
  [K in keyof T['options']]: T['options'][K] extends { required: true } ? K : never;
}[keyof T['options']];

/** What a request gives: the required options, and others. */
export type GivenValues<T extends Table> = {
  readonly [K in RequiredKeys<T>]: ValueOf<T['options'][K]>;
} & {
  readonly [K in Exclude<keyof T['options'], RequiredKeys<T>>]?: ValueOf<T['options'][K]> | undefined;
};

type OutputOf<T extends Table> = T['output'] extends { required: true } ? string : string | undefined;

/** A request that was checked. */
export interface Checked<T extends Table> {
  readonly inputs: readonly string[];
  readonly output: OutputOf<T>;
  readonly options: Values<T>;
}

/**
 * How a command line spells an option: `maxError` is `--max-error`, one that is true by default `--no-loops`.
 *
 * @example
 * {@includeCode ../../examples/commands.ts}
 */
export function flagOf(name: string, option?: Option): string {
  const dashed = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return option?.default === true ? `--no-${dashed}` : `--${dashed}`;
}
