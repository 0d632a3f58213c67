// @ts-check
/** How the error falls round by round, start by start, for rigid and affine bones, on the walking creature. */
import { openNumerics } from '@pelt/math';
import { decompose } from '@pelt/skin';
import { creatureScene } from '@pelt/testkit';

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  const { sequence } = creatureScene();
  const numerics = await openNumerics({ threads: 2 });
  const series = /** @type {const} */ (['ssdr', 'affine']).map((method) => {
    /** @type {number[]} */
    const x = [];
    /** @type {number[]} */
    const y = [];
    decompose(
      sequence,
      { bones: 8, method },
      {
        numerics,
        onProgress: ({ eRms }) => {
          if (eRms === undefined) return;
          x.push(x.length + 1);
          y.push(eRms);
        },
      },
    );
    const name = method === 'ssdr' ? 'rigid bones' : 'affine bones';
    return { name, mark: /** @type {const} */ ('line'), x, y };
  });
  numerics.close();
  return {
    width: 640,
    panelHeight: 260,
    panels: [
      { kind: 'plot', x: { label: 'round' }, y: { label: 'best E_RMS of each start so far', scale: 'log' }, series },
    ],
  };
}
