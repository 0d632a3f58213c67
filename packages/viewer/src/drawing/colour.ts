/**
 * Colours that mean something: maps for scalars whose steps look equal, and sets of colours that are easy to tell
 * apart. Both are built in Oklab, where distance is close to what the eye sees.
 *
 * Reference: Ottosson. A perceptual color space for image processing. 2020.
 */

export type Triple = [number, number, number];
export type ColourMap = 'heat' | 'diverging';

/** The colour of a mesh that has none. */
export const NEUTRAL = '#c9ccd1';
/** The same for one that is see-through. */
export const GLASS = '#8f9aa8';
export const BACKGROUND = '#f5f5f2';
export const INK = '#22262b';
export const ACCENT = '#c2410c';

/**
 * Key colours of the maps as (lightness, chroma, hue in degrees). Lightness changes evenly along each, so that the
 * order of values also survives in grey; 'heat' starts at the neutral mesh colour: no error looks like no colour.
 */
const MAPS: Readonly<Record<ColourMap, readonly Triple[]>> = {
  heat: [
    [0.9, 0.012, 95],
    [0.8, 0.13, 88],
    [0.67, 0.175, 55],
    [0.52, 0.19, 28],
    [0.36, 0.14, 12],
    [0.22, 0.09, 340],
  ],
  diverging: [
    [0.42, 0.14, 258],
    [0.65, 0.1, 245],
    [0.92, 0.01, 200],
    [0.67, 0.14, 45],
    [0.44, 0.15, 25],
  ],
};

/** Levels of lightness that sets of colours are chosen from. */
const LIGHTNESS = { surface: [0.78, 0.62, 0.7], ink: [0.52, 0.42, 0.62] };

/** @returns linear RGB, not clipped */
function oklabToLinear([L, a, b]: Triple): Triple {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** @param lch  lightness, chroma, hue in degrees */
function lchToLab([L, C, h]: Triple): Triple {
  const angle = (h * Math.PI) / 180;
  return [L, C * Math.cos(angle), C * Math.sin(angle)];
}

function clip(rgb: Triple): Triple {
  return rgb.map((channel) => Math.min(1, Math.max(0, channel))) as Triple;
}

/**
 * @param x  0 to 1; outside is clamped, and not a number is black
 * @returns linear RGB
 */
export function mapColour(name: ColourMap, x: number): Triple {
  if (Number.isNaN(x)) return [0, 0, 0];
  const keys = MAPS[name];
  const position = Math.min(1, Math.max(0, x)) * (keys.length - 1);
  const k = Math.min(Math.floor(position), keys.length - 2);
  const [from, to] = [lchToLab(keys[k]), lchToLab(keys[k + 1])];
  const mixed = from.map((value, c) => value + (to[c] - value) * (position - k));
  return clip(oklabToLinear(mixed as Triple));
}

/**
 * Colours for clusters and bones: from a lattice of clear colours, each next one is the farthest in Oklab from those
 * already taken. The first ones are the same however many are asked for.
 *
 * @param use  lit surfaces, or lines and text on the light ground
 * @returns linear RGB
 */
export function distinctColours(count: number, use: keyof typeof LIGHTNESS = 'surface'): Triple[] {
  const candidates = LIGHTNESS[use].flatMap((L) =>
    Array.from({ length: 24 }, (_, k) => lchToLab([L, 0.115, 250 + k * 15])),
  );
  const distance = candidates.map(() => Number.POSITIVE_INFINITY);
  const chosen: Triple[] = [];
  for (let next = 0; chosen.length < Math.min(count, candidates.length); next = indexOfLargest(distance)) {
    const colour = candidates[next];
    chosen.push(colour);
    candidates.forEach((candidate, k) => {
      distance[k] = Math.min(distance[k], Math.hypot(...candidate.map((value, c) => value - colour[c])));
    });
  }
  return Array.from({ length: count }, (_, k) => clip(oklabToLinear(chosen[k % chosen.length])));
}

function indexOfLargest(values: readonly number[]): number {
  return values.reduce((best, value, k) => (value > values[best] ? k : best), 0);
}

/** @returns '#rrggbb' */
export function toHex(linear: Triple): string {
  const bytes = linear.map((channel) => {
    const encoded = channel <= 0.0031308 ? 12.92 * channel : 1.055 * channel ** (1 / 2.4) - 0.055;
    return Math.round(255 * encoded);
  });
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
