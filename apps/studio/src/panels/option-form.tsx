/** Controls that are made from the option tables of the commands: choices, ranges, help. */
import type { Option, Table } from '@pelt/jobs/tables';
import { Choice, Segments, Slider } from './controls.tsx';

interface OptionProps<T extends Table, K extends keyof T['options'] & string, V> {
  readonly table: T;
  readonly option: K;
  readonly label: string;
  readonly value: V;
  readonly onChange: (value: V) => void;
}

/** One of the words that an option takes, in a list. */
export function OptionChoice<T extends Table, K extends keyof T['options'] & string, V extends string>({
  bare,
  ...props
}: OptionProps<T, K, V> & { readonly bare?: boolean }) {
  const { label, value, onChange } = props;
  const { title, choices } = wordsOf<V>(props.table.options[props.option]);
  return (
    <Choice label={label} title={title} value={value} choices={choices} onChange={onChange} bare={bare ?? false} />
  );
}

/** The same, all of them seen. */
export function OptionSegments<T extends Table, K extends keyof T['options'] & string, V extends string>(
  props: OptionProps<T, K, V>,
) {
  const { label, value, onChange } = props;
  const { title, choices } = wordsOf<V>(props.table.options[props.option]);
  return <Segments label={label} title={title} value={value} choices={choices} onChange={onChange} />;
}

/** A number of an option that has a slider. */
export function OptionSlider<T extends Table, K extends keyof T['options'] & string>(props: OptionProps<T, K, number>) {
  const { label, value, onChange } = props;
  const { help, slider } = props.table.options[props.option];
  if (!slider) throw new Error(`the option '${props.option}' has no slider`);
  const { from, to, step = 1 } = slider;
  return (
    <Slider label={label} title={titleOf(help)} value={value} min={from} max={to} step={step} onChange={onChange} />
  );
}

/** Help begins in lower case on a command line. */
export function titleOf(help: string): string {
  return help.charAt(0).toUpperCase() + help.slice(1);
}

function wordsOf<V extends string>({ kind: { choices = [], words = {} }, help }: Option) {
  return {
    title: titleOf(help),
    choices: choices.map((value) => [value as V, words[value] ?? value] as const),
  };
}
