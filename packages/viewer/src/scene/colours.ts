/** The colours of a subject's surface: of its parts, its weights, or its distance to the original. */
import type { ViewSubject } from '@pelt/jobs/view';
import { distinctColours, mapColour, NEUTRAL, type Triple } from '../drawing/colour.ts';

/** Steps of the heat map: more than a screen can show. */
const STEPS = 512;
const HEAT = Array.from({ length: STEPS + 1 }, (_, k) => mapColour('heat', k / STEPS));

/** n × 3 linear RGB: every vertex in its bones' colours, mixed by weight; undefined where there is no skin */
export function weightColours({ rig, positions }: ViewSubject): Float32Array | undefined {
  if (!rig?.skinned) return undefined;
  const { slots, bones, weights, names } = rig;
  const palette = distinctColours(names.length);
  const out = new Float32Array(positions.length);
  for (let k = 0; k < weights.length; k++) {
    const i = Math.floor(k / slots);
    for (let c = 0; c < 3; c++) out[3 * i + c] += weights[k] * palette[bones[k]][c];
  }
  return out;
}

/** Linear RGB of a distance on a scale that ends at `max`. */
export function heatColour(value: number, max: number): Triple {
  return HEAT[Math.round(STEPS * Math.min(1, Math.max(0, value / max)))];
}

/** n × 3 linear RGB of the parts; undefined where the file gives them one colour. */
export function partColours({ parts, positions, triangles }: ViewSubject): Float32Array | undefined {
  if (!parts.some(({ colour }) => colour)) return undefined;
  const neutral = srgbToLinear(NEUTRAL);
  const out = new Float32Array(positions.length);
  parts.forEach(({ firstTriangle, colour }, p) => {
    const end = parts[p + 1]?.firstTriangle ?? triangles.length / 3;
    for (let k = 3 * firstTriangle; k < 3 * end; k++) out.set(colour ?? neutral, 3 * triangles[k]);
  });
  return out;
}

function srgbToLinear(hex: string): Triple {
  return [1, 3, 5].map((k) => {
    const value = Number.parseInt(hex.slice(k, k + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as Triple;
}
