/** Blend shapes of a mesh, with in-betweens as targets of their own. */
import type { WarningTally } from '../../warning-tally.ts';
import type { StagePrim, UsdStage } from './compose.ts';
import { numbersOf } from './usd-geometry.ts';
import { numberOf, textOf, type UsdNumbers, wordsOf } from './usd-layer.ts';

export interface UsdTarget {
  readonly name: string;
  /** What animations call the shape. */
  readonly shape: string;
  /** Weights of the shape at which the target before, this one, and the next are whole. */
  readonly before: number;
  readonly peak: number;
  readonly next: number;
  /** points × 3 */
  readonly offsets: Float32Array;
}

/** How much of a target a weight of its shape is: lines from one in-between to the next. */
export function targetWeight({ before, peak, next }: UsdTarget, weight: number): number {
  if (weight <= peak || next === Number.POSITIVE_INFINITY) {
    // Below the first in-between the shape goes on in its direction.
    return weight <= before && before > 0 ? 0 : (weight - before) / (peak - before);
  }
  return weight >= next ? 0 : (next - weight) / (next - peak);
}

export function readShapes(stage: UsdStage, prim: StagePrim, points: number, warnings: WarningTally): UsdTarget[] {
  const names = wordsOf(prim.properties.get('skel:blendShapes')?.value());
  const paths = prim.properties.get('skel:blendShapeTargets')?.targets ?? [];
  return names.flatMap((shape, r) => {
    const found = stage.find(paths[r] ?? '');
    if (!found) {
      warnings.add(`blend shape '${shape}' of '${prim.path}' is not there`);
      return [];
    }
    return targetsOf(found, shape, points);
  });
}

function targetsOf(prim: StagePrim, shape: string, points: number): UsdTarget[] {
  const name = textOf(prim.metadata.displayName) || prim.name;
  const places = numbersOf(prim.properties.get('pointIndices'));
  const inner = [...prim.properties].flatMap(([key, property]) => {
    const match = /^inbetweens:([^:]+)$/.exec(key);
    const weight = numberOf(property.metadata.weight, Number.NaN);
    const offsets = numbersOf(property);
    return match && weight > 0 && weight < 1 && offsets ? [{ name: `${name} ${match[1]}`, peak: weight, offsets }] : [];
  });
  const last = { name, peak: 1, offsets: numbersOf(prim.properties.get('offsets')) ?? new Float32Array(0) };
  const all = [...inner.sort((a, b) => a.peak - b.peak), last].filter(
    ({ peak }, k, list) => k === 0 || peak > list[k - 1].peak,
  );
  return all.map(({ name: target, peak, offsets }, k) => ({
    name: target,
    shape,
    before: k > 0 ? all[k - 1].peak : 0,
    peak,
    next: all[k + 1]?.peak ?? Number.POSITIVE_INFINITY,
    offsets: spread(offsets, places, points),
  }));
}

/** Offsets of all points from those of some. */
function spread(offsets: UsdNumbers, places: UsdNumbers | undefined, points: number): Float32Array {
  const out = new Float32Array(3 * points);
  const count = Math.min(Math.floor(offsets.length / 3), places && places.length > 0 ? places.length : points);
  for (let k = 0; k < count; k++) {
    const i = places && places.length > 0 ? places[k] : k;
    if (!(i >= 0 && i < points)) continue;
    for (let d = 0; d < 3; d++) out[3 * i + d] = Number.isFinite(offsets[3 * k + d]) ? offsets[3 * k + d] : 0;
  }
  return out;
}
