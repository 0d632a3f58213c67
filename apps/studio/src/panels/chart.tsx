/** A small uPlot chart in the colours of the theme, as large as its place. */
import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

interface ChartProps {
  /** What it shows, in words. */
  readonly label: string;
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** Pixels; absent: as high as its place. */
  readonly height?: number;
  readonly kind: 'line' | 'area' | 'points';
  /** Whether values stand beside it. */
  readonly axes?: boolean;
  readonly onPick?: (index: number) => void;
}

export function Chart({ label, x, y, height, kind, axes = false, onPick }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const size = () => ({
      width: Math.max(10, element.clientWidth),
      height: height ?? Math.max(10, element.clientHeight),
    });
    const colour = (name: string) => getComputedStyle(element).getPropertyValue(name).trim();
    const accent = colour('--accent');
    const axis = {
      stroke: colour('--dim'),
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
      font: '11px sans-serif',
      size: 32,
    };
    const least = Math.min(...y, 0);
    const chart = new UPlot(
      {
        ...size(),
        padding: axes ? [8, 8, 0, 0] : [4, 0, 0, 0],
        legend: { show: false },
        cursor: { show: onPick !== undefined, x: false, y: false, drag: { x: false, y: false } },
        scales: { x: { time: false }, y: { range: (_, __, max) => [least, max > 0 ? 1.08 * max : 1] } },
        axes: axes
          ? [
              { ...axis, size: 24 },
              { ...axis, size: 40 },
            ]
          : [{ show: false }, { show: false }],
        series: [
          {},
          {
            stroke: accent,
            width: 2,
            ...(kind === 'area' && { fill: `${accent}33` }),
            points: { show: kind === 'points', size: 7, fill: accent },
          },
        ],
        hooks: onPick
          ? {
              init: [
                (plot) => {
                  plot.over.addEventListener('click', () => {
                    const { idx } = plot.cursor;
                    if (idx !== null && idx !== undefined) onPick(idx);
                  });
                },
              ],
            }
          : {},
      },
      [Float64Array.from(x), Float64Array.from(y)],
      element,
    );
    const observer = new ResizeObserver(() => chart.setSize(size()));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [x, y, height, kind, axes, onPick]);
  return <div class={`chart ${height === undefined ? 'fill' : ''}`} ref={place} role="img" aria-label={label} />;
}
