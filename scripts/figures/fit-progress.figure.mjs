// @ts-check
/** How the error falls round by round, for rigid and affine bones, on the walking creature of the examples. */
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
        onProgress: ({ detail }) => {
          const [, round, error] = /round (\d+), E_RMS ([\d.]+)/.exec(detail ?? '') ?? [];
          if (round === undefined) return;
          x.push(Number(round));
          y.push(Number(error));
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
    panels: [{ kind: 'plot', x: { label: 'round' }, y: { label: 'best E_RMS so far', scale: 'log' }, series }],
  };
}
