/** Which part of the canvas shows what. */
import type { Layout } from '../store/view.ts';
import type { Region } from './stage.ts';

export interface PlannedRegion {
  readonly region: Region;
  /** What the camera fills: the region, or the whole of which it is cut out. */
  readonly view: Region;
  readonly shows: 'given' | 'result' | 'both';
}

/** What was given and what came of it, beside each other, over each other, or divided by a line. */
export function comparedRegions(width: number, height: number, layout: Layout, split: number): PlannedRegion[] {
  const whole = { x: 0, y: 0, width, height };
  if (layout === 'overlay') return [{ region: whole, view: whole, shows: 'both' }];
  if (layout === 'result') return [{ region: whole, view: whole, shows: 'result' }];
  const at = Math.round(width * (layout === 'split' ? split : 0.5));
  const left = { x: 0, y: 0, width: at, height };
  const right = { x: at, y: 0, width: width - at, height };
  const apart = layout === 'beside';
  return [
    { region: left, view: apart ? left : whole, shows: 'given' },
    { region: right, view: apart ? right : whole, shows: 'result' },
  ];
}

/** So many views of one thing beside each other; one fills the canvas. */
export function equalRegions(width: number, height: number, count: number, shows: 'given' | 'result'): PlannedRegion[] {
  return Array.from({ length: count }, (_, k) => {
    const [x, end] = [Math.round((k * width) / count), Math.round(((k + 1) * width) / count)];
    const region = { x, y: 0, width: end - x, height };
    return { region, view: region, shows };
  });
}
