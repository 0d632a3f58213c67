/**
 * Embeds a template skeleton into a body: centre lines of both, which extremity is which tip, joints carried over, for every
 * way in which the template may be turned; the best of them is refined.
 *
 * Tried and left out: docs/experiments/embedding.md.
 *
 * References: Baran, Popović. Automatic rigging and animation of 3D characters. 2007 (a skeleton embedded into the medial axis
 * by discrete matching, then refined). Sato et al. TEASAR. 2000 (centre lines).
 */
import { InputError, type RunContext } from '@pelt/model';
import { type MirrorPlane, mirrored } from '../skeleton/mirror-plane.ts';
import { CentreLine, type Point } from './centre-line.ts';
import { type CentreTree, centreTree } from './centre-tree.ts';
import { framesOf } from './frames.ts';
import { LEAST_MISSING, type MeasuredTips, MISSING, matchTips, profileOf, type TipRole } from './match-tips.ts';
import { Lines, type PlacedJoint, placeJoints, type TipPair } from './place-joints.ts';
import { solidOfMesh } from './solid.ts';
import { measureSolid, type Template } from './template.ts';

export interface Embedding {
  readonly body: CentreTree;
  /** For each joint of the template its place; undefined for those whose limb the body has not. */
  readonly joints: readonly (PlacedJoint | undefined)[];
  readonly pairs: readonly TipPair[];
  /** 3 × 3, from the template's axes to the body's */
  readonly turn: readonly number[];
  readonly cost: number;
}

/** Extremities of a body that are looked at. */
const MOST_EXTREMITIES = 32;
/** Matches from which those of all frames begin again. */
const SHARED = 4;
/** Frames whose joints are placed, the best matches first. */
const PLACED = 8;
/** Weights of how far the directions of bones differ, and of limbs that bend the wrong way. */
const [DIRECTION, BEND] = [4, 6];
/** A joint is bent where it is so far, in parts of the length, from the line between the joints before and after it. */
const BENT = 0.02;
/** Root mean square distance of mirror images, in sizes of the body, up to which it is symmetric. */
const SYMMETRIC = 0.04;
/** Least cosine between the normal of the mirror plane and what is across the template. */
const ACROSS = 0.98;

/**
 * @param positions  n × 3
 * @param triangles  f × 3
 * @param given      places of joints of the template that are known
 */
export function embedJoints(
  template: Template,
  positions: Float64Array,
  triangles: Uint32Array,
  given: ReadonlyMap<number, Point>,
  run: RunContext,
): Embedding {
  run.onProgress?.({ stage: 'filling the mesh', fraction: 0 });
  const solid = solidOfMesh(positions, triangles, run);
  run.onProgress?.({ stage: 'finding limbs', fraction: 0.5 });
  const body = centreTree(solid, MOST_EXTREMITIES, run);
  const extremities = body.tips;
  const [templateLines, bodyLines] = [new Lines(template.tree), new Lines(body)];
  const theirs = measured(
    template.tree,
    templateLines,
    template.tips.map(({ cell }) => cell),
  );
  const ours = measured(body, bodyLines, extremities);
  const scale = ours.size / theirs.size;
  const roles = template.tips.map(({ joint }, k): TipRole => {
    const { optional, twin } = template.joints[joint];
    const share = optional === 'as prominent' ? theirs.prominences[k] : optional ? 0 : 1;
    return {
      missing: LEAST_MISSING + share * (MISSING - LEAST_MISSING),
      twin: twin < 0 ? -1 : template.tips.findIndex((tip) => tip.joint === twin),
    };
  });
  const { frames, mirror } = framesOf(positions, run);
  const found = frames.map(({ turn }) => matchTips(theirs, ours, roles, turn));
  // What suits one frame may suit another, whose own search has ended elsewhere.
  const starts = found.toSorted((a, b) => a.cost - b.cost).slice(0, SHARED);
  const matches = frames
    .map(({ turn, price }, k) => {
      const again = starts.map(({ extremity }) => matchTips(theirs, ours, roles, turn, extremity));
      const { extremity, cost } = again.reduce((best, other) => (other.cost < best.cost ? other : best), found[k]);
      return { turn, extremity, cost: cost + price };
    })
    .sort((a, b) => a.cost - b.cost);
  const known = withTwins(template, given, mirror.error > SYMMETRIC * ours.size ? undefined : mirror);
  let best: Embedding | undefined;
  for (const { turn, extremity, cost } of matches.slice(0, PLACED)) {
    const pairs = template.tips.flatMap(({ joint, cell }, k): TipPair[] =>
      extremity[k] < 0 ? [] : [{ joint, from: cell, to: extremities[extremity[k]] }],
    );
    if (pairs.length < 2) continue;
    const joints = placeJoints(template, templateLines, body, bodyLines, pairs, turn, scale, known);
    const total = cost + DIRECTION * bentAway(template, joints, turn) + BEND * bentWrongly(template, joints, turn);
    if (!best || total < best.cost) best = { body, joints, pairs, turn, cost: total };
  }
  requireLimbs(template, best?.pairs ?? []);
  if (!best) throw new InputError('the mesh has no limbs; a skeleton needs two at least');
  const { turn } = best;
  const across = Math.abs(turn[0] * mirror.normal[0] + turn[3] * mirror.normal[1] + turn[6] * mirror.normal[2]);
  if (mirror.error > SYMMETRIC * ours.size || across < ACROSS) return best;
  return { ...best, joints: symmetric(template, best.joints, known, mirror) };
}

/** Refuses a body that has fewer than half of the limbs without which the template would not be itself. */
function requireLimbs({ tips, joints }: Template, pairs: readonly TipPair[]): void {
  const required = tips.filter(({ joint }) => !joints[joint].optional);
  const wanted = required.length > 0 ? required : tips;
  const found = wanted.filter(({ joint }) => pairs.some((pair) => pair.joint === joint));
  if (2 * found.length >= wanted.length && found.length > 1) return;
  const names = wanted.map(({ joint }) => joints[joint].name).join(', ');
  throw new InputError(
    `the mesh has ${found.length} of the ${wanted.length} limbs of the skeleton (${names}); give a skeleton of its kind`,
  );
}

/** A place that is known says where the joint on the other side is, in a body that is symmetric. */
function withTwins(
  { joints }: Template,
  given: ReadonlyMap<number, Point>,
  mirror: MirrorPlane | undefined,
): ReadonlyMap<number, Point> {
  const known = new Map(given);
  for (const [j, at] of given) {
    const { twin } = joints[j];
    if (!mirror || twin < 0 || known.has(twin)) continue;
    const [x, y, z] = mirrored(mirror, at);
    known.set(twin, [x, y, z]);
  }
  return known;
}

/** Joints in the middle on the mirror plane, and others where they and the mirror images of their twins are on average. */
function symmetric(
  template: Template,
  placed: readonly (PlacedJoint | undefined)[],
  known: ReadonlyMap<number, Point>,
  mirror: MirrorPlane,
): (PlacedJoint | undefined)[] {
  return placed.map((joint, j) => {
    const twin = placed[template.joints[j].twin];
    if (!joint || !twin || known.has(j)) return joint;
    const image = mirrored(mirror, twin.at);
    return { ...joint, at: joint.at.map((value, d) => (value + image[d]) / 2) as unknown as Point };
  });
}

/** Places, distances and profiles of tips, in the size of their body. */
function measured(tree: CentreTree, lines: Lines, cells: readonly number[]): MeasuredTips & { readonly size: number } {
  const { centres } = tree.solid;
  const { middle, size } = measureSolid(tree.solid);
  return {
    size,
    places: cells.map((cell) => [0, 1, 2].map((d) => (centres[3 * cell + d] - middle[d]) / size) as unknown as Point),
    apart: cells.map((a) => cells.map((b) => (a === b ? 0 : lines.between(a, b).length / size))),
    profiles: cells.map((cell) => profileOf(new CentreLine(tree, cell, tree.root), size)),
    prominences: cells.map((cell) => Math.min(1, tree.prominences[tree.tips.indexOf(cell)] / size)),
  };
}

/** Mean of 1 − cos of the angles between bones of the template and of the body. */
function bentAway(template: Template, placed: readonly (PlacedJoint | undefined)[], turn: readonly number[]): number {
  let [sum, count] = [0, 0];
  template.joints.forEach(({ parent, at }, j) => {
    const [here, above] = [placed[j], placed[parent]];
    if (!here || !above) return;
    const was = [0, 1, 2].map((d) => at[d] - template.joints[parent].at[d]);
    const is = [0, 1, 2].map((d) => here.at[d] - above.at[d]);
    const size = Math.hypot(was[0], was[1], was[2]) * Math.hypot(is[0], is[1], is[2]);
    if (size === 0) return;
    let along = 0;
    for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) along += turn[3 * r + c] * was[c] * is[r];
    sum += 1 - along / size;
    count++;
  });
  return count > 0 ? sum / count : 0;
}

/** How many of the bent joints of the template are bent the other way, weighted by how much. */
function bentWrongly(
  template: Template,
  placed: readonly (PlacedJoint | undefined)[],
  turn: readonly number[],
): number {
  const { joints } = template;
  let [sum, count] = [0, 0];
  joints.forEach(({ parent }, j) => {
    const children = joints.flatMap((child, k) => (child.parent === j ? [k] : []));
    const child = children[0];
    const [above, here, below] = [placed[parent], placed[j], placed[child]];
    if (children.length !== 1 || !above || !here || !below) return;
    const was = bendOf(joints[parent].at, joints[j].at, joints[child].at);
    const is = bendOf(above.at, here.at, below.at);
    const [a, b] = [was, is].map((v) => Math.hypot(v[0], v[1], v[2]));
    if (a < BENT || b < BENT) return;
    let along = 0;
    for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) along += turn[3 * r + c] * was[c] * is[r];
    sum += Math.max(0, -along / (a * b)) * Math.min(1, b / (5 * BENT));
    count++;
  });
  return count > 0 ? sum / count : 0;
}

/** Where a joint is aside of the line from one point to another, in parts of its length. */
function bendOf(a: Point, at: Point, b: Point): number[] {
  const line = [0, 1, 2].map((d) => b[d] - a[d]);
  const squared = line.reduce((sum, value) => sum + value * value, 0) || 1;
  const share = line.reduce((sum, value, d) => sum + value * (at[d] - a[d]), 0) / squared;
  return line.map((value, d) => (at[d] - a[d] - share * value) / Math.sqrt(squared));
}
