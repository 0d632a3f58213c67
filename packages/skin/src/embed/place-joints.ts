/**
 * Carries the joints of a template over to a body by corresponding centre lines. A joint divides the tips of the skeleton
 * into those below it and the others; it lies on a line between a tip of either kind, between where the lines of the former
 * have come together and where those of the latter part. Measured by arc length between these places, and by the thickness
 * of the body aside of the line, its place is one in any other body whose tips correspond, whatever its proportions and pose.
 */
import { CentreLine, type Point } from './centre-line.ts';
import { type CentreTree, nearestCell } from './centre-tree.ts';
import type { Template } from './template.ts';

export interface PlacedJoint {
  readonly at: Point;
  /** Of the body around it. */
  readonly radius: number;
}

/** A tip of the template with the extremity that it is. */
export interface TipPair {
  readonly joint: number;
  readonly from: number;
  readonly to: number;
}

/** Bounds of the ratio of thicknesses, relative to that of the bodies. */
const [THINNEST, THICKEST] = [0.4, 2.5];
/** Depth, in parts of the local radius, that a joint aside of its line keeps. */
const INSIDE = 0.35;

/** Lines between tips, each made once. */
export class Lines {
  readonly #tree: CentreTree;
  readonly #lines = new Map<string, CentreLine>();

  constructor(tree: CentreTree) {
    this.#tree = tree;
  }

  between(from: number, to: number): CentreLine {
    const key = `${from} ${to}`;
    let line = this.#lines.get(key);
    if (!line) {
      line = new CentreLine(this.#tree, from, to);
      this.#lines.set(key, line);
    }
    return line;
  }
}

/**
 * @param pairs  corresponding tips
 * @param turn   3 × 3, from the template's axes to the body's
 * @param scale  of the body, in that of the template
 * @param given  places of joints that are known; others on the same lines follow
 * @returns for each joint of the template its place; undefined for those whose tips the body has not
 */
export function placeJoints(
  template: Template,
  templateLines: Lines,
  body: CentreTree,
  bodyLines: Lines,
  pairs: readonly TipPair[],
  turn: readonly number[],
  scale: number,
  given: ReadonlyMap<number, Point> = new Map(),
): (PlacedJoint | undefined)[] {
  const { joints } = template;
  const below = joints.map((_, j) => pairs.map(({ joint }) => isBelow(template, joint, j)));
  const lost = joints.map((_, j) => {
    const own = template.tips.filter(({ joint }) => isBelow(template, joint, j));
    return own.length > 0 && !below[j].includes(true);
  });
  const placed: (PlacedJoint | undefined)[] = joints.map((_, j) => {
    const known = given.get(j);
    if (known) return { at: known, radius: body.solid.depth[nearestCell(body.solid, known)] };
    if (lost[j] || !below[j].includes(true)) return undefined;
    const sides = sidesOf(template, pairs, below, j);
    let best: { line: CentreLine; s: number; away: number; a: number; b: number } | undefined;
    for (const [ours, others] of sides) {
      for (const a of ours) {
        for (const b of others) {
          const line = templateLines.between(pairs[a].from, pairs[b].from);
          const { s, away } = line.nearest(joints[j].at);
          if (!best || away < best.away) best = { line, s, away, a, b };
        }
      }
    }
    if (!best) return undefined;
    const { line, s, a, b } = best;
    const [ours, others] = sides.find(([x, y]) => x.includes(a) && y.includes(b)) ?? sides[0];
    const image = bodyLines.between(pairs[a].to, pairs[b].to);
    const theirs = knots(line, pairs, ours, others, a, b, 'from');
    const images = restrained(knots(image, pairs, ours, others, a, b, 'to'), theirs, template.stretch);
    const fixed = [...given].flatMap(([g, at]): [number, number][] =>
      below[g][a] === below[g][b] ? [] : [[line.nearest(joints[g].at).s, image.nearest(at).s]],
    );
    const [from, to] = withFixed(theirs, images, fixed);
    const end = carried(s, from, to);
    return beside(joints[j].at, line, s, image, end, body, turn, scale);
  });
  // What has no tip of its own, such as a jaw, keeps its place in what it hangs from.
  joints.forEach(({ parent, at }, j) => {
    if (placed[j] || lost[j] || parent < 0) return;
    const above = placed[parent];
    if (!above) return;
    const offset = turned(turn, difference(at, joints[parent].at));
    placed[j] = { at: sum(above.at, offset, scale), radius: above.radius };
  });
  // A root that is above all of it, such as a node on the ground.
  for (let j = joints.length - 1; j >= 0; j--) {
    if (placed[j] || lost[j]) continue;
    const child = joints.findIndex(({ parent }, k) => parent === j && placed[k]);
    const below = placed[child];
    if (!below) continue;
    const offset = turned(turn, difference(joints[j].at, joints[child].at));
    placed[j] = { at: sum(below.at, offset, scale), radius: below.radius };
  }
  return placed;
}

type Sides = readonly [ours: readonly number[], others: readonly number[]];

/** The pairs below a joint and the others; of one above all, those below each of its children and the others. */
function sidesOf(
  { joints }: Template,
  pairs: readonly TipPair[],
  below: readonly (readonly boolean[])[],
  j: number,
): Sides[] {
  const all = pairs.map((_, k) => k);
  const split = (of: readonly boolean[]): Sides => [all.filter((k) => of[k]), all.filter((k) => !of[k])];
  const own = split(below[j]);
  if (own[1].length > 0) return [own];
  const children = joints.flatMap(({ parent }, k) => (parent === j ? [split(below[k])] : []));
  return children.filter(([ours, others]) => ours.length > 0 && others.length > 0);
}

/** Arc lengths on a line: its start, where the others below have joined it, where those on the other side leave, its end. */
function knots(
  line: CentreLine,
  pairs: readonly TipPair[],
  ours: readonly number[],
  others: readonly number[],
  a: number,
  b: number,
  side: 'from' | 'to',
): number[] {
  const branch = (k: number) => line.branchOf(pairs[k][side]);
  const joined = Math.max(0, ...ours.filter((k) => k !== a).map(branch));
  const parted = Math.min(line.length, ...others.filter((k) => k !== b).map(branch));
  const [low, high] = joined <= parted ? [joined, parted] : [(joined + parted) / 2, (joined + parted) / 2];
  return [0, low, high, line.length];
}

/** Knots that are moved to where no part before or behind them is stretched more than `most`, relative to the whole line. */
function restrained(knots: readonly number[], like: readonly number[], most: number): number[] {
  const whole = knots[3] / (like[3] || 1);
  return knots.map((knot, k) => {
    const [before, behind] = [whole * like[k], whole * (like[3] - like[k])];
    const low = Math.max(before / most, knots[3] - behind * most);
    const high = Math.min(before * most, knots[3] - behind / most);
    return Math.min(Math.max(knot, low), high);
  });
}

/** Corresponding places that are known, in place of those that they contradict. */
function withFixed(
  from: readonly number[],
  to: readonly number[],
  fixed: readonly (readonly [number, number])[],
): [from: number[], to: number[]] {
  if (fixed.length === 0) return [[...from], [...to]];
  const order = [...fixed].sort((p, q) => p[0] - q[0]);
  const agrees = (k: number) => order.every(([s, r]) => (from[k] - s) * (to[k] - r) > 0);
  const free = from.flatMap((s, k): [number, number][] => (k === 0 || k === 3 || agrees(k) ? [[s, to[k]]] : []));
  const all = [...free, ...order].sort((p, q) => p[0] - q[0]);
  // Places in another order than in the template are brought into it.
  let last = 0;
  const rising = all.map(([, r]) => {
    last = Math.max(last, r);
    return last;
  });
  return [all.map(([s]) => s), rising];
}

/** Linear between corresponding knots. */
function carried(s: number, from: readonly number[], to: readonly number[]): number {
  let k = 0;
  while (k < from.length - 2 && s > from[k + 1]) k++;
  const span = from[k + 1] - from[k];
  const share = span > 0 ? (s - from[k]) / span : 0.5;
  return to[k] + share * (to[k + 1] - to[k]);
}

/** As far aside of the line as the body is thick there. */
function beside(
  at: Point,
  line: CentreLine,
  s: number,
  image: CentreLine,
  end: number,
  body: CentreTree,
  turn: readonly number[],
  scale: number,
): PlacedJoint {
  const [own, other] = [line.radiusAt(s), image.radiusAt(end)];
  const ratio = Math.min(Math.max(other / own, THINNEST * scale), THICKEST * scale);
  const offset = turned(turn, difference(at, line.at(s)));
  const aligned = alignedBy(turned(turn, line.directionAt(s, 2 * own)), image.directionAt(end, 2 * other), offset);
  const base = image.at(end);
  for (const share of [1, 0.75, 0.5, 0.25]) {
    const place = sum(base, aligned, share * ratio);
    const cell = nearestCell(body.solid, place);
    const { centres, depth, spacing } = body.solid;
    const away = Math.hypot(...[0, 1, 2].map((d) => centres[3 * cell + d] - place[d]));
    if (away < spacing && depth[cell] > Math.min(INSIDE * other, other)) return { at: place, radius: depth[cell] };
  }
  return { at: base, radius: other };
}

/** A vector turned by the least rotation from one direction to another. */
function alignedBy(from: Point, to: Point, v: Point): Point {
  const axis: Point = [
    from[1] * to[2] - from[2] * to[1],
    from[2] * to[0] - from[0] * to[2],
    from[0] * to[1] - from[1] * to[0],
  ];
  const cosine = from[0] * to[0] + from[1] * to[1] + from[2] * to[2];
  // Opposite directions have no least rotation.
  if (cosine < -0.9) return v;
  const cross: Point = [
    axis[1] * v[2] - axis[2] * v[1],
    axis[2] * v[0] - axis[0] * v[2],
    axis[0] * v[1] - axis[1] * v[0],
  ];
  const along = (axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2]) / (1 + cosine);
  return [0, 1, 2].map((d) => cosine * v[d] + cross[d] + along * axis[d]) as unknown as Point;
}

function isBelow({ joints }: Template, joint: number, above: number): boolean {
  for (let j = joint; j >= 0; j = joints[j].parent) if (j === above) return true;
  return false;
}

function turned(turn: readonly number[], v: Point): Point {
  const row = (r: number) => turn[3 * r] * v[0] + turn[3 * r + 1] * v[1] + turn[3 * r + 2] * v[2];
  return [row(0), row(1), row(2)];
}

function difference(a: Point, b: Point): Point {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function sum(a: Point, b: Point, scale: number): Point {
  return [a[0] + scale * b[0], a[1] + scale * b[1], a[2] + scale * b[2]];
}
