/** The few controls that all panels are made of. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { leaveOnEnter } from './leave-on-enter.ts';

interface SliderProps {
  readonly label: string;
  readonly title?: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step?: number;
  readonly onChange: (value: number) => void;
}

/** A slider with the number beside it; either sets it. */
export function Slider({ label, title, value, min, max, step = 1, onChange }: SliderProps) {
  const id = useId();
  const take = (text: string) => {
    const number = Number(text);
    if (text !== '' && Number.isFinite(number)) onChange(Math.min(Math.max(number, min), Math.max(max, number)));
  };
  return (
    <div class="field" title={title}>
      <label class="label" for={id}>
        {label}
      </label>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        onInput={(event) => take(event.currentTarget.value)}
      />
      <input
        type="number"
        aria-label={`${label}, as a number`}
        min={min}
        step={step}
        value={value}
        onKeyDown={leaveOnEnter}
        onChange={(event) => take(event.currentTarget.value)}
      />
    </div>
  );
}

interface SegmentsProps<T extends string | number> {
  readonly label: string;
  readonly title?: string;
  readonly value: T;
  readonly choices: readonly (readonly [T, string, string?])[];
  readonly onChange: (value: T) => void;
  /** Whether the label is shown beside the choices. */
  readonly bare?: boolean;
}

/** One of a few choices, all of them seen. */
export function Segments<T extends string | number>({
  label,
  title,
  value,
  choices,
  onChange,
  bare,
}: SegmentsProps<T>) {
  const name = useId();
  const set = (
    <div class="segments" role="radiogroup" aria-label={label}>
      {choices.map(([key, text, help]) => (
        <label key={key} title={help}>
          <input type="radio" name={name} checked={key === value} onChange={() => onChange(key)} />
          {text}
        </label>
      ))}
    </div>
  );
  if (bare) return set;
  return (
    <div class="field" title={title}>
      <span class="label">{label}</span>
      {set}
    </div>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly bare?: boolean;
  readonly title?: string;
  readonly value: T;
  readonly choices: readonly (readonly [T, string])[];
  readonly onChange: (value: T) => void;
}

export function Choice<T extends string>({ label, title, value, choices, onChange, bare }: ChoiceProps<T>) {
  const id = useId();
  return (
    <div class="field" title={title}>
      {!bare && (
        <label class="label" for={id}>
          {label}
        </label>
      )}
      <select
        id={id}
        aria-label={bare ? label : undefined}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value as T)}
      >
        {choices.map(([key, text]) => (
          <option key={key} value={key} selected={key === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

interface FieldProps {
  readonly label: string;
  readonly title?: string;
  readonly children: ComponentChildren;
}

/** A label beside anything; the label belongs to the control inside. */
export function Field({ label, title, children }: FieldProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label class="field" title={title}>
      <span class="label">{label}</span>
      {children}
    </label>
  );
}

interface ToggleProps {
  readonly label: string;
  readonly title?: string;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}

export function Toggle({ label, title, value, onChange }: ToggleProps) {
  return (
    <Field label={label} title={title ?? ''}>
      <input type="checkbox" checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
    </Field>
  );
}
