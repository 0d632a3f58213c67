/** What each way to deform does to the surface, in figures. */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { JointGuest } from '../viewport/joint-guest.ts';
import { useStudio } from './studio.ts';

interface ShapeFiguresProps {
  readonly guest: JointGuest;
  readonly names: readonly (readonly [string, string, string?])[];
  readonly shown: string;
  readonly turns: ReadonlySignal<number>;
}

/** Measured when nothing has turned for so long, and while it plays as often. */
const [REST_MS, PLAY_MS] = [80, 600];

export function ShapeFigures({ guest, names, shown, turns }: ShapeFiguresProps) {
  const { view } = useStudio();
  const figures = useSignal(guest.figures);
  const turned = turns.value;
  useEffect(() => {
    const wait = view.playing.peek() ? PLAY_MS : REST_MS;
    const timer = setTimeout(() => {
      figures.value = guest.figures;
    }, wait);
    // While it plays a measurement that is due is not put off again.
    return () => {
      if (!view.playing.peek()) clearTimeout(timer);
    };
  }, [turned, guest]);
  return (
    <table class="sizes" aria-label="Shape">
      <thead>
        <tr>
          <th scope="col">
            <span class="dim small">Deformed by</span>
          </th>
          <th scope="col" title="Of the volume at rest">
            volume
          </th>
          <th scope="col" title="How far edges of the surface are bent beyond rest, root mean square in degrees">
            roughness
          </th>
        </tr>
      </thead>
      <tbody>
        {figures.value.map(({ name, volume, roughness }) => (
          <tr key={name} data-shown={name === shown}>
            <th scope="row">{names.find(([key]) => key === name)?.[1] ?? name}</th>
            <td>{(100 * volume).toFixed(1)} %</td>
            <td>{roughness.toFixed(1)}°</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
