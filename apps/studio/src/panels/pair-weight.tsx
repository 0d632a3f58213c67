/** How much of a pair is in a pose, now and over time: what is below nothing is drawn below the line. */
import type { ShownWeights } from '../store/session.ts';
import { pairColour } from './pair-colours.ts';

interface PairWeightProps {
  readonly name: string;
  readonly value: number;
  /** Of the pair among all of them, for its colour. */
  readonly place: number;
}

/** A bar from nothing to all of it, to the right; to the left where it is taken away. */
export function PairWeight({ name, value, place }: PairWeightProps) {
  const share = Math.min(1, Math.max(-1, value));
  return (
    <div class="weight">
      <span class="label" title={name}>
        {name}
      </span>
      <div
        class="bar signed"
        role="progressbar"
        aria-label={name}
        aria-valuemin={-100}
        aria-valuemax={100}
        aria-valuenow={Math.round(100 * share)}
      >
        <div
          style={{
            background: pairColour(place),
            left: `${share < 0 ? 33 + 33 * share : 33}%`,
            width: `${(share < 0 ? -33 : 67) * share}%`,
          }}
        />
      </div>
      <span class="share">{value.toFixed(2)}</span>
    </div>
  );
}

interface WeightPlotProps {
  readonly weights: ShownWeights;
  readonly frames: number;
  readonly part: number;
}

/** Columns of the plot, at most. */
const COLUMNS = 400;
const HEIGHT = 100;

/** Weights of a part over time, stacked: those above nothing upwards, those below it downwards. */
export function WeightPlot({ weights, frames, part }: WeightPlotProps) {
  const { pairs, parts, values } = weights;
  const [P, N] = [parts.length, pairs.length];
  const step = Math.max(1, Math.ceil(frames / COLUMNS));
  const columns = Array.from({ length: Math.ceil(frames / step) }, (_, k) => Math.min(frames - 1, k * step));
  const at = (t: number, k: number) => values[(t * P + part) * N + k] ?? 0;
  const sums = columns.map((t) => pairs.reduce((sum, _, k) => sum + Math.max(0, at(t, k)), 0));
  const falls = columns.map((t) => pairs.reduce((sum, _, k) => sum + Math.min(0, at(t, k)), 0));
  const [high, low] = [Math.max(1, ...sums), Math.min(0, ...falls)];
  const y = (value: number) => (HEIGHT * (high - value)) / (high - low);
  const x = (t: number) => (1000 * t) / Math.max(1, frames - 1);
  const [up, down] = [columns.map(() => 0), columns.map(() => 0)];
  const areas = pairs.map((name, k) => {
    const edges = columns.map((t, c) => {
      const value = at(t, k);
      const stack = value < 0 ? down : up;
      const from = stack[c];
      stack[c] += value;
      // A pair that is above nothing has no area below, and the other way round.
      return { t, from, to: stack[c] };
    });
    const there = edges.map(({ t, to }) => `${x(t).toFixed(1)} ${y(to).toFixed(2)}`);
    const back = edges.toReversed().map(({ t, from }) => `${x(t).toFixed(1)} ${y(from).toFixed(2)}`);
    return <path key={name} d={`M${[...there, ...back].join('L')}Z`} fill={pairColour(k)} />;
  });
  return (
    <svg class="weight-plot" viewBox={`0 0 1000 ${HEIGHT}`} preserveAspectRatio="none" role="img">
      <title>
        How much each pair counts in {parts[part]}, from {low.toFixed(2)} to {high.toFixed(2)}
      </title>
      {areas}
      <line x1={0} x2={1000} y1={y(0)} y2={y(0)} class="nothing" />
    </svg>
  );
}
