/** Options that are seldom needed, folded away: controls made from the table of a command. */
import type { Option, Table } from '@pelt/jobs/tables';
import { type Folded, hasEffect, type MoreOptions } from '../store/more-options.ts';
import { Choice, Field, Toggle } from './controls.tsx';
import { titleOf } from './option-form.tsx';

interface OptionFoldProps {
  readonly table: Table;
  readonly folded: Folded;
  readonly values: MoreOptions;
  /** What the panel's own controls say, which decides what has an effect. */
  readonly chosen: object;
  readonly onChange: (values: MoreOptions, option: string) => void;
  /** What the first fold is called, where it has a purpose of its own. */
  readonly title?: string;
}

export function OptionFold({ table, folded, title = 'More', ...props }: OptionFoldProps) {
  return (
    <>
      {folded.more.length > 0 && <Fold title={title} table={table} names={folded.more} {...props} />}
      {folded.published.length > 0 && (
        <Fold title="Published methods" table={table} names={folded.published} {...props} />
      )}
    </>
  );
}

interface FoldProps extends Omit<OptionFoldProps, 'folded' | 'title'> {
  readonly title: string;
  readonly names: readonly string[];
}

function Fold({ title, table, names, values, chosen, onChange }: FoldProps) {
  const options: Readonly<Record<string, Option>> = table.options;
  const defaults = Object.entries(options).map(([name, option]) => [name, option.default] as const);
  const all = { ...Object.fromEntries(defaults), ...chosen, ...values };
  const shown = names.filter((name) => hasEffect(options[name], all));
  const changed = shown.filter((name) => values[name] !== undefined).length;
  if (shown.length === 0) return null;
  return (
    <details class="fold">
      <summary class="dim">
        {title}
        {changed > 0 && <span class="small"> · {changed} changed</span>}
      </summary>
      <div class="group">
        {shown.map((name) => (
          <OptionControl
            key={name}
            name={name}
            option={options[name]}
            value={values[name]}
            onChange={(value) => {
              const { [name]: _, ...others } = values;
              onChange(value === undefined ? others : { ...others, [name]: value }, name);
            }}
          />
        ))}
      </div>
    </details>
  );
}

interface OptionControlProps {
  readonly name: string;
  readonly option: Option;
  /** Undefined: what the command does without it. */
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function OptionControl({ name, option, value, onChange }: OptionControlProps) {
  const { kind, help, default: usual } = option;
  const label = labelOf(name);
  const title = titleOf(help);
  const given = value ?? usual;
  const take = (next: unknown) => onChange(next === usual ? undefined : next);
  if (kind.choices) {
    const choices = kind.choices.map((word) => [word, kind.words?.[word] ?? word] as const);
    const none = usual === undefined ? [['', option.otherwise ?? 'as usual'] as const] : [];
    return (
      <Choice
        label={label}
        title={title}
        value={String(given ?? '')}
        choices={[...none, ...choices]}
        onChange={(word) => take(word === '' ? undefined : word)}
      />
    );
  }
  if (kind.value === '') return <Toggle label={label} title={title} value={given === true} onChange={take} />;
  return (
    <Field label={label} title={`${title}. It is ${kind.is}.`}>
      <input
        type="text"
        value={value === undefined ? '' : String(value)}
        placeholder={usual === undefined ? shortened(option.otherwise) : String(usual)}
        onChange={({ currentTarget }) => {
          const word = currentTarget.value.trim();
          take(word === '' ? undefined : (kind.read?.(word) ?? word));
        }}
      />
    </Field>
  );
}

/** `islandPrice` as `Island price`. */
function labelOf(name: string): string {
  return titleOf(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
}

/** What fits into a field. */
function shortened(text = 'usual'): string {
  return text.length > 12 ? 'usual' : text;
}
