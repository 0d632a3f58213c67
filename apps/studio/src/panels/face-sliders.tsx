/** The sliders of a face in groups, with a search, and how far each is from its blend shape. */
import { useSignal } from '@preact/signals';
import type { OpenedFace } from '../jobs/open-face.ts';
import { type Expression, mirroredExpression, randomExpression, sliderGroups, withValue } from '../store/face.ts';
import { Field } from './controls.tsx';
import { useStudio } from './studio.ts';

interface FaceSlidersProps {
  readonly read: OpenedFace;
  readonly values: Expression;
  readonly frame: number;
}

export function FaceSliders({ read, values, frame }: FaceSlidersProps) {
  const { bench } = useStudio();
  const { store } = bench;
  const wanted = useSignal('');
  const seed = useSignal(0);
  const set = (label: string, next: Expression, merge?: string) =>
    store.edit(label, (now) => ({ ...now, face: { ...now.face, values: next, at: frame } }), merge);
  const search = wanted.value.toLowerCase();
  const names = read.names.filter((name) => name.toLowerCase().includes(search));
  const largest = Math.max(...read.errors.map(({ rms }) => rms), 0);
  return (
    <section class="group" aria-label="Expression">
      <div class="row">
        <button
          type="button"
          class="button"
          title="A few sliders on, by chance"
          onClick={() => set('Random expression', randomExpression(read.names, ++seed.value))}
        >
          Random
        </button>
        <button
          type="button"
          class="button"
          title="What is done on the left, on the right"
          onClick={() => set('Mirror the expression', mirroredExpression(values, read.names))}
        >
          Mirror
        </button>
        <button type="button" class="button" onClick={() => set('Neutral face', {})}>
          Neutral
        </button>
      </div>
      <Field label="Search" title="Sliders whose names contain this">
        <input type="search" value={wanted.value} onInput={(event) => (wanted.value = event.currentTarget.value)} />
      </Field>
      {names.length === 0 && <p class="dim small">No slider is called so.</p>}
      {sliderGroups(names).map(([group, own]) => (
        <details key={group} open class="sliders">
          <summary>
            {group} · {own.length}
          </summary>
          {own.map((name) => (
            <FaceSlider
              key={name}
              name={name}
              value={values[name] ?? 0}
              error={read.errors[read.names.indexOf(name)]?.rms}
              largest={largest}
              onChange={(value) => set(`Change ${name}`, withValue(values, name, value), `face ${name}`)}
              onAlone={() => set(`Show ${name} alone`, { [name]: 1 })}
            />
          ))}
        </details>
      ))}
    </section>
  );
}

interface FaceSliderProps {
  readonly name: string;
  readonly value: number;
  /** Root mean square distance to the blend shape; undefined where there is none. */
  readonly error: number | undefined;
  readonly largest: number;
  readonly onChange: (value: number) => void;
  readonly onAlone: () => void;
}

/** A slider, its number, and a bar as long as its error is large. */
function FaceSlider({ name, value, error, largest, onChange, onAlone }: FaceSliderProps) {
  return (
    <div class="face-slider">
      <button type="button" class="quiet" title={`${name} fully on, and no other`} onClick={onAlone}>
        {name}
      </button>
      <input
        type="range"
        aria-label={name}
        min={0}
        max={1}
        step={0.01}
        value={value}
        onInput={(event) => onChange(Number(event.currentTarget.value))}
      />
      <span class="share">{value.toFixed(2)}</span>
      {error !== undefined && (
        <span
          class="error-bar"
          role="img"
          aria-label={`error ${error.toPrecision(2)}`}
          title={`RMS distance to the blend shape: ${error.toPrecision(2)} in units of the file`}
        >
          <span class="error-fill" style={{ width: `${largest > 0 ? (100 * error) / largest : 0}%` }} />
        </span>
      )}
    </div>
  );
}
