// @ts-check
/** How the enveloping error of each skin is spread over the vertices of the arm: histograms over 40 unseen poses. */
import { openNumerics } from '@pelt/math';
import { armSkins, errorOf } from './envelope-rivals.mjs';

const BINS = 24;
const MOST = 120;

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  const numerics = await openNumerics({ threads: 2 });
  const scene = armSkins(numerics);
  const series = scene.skins.map(({ name, deform }) => {
    const ratios = Array.from(errorOf(scene, deform).perVertex).filter((ratio) => !Number.isNaN(ratio));
    const counts = new Float64Array(BINS);
    for (const ratio of ratios) counts[Math.min(BINS - 1, Math.floor((100 * ratio * BINS) / MOST))]++;
    // Steps: both ends of every bar.
    const edges = Array.from({ length: 2 * BINS }, (_, k) => (Math.ceil(k / 2) * MOST) / BINS);
    const shares = edges.map((_, k) => (100 * counts[Math.floor(k / 2)]) / ratios.length);
    return { name, x: edges, y: shares };
  });
  numerics.close();
  return {
    width: 720,
    panelHeight: 280,
    panels: [
      {
        kind: 'plot',
        x: { label: 'enveloping error of a vertex, %', min: 0, max: MOST },
        y: { label: 'vertices, %', min: 0 },
        series,
      },
    ],
  };
}
