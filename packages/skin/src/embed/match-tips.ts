/**
 * Which extremity of a body is which tip of a template: minimise, over injective maps of tips to extremities,
 *
 *   Σ_t w_p ‖x_t − y_m(t)‖² + w_d mean_u ((g_tu − g'_m(t)m(u)) / (g_tu + g'_m(t)m(u)))² + w_r profile(t, m(t)) + w_s sides
 *   + w_o (prominence(t) − prominence'(m(t)))₊ + missing tips,
 *
 * where x, y are the places of tips in the body's own measure, g, g' distances along centre lines, which hardly depend on the
 * pose, the profile compares how thick a limb is along its way, and sides is the squared distance of a tip in the middle from
 * the mirror plane, and of one with a twin from the twin's mirror image. What sticks out far is more likely a limb than a bump.
 * Solved for a given frame (which way the template is
 * turned) by exchanges from a greedy start.
 */
import { log } from '@pelt/math';
import type { CentreLine, Point } from './centre-line.ts';

/** Tips or extremities of a body, measured in its size. */
export interface MeasuredTips {
  readonly places: readonly Point[];
  /** t × t distances along centre lines */
  readonly apart: readonly (readonly number[])[];
  /** Thickness at some places along the way from each to the middle. */
  readonly profiles: readonly (readonly number[])[];
  /** How far each sticks out of the rest, at most 1. */
  readonly prominences: readonly number[];
}

export interface TipMatch {
  /** t: the extremity of each tip; −1 for none */
  readonly extremity: readonly number[];
  readonly cost: number;
}

/** Weights of the terms. */
const [PLACE, APART, PROFILE, PROMINENCE] = [0.3, 8, 0.25, 1.5];
/** Of a tip in the middle; and of twins, which a step moves apart. */
const [MIDDLE, TWINS] = [1.5, 0.3];
/** What a missing limb costs, and the least that a missing tip does. */
export const [MISSING, LEAST_MISSING] = [6, 1];
const MOST_ROUNDS = 30;

/** What is known of the tips of a template. */
export interface TipRole {
  /** What it costs a body to be without; a limb that it must have costs `MISSING`. */
  readonly missing: number;
  /** The tip on the other side; its own index in the middle; −1 for none. */
  readonly twin: number;
}

/**
 * @param turn   3 × 3, from the template's axes to the body's
 * @param start  t: extremities to begin with; absent: greedily
 */
export function matchTips(
  template: MeasuredTips,
  body: MeasuredTips,
  roles: readonly TipRole[],
  turn: readonly number[],
  start?: readonly number[],
): TipMatch {
  const t = template.places.length;
  const e = body.places.length;
  // In the frame, x is across the body.
  const framed = body.places.map((place) =>
    [0, 1, 2].map((c) => turn[c] * place[0] + turn[3 + c] * place[1] + turn[6 + c] * place[2]),
  );
  const own = template.places.map((place, k) => {
    const turned = [0, 1, 2].map(
      (r) => turn[3 * r] * place[0] + turn[3 * r + 1] * place[1] + turn[3 * r + 2] * place[2],
    );
    return body.places.map((other, x) => {
      const apart = turned.reduce((sum, value, d) => sum + (value - other[d]) ** 2, 0);
      const aside = roles[k].twin === k ? framed[x][0] ** 2 : 0;
      const alike = PLACE * apart + PROFILE * unlike(template.profiles[k], body.profiles[x]);
      const short = Math.max(0, template.prominences[k] - body.prominences[x]);
      return alike + MIDDLE * aside + PROMINENCE * short;
    });
  });
  const map = start ? [...start] : new Array<number>(t).fill(-1);
  const cost = () => {
    let sum = 0;
    let pairs = 0;
    let unequal = 0;
    for (let a = 0; a < t; a++) {
      if (map[a] < 0) {
        sum += roles[a].missing;
        continue;
      }
      sum += own[a][map[a]];
      const twin = map[roles[a].twin] ?? -1;
      if (roles[a].twin < a && twin >= 0) sum += TWINS * unlikeTwins(framed[map[a]], framed[twin]);
      for (let b = 0; b < a; b++) {
        if (map[b] < 0) continue;
        const [g, h] = [template.apart[a][b], body.apart[map[a]][map[b]]];
        unequal += ((g - h) / (g + h)) ** 2;
        pairs++;
      }
    }
    const matched = map.filter((x) => x >= 0).length;
    return sum + (pairs > 0 ? (APART * unequal * matched) / pairs : 0);
  };
  // Greedily, the surest pair first.
  const order = own.flatMap((row, a) => row.map((value, x) => ({ a, x, value }))).sort((p, q) => p.value - q.value);
  for (const { a, x, value } of start ? [] : order) {
    if (map[a] < 0 && !map.includes(x) && value < roles[a].missing) map[a] = x;
  }
  let best = cost();
  for (let round = 0, better = true; better && round < MOST_ROUNDS; round++) {
    better = false;
    for (let a = 0; a < t; a++) {
      for (let x = -1; x < e; x++) {
        if (map[a] === x) continue;
        const before = map.slice();
        const holder = x < 0 ? -1 : map.indexOf(x);
        // Whoever has it takes what this tip had.
        if (holder >= 0) map[holder] = map[a];
        map[a] = x;
        const now = cost();
        if (now < best - 1e-9) [best, better] = [now, true];
        else for (let k = 0; k < t; k++) map[k] = before[k];
      }
    }
  }
  return { extremity: map, cost: best };
}

/** Distances along the way, in sizes of the body, at which thickness is compared. */
const PROFILE_AT = [0.15, 0.3, 0.45, 0.6, 0.75, 0.9];

/** Thickness along a line from its start, in parts of its mean. */
export function profileOf(line: CentreLine, size: number): number[] {
  const radii = PROFILE_AT.map((share) => line.radiusAt(Math.min(share * size, line.length)));
  const mean = radii.reduce((sum, radius) => sum + radius, 0) / radii.length;
  return radii.map((radius) => log(radius / mean));
}

function unlikeTwins(a: readonly number[], b: readonly number[]): number {
  return (a[0] + b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
}

function unlike(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, k) => sum + (value - b[k]) ** 2, 0);
}
