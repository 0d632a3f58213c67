import type { TakeQuality } from '@pelt/skin/puppet';

/** How steady a performance is: what `pelt puppet` prints. */
export function QualityTable({ quality }: { readonly quality: TakeQuality }) {
  const { jitter, footSlide, selfIntersection, jointLimits } = quality;
  const rows: readonly (readonly [string, string, string])[] = [
    ['Jitter', 'Mean second difference of the joints at 30 frames a second, in % of the height', shown(jitter, '%')],
    ...row('Foot slide', 'Mean speed of soles that stand, in % of the height a second', footSlide, '%/s'),
    ...row(
      'Inside itself',
      'Deepest overlap of limbs with the body, mean over the frames, in % of the height',
      selfIntersection?.mean,
      '%',
    ),
    ...row('… at most', 'The same in the worst frame', selfIntersection?.largest, '%'),
    ...row('Beyond joint limits', 'Frames in which a knee or elbow bends as none does', jointLimits, '% of frames'),
  ];
  return (
    <section class="card" aria-label="Quality">
      <table class="sizes">
        <tbody>
          {rows.map(([name, title, value]) => (
            <tr key={name}>
              <th scope="row">
                <abbr title={title}>{name}</abbr>
              </th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function row(name: string, title: string, value: number | undefined, unit: string): [string, string, string][] {
  return value === undefined ? [] : [[name, title, shown(value, unit)]];
}

function shown(value: number, unit: string): string {
  return `${value < 0.005 ? '0' : value.toFixed(value < 10 ? 2 : 1)} ${unit}`;
}
