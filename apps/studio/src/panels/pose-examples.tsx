/** How much of each example is in the pose: shown while the skin is pulled, and set by sliders. */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { PoseGuest } from '../viewport/pose-guest.ts';

interface PoseExamplesProps {
  readonly guest: PoseGuest;
  /** What the first examples are called, where they are files. */
  readonly labels: readonly string[];
  readonly changes: ReadonlySignal<number>;
}

/** More than this are found by their names. */
const MOST_SLIDERS = 40;
/** Shares beyond one example, and less than nothing of it, are extrapolations. */
const [LEAST, MOST] = [-0.5, 1.5];

export function PoseExamples({ guest, labels, changes }: PoseExamplesProps) {
  void changes.value;
  const wanted = useSignal('');
  const open = useSignal(false);
  const { blend } = guest;
  // The command numbers its examples.
  const examples = guest.examples.map((name) => name.replace(/^\d+/, (number) => labels[Number(number) - 1] ?? number));
  if (examples.length === 0) return null;
  const found = examples.flatMap((name, e) => (name.toLowerCase().includes(wanted.value.toLowerCase()) ? [e] : []));
  const set = (e: number, value: number) => {
    const next = Float64Array.from(blend);
    next[e] = value;
    guest.setBlend(next);
  };
  return (
    <details
      class="fold"
      onToggle={(event) => {
        open.value = event.currentTarget.open;
      }}
    >
      <summary class="dim">Examples · {examples.length}</summary>
      {open.value && (
        <section class="group" aria-label="Blend of examples">
          {examples.length > MOST_SLIDERS && (
            <input
              type="search"
              aria-label="Search examples"
              placeholder="Search"
              value={wanted.value}
              onInput={(event) => (wanted.value = event.currentTarget.value)}
            />
          )}
          {found.slice(0, MOST_SLIDERS).map((e) => (
            <div class="face-slider" key={e}>
              <button
                type="button"
                class="quiet"
                title={`${examples[e]} alone`}
                onClick={() => {
                  guest.beginBlend();
                  guest.setBlend(examples.map((_, k) => (k === e ? 1 : 0)));
                }}
              >
                {examples[e]}
              </button>
              <input
                type="range"
                aria-label={examples[e]}
                min={LEAST}
                max={MOST}
                step={0.01}
                value={blend[e] ?? 0}
                onPointerDown={() => guest.beginBlend()}
                onKeyDown={({ key, repeat }) => {
                  if (!repeat && key.startsWith('Arrow')) guest.beginBlend();
                }}
                onInput={(event) => set(e, Number(event.currentTarget.value))}
              />
              <span class="share">{(blend[e] ?? 0).toFixed(2)}</span>
            </div>
          ))}
        </section>
      )}
    </details>
  );
}
