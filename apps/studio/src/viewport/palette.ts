/**
 * Colours of the viewport, those of the guide's figures: a heat map whose lightness falls evenly, and colours for bones
 * that are easy to tell apart, both built in Oklab.
 *
 * Reference: Ottosson. A perceptual color space for image processing. 2020.
 */
export type Triple = readonly [number, number, number];

export const GROUND = '#f5f5f2';
export const INK = '#22262b';
/** Lines on the ground. */
export const GRID = '#dcdcd6';
/** Linear RGB of a mesh without colour, sRGB #c9ccd1. */
export const NEUTRAL: Triple = [0.584, 0.604, 0.638];

/** Lightness, chroma and hue in degrees; the first is near the neutral colour: no error looks like no colour. */
const HEAT: readonly Triple[] = [
  [0.9, 0.012, 95],
  [0.8, 0.13, 88],
  [0.67, 0.175, 55],
  [0.52, 0.19, 28],
  [0.36, 0.14, 12],
  [0.22, 0.09, 340],
];
const HEAT_STEPS = 256;
const BONE_LIGHTNESS = [0.78, 0.62, 0.7];
const BONE_HUES = 24;

function fromLch([L, C, hue]: Triple): Triple {
  const angle = (hue * Math.PI) / 180;
  return [L, C * Math.cos(angle), C * Math.sin(angle)];
}

function toLinear([L, a, b]: Triple): Triple {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (x: number) => Math.min(1, Math.max(0, x));
  return [
    clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** @param x  0 to 1; outside is clamped */
function heatAt(x: number): Triple {
  const place = Math.min(1, Math.max(0, x)) * (HEAT.length - 1);
  const k = Math.min(Math.floor(place), HEAT.length - 2);
  const [from, to] = [fromLch(HEAT[k]), fromLch(HEAT[k + 1])];
  const mix = (c: 0 | 1 | 2) => from[c] + (to[c] - from[c]) * (place - k);
  return toLinear([mix(0), mix(1), mix(2)]);
}

/** 256 × 3 linear RGB: looked up per vertex and frame. */
export const HEAT_TABLE = Float32Array.from(
  Array.from({ length: HEAT_STEPS }, (_, k) => heatAt(k / (HEAT_STEPS - 1))).flat(),
);

/** Row of the table for a share of the scale. */
export function heatRow(x: number): number {
  return 3 * Math.min(HEAT_STEPS - 1, Math.max(0, Math.round(x * (HEAT_STEPS - 1))));
}

/** CSS colours along the heat map, for its legend. */
export function heatStops(count: number): string[] {
  return Array.from({ length: count }, (_, k) => cssColour(heatAt(k / (count - 1))));
}

/** Linear RGB for every bone: each next colour is the farthest from those before. */
export function boneColours(count: number): Triple[] {
  const candidates = BONE_LIGHTNESS.flatMap((L) =>
    Array.from({ length: BONE_HUES }, (_, k) => fromLch([L, 0.115, 250 + (k * 360) / BONE_HUES])),
  );
  const apart = candidates.map(() => Number.POSITIVE_INFINITY);
  const chosen: Triple[] = [];
  for (let next = 0; chosen.length < Math.min(count, candidates.length); next = apart.indexOf(Math.max(...apart))) {
    const colour = candidates[next];
    chosen.push(colour);
    candidates.forEach((other, k) => {
      apart[k] = Math.min(apart[k], Math.hypot(other[0] - colour[0], other[1] - colour[1], other[2] - colour[2]));
    });
  }
  return Array.from({ length: count }, (_, k) => toLinear(chosen[k % chosen.length]));
}

export function cssColour(linear: Triple): string {
  const encode = (x: number) => Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
  return `rgb(${encode(linear[0])} ${encode(linear[1])} ${encode(linear[2])})`;
}
