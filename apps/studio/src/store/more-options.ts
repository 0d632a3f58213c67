/** Options of a command that no control of a panel is for: given by their names, as the command takes them. */
import type { Option, Table } from '@pelt/jobs/tables';

/** Values that differ from what the command does without them. */
export type MoreOptions = Readonly<Record<string, unknown>>;

/** What a panel shows folded away, and what is for comparison with published methods. */
export interface Folded {
  readonly more: readonly string[];
  readonly published: readonly string[];
}

/** Files are given by opening them; how frames are read is asked when they are opened. */
const ASKED_ELSEWHERE = new Set(['rest', 'fps', 'up', 'clip', 'rigClip', 'mesh', 'scale', 'sample']);

/** Whether an option has an effect with what is chosen of another. */
export function hasEffect({ only }: Option, choices: object): boolean {
  return !only || only.values.includes(String(new Map(Object.entries(choices)).get(only.option)));
}

/**
 * @param shown      options that the panel has controls for
 * @param published  options that choose between methods for comparison
 */
export function foldedOptions(table: Table, shown: readonly string[], published: readonly string[]): Folded {
  const isForm = ([name, { kind }]: [string, Option]) =>
    !ASKED_ELSEWHERE.has(name) && !kind.reads && !kind.writes && !kind.many && !shown.includes(name);
  const names = Object.entries(table.options).flatMap((entry) => (isForm(entry) ? [entry[0]] : []));
  return {
    more: names.filter((name) => !published.includes(name)),
    published: published.filter((name) => name in table.options),
  };
}

/** What a request gets of them: an option without an effect is left out, as the command would refuse it. */
export function effectiveOptions(table: Table, more: MoreOptions, chosen: object): MoreOptions {
  const defaults = Object.entries(table.options).map(([name, option]) => [name, option.default] as const);
  const all = { ...Object.fromEntries(defaults), ...chosen, ...more };
  const options: Readonly<Record<string, Option>> = table.options;
  return Object.fromEntries(
    Object.entries(more).filter(
      ([name, value]) => value !== undefined && options[name] && hasEffect(options[name], all),
    ),
  );
}
