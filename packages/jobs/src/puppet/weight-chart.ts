/** How much each pair of poses counts over a performance, as figures and as a picture. */
import { type Registration, UsageError } from '@pelt/model';
import type { Job } from '../job.ts';

export interface PairWeights {
  readonly pairs: readonly string[];
  readonly parts: readonly string[];
  /** Seconds. */
  readonly times: readonly number[];
  /** For each time, each part, each pair; those of a part sum to 1, and may be below 0. */
  readonly values: readonly (readonly (readonly number[])[])[];
}

/** Most moments that a report tells of. */
const MOST_TIMES = 600;

export class WeightRecord {
  readonly #pairs: readonly string[];
  readonly #parts: readonly string[];
  readonly #values: number[][][] = [];

  constructor(parts: readonly string[], { pairs }: Registration) {
    this.#parts = parts;
    this.#pairs = pairs.map(({ name }) => name);
  }

  add(weights: Float64Array): void {
    const N = this.#pairs.length;
    this.#values.push(this.#parts.map((_, p) => Array.from(weights.subarray(p * N, (p + 1) * N), rounded)));
  }

  /** @param times  of the frames that were added */
  over(times: Float64Array): PairWeights {
    const step = Math.ceil(times.length / MOST_TIMES);
    const some = <T>(list: readonly T[]) => list.filter((_, k) => k % step === 0);
    return { pairs: this.#pairs, parts: this.#parts, times: some([...times]), values: some(this.#values) };
  }
}

function rounded(value: number): number {
  return Number(value.toFixed(4));
}

const [WIDTH, HEIGHT, MARGIN, LEGEND] = [760, 150, 46, 150];
/** Colours that people with any vision can tell apart (Okabe, Ito). */
const COLOURS = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#6b4fa0', '#8a6d3b'];

export function writeChart(file: string, weights: PairWeights | undefined, job: Job): void {
  if (!weights) throw new UsageError('--chart draws the weights of pairs, and there are none; give --pairs');
  if (!/\.svg$/i.test(file)) throw new UsageError(`'${file}' is not an .svg file, which the chart is written as`);
  job.outputs.reserve(file);
  job.outputs.write(file, new TextEncoder().encode(weightChart(weights)));
}

/** A plot for each part: a line for each pair. */
export function weightChart({ pairs, parts, times, values }: PairWeights): string {
  const all = values.flat(2);
  const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)];
  const duration = times.at(-1) || 1;
  const x = (time: number) => MARGIN + (time / duration) * (WIDTH - MARGIN - LEGEND);
  const y = (part: number, value: number) => (part + 1) * HEIGHT - 24 - ((value - low) / (high - low)) * (HEIGHT - 44);
  const plots = parts.map((name, p) => {
    const lines = pairs.map((_, k) => {
      const points = times.map((time, t) => `${x(time).toFixed(1)},${y(p, values[t][p][k]).toFixed(1)}`);
      return `<polyline points="${points.join(' ')}" stroke="${COLOURS[k % COLOURS.length]}"/>`;
    });
    const rules = [0, 1].map((value) => {
      const at = y(p, value).toFixed(1);
      return (
        `<line x1="${MARGIN}" x2="${WIDTH - LEGEND}" y1="${at}" y2="${at}" stroke="#bbb"/>` +
        `<text x="${MARGIN - 6}" y="${at}" text-anchor="end" dominant-baseline="middle">${value}</text>`
      );
    });
    const seconds = [0, duration].map(
      (time) =>
        `<text x="${x(time).toFixed(1)}" y="${(p + 1) * HEIGHT - 6}" text-anchor="middle">${time.toFixed(1)} s</text>`,
    );
    return `${rules.join('')}${lines.join('')}${seconds.join('')}<text x="${MARGIN}" y="${p * HEIGHT + 14}">${escaped(name)}</text>`;
  });
  const legend = pairs.map(
    (name, k) =>
      `<line x1="${WIDTH - LEGEND + 12}" x2="${WIDTH - LEGEND + 30}" y1="${22 + 16 * k}" y2="${22 + 16 * k}" ` +
      `stroke="${COLOURS[k % COLOURS.length]}" stroke-width="2"/>` +
      `<text x="${WIDTH - LEGEND + 36}" y="${26 + 16 * k}">${escaped(name)}</text>`,
  );
  const height = Math.max(parts.length * HEIGHT, 40 + 16 * pairs.length);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="11" ` +
    `fill="none" stroke-width="1.5"><rect width="${WIDTH}" height="${height}" fill="#fff"/>` +
    `${[...plots, ...legend].join('').replaceAll('<text ', '<text fill="#333" stroke="none" ')}</svg>\n`
  );
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
