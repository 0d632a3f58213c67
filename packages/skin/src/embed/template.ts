/** A skeleton to embed, with the body that it moves: of a body plan, or of a character. */
import { InputError, type Rig, type RunContext } from '@pelt/model';
import { mirrored, mirrorPlane } from '../skeleton/mirror-plane.ts';
import type { Point } from './centre-line.ts';
import { type CentreTree, centreTree, nearestCell } from './centre-tree.ts';
import type { BodyPlan } from './options.ts';
import { otherSide, planJoints } from './plans.ts';
import { type Solid, solidOfField, solidOfMesh } from './solid.ts';

export interface TemplateJoint {
  readonly name: string;
  readonly parent: number;
  readonly at: Point;
  /** The joint on the other side; its own index in the middle; −1 where there is none. */
  readonly twin: number;
  /** Whether a body may be without; of a character the more readily the less it sticks out. */
  readonly optional: boolean | 'as prominent';
}

export interface TemplateTip {
  /** A leaf of the skeleton, or another joint whose bone has an end of its own. */
  readonly joint: number;
  /** Where its bone ends, in the body. */
  readonly cell: number;
}

export interface Template {
  readonly joints: readonly TemplateJoint[];
  readonly tips: readonly TemplateTip[];
  readonly tree: CentreTree;
  /** Most by which a part of a line may be longer, relative to the whole, than in the template: people are much alike. */
  readonly stretch: number;
}

/** Necks differ by this much; people by less, whose clothes hide where legs part. */
const [STRETCH, PERSON_STRETCH] = [3, 1.25];
/** Cells of the body of a plan: it has no detail. */
const PLAN_CELLS = 15_000;
/** Most extremities of a character. */
const MOST_TIPS = 40;
/** Least prominence of the end of a bone that has others after it, in sizes of the body. */
const LEAST_END = 0.3;
/** Distance within which a joint is the mirror image of another, in parts of the size of the skeleton. */
const MIRRORED = 0.02;
/** Error of the mirror plane, in parts of the size of the mesh, up to which a character is symmetric. */
const SYMMETRIC = 0.02;

export function templateOfPlan(plan: BodyPlan): Template {
  const rows = planJoints(plan);
  const index = new Map(rows.map(({ name }, j) => [name, j]));
  const joints = rows.map(
    ({ name, parent, at, optional }): TemplateJoint => ({
      name,
      parent: parent === '' ? -1 : (index.get(parent) ?? -1),
      at,
      // A hand has no other side.
      twin: plan === 'hand' ? -1 : (index.get(otherSide(name)) ?? -1),
      optional: optional === true,
    }),
  );
  const limbs = rows.flatMap(({ at, radius, tip }, j) => {
    const parent = joints[j].parent;
    const bones =
      parent < 0 ? [] : [{ a: rows[parent].at, ra: Math.min(rows[parent].radius, 1.3 * radius), b: at, rb: radius }];
    return tip
      ? [...bones, { a: at, ra: radius, b: tip, rb: 0.8 * radius }]
      : [...bones, { a: at, ra: radius, b: at, rb: radius }];
  });
  const reach = (d: number, sign: number) =>
    Math.max(...limbs.flatMap(({ a, ra, b, rb }) => [sign * a[d] + ra, sign * b[d] + rb]));
  const bounds = {
    min: [-reach(0, -1), -reach(1, -1), -reach(2, -1)] as [number, number, number],
    max: [reach(0, 1), reach(1, 1), reach(2, 1)] as [number, number, number],
  };
  const field = (x: number, y: number, z: number) => {
    let least = Number.POSITIVE_INFINITY;
    for (const limb of limbs) least = Math.min(least, coneDistance(limb, x, y, z));
    return least;
  };
  const solid = solidOfField(field, bounds, PLAN_CELLS);
  const tips = rows.flatMap(({ tip }, joint) => (tip ? [{ joint, cell: nearestCell(solid, tip) }] : []));
  const tree = centreTree(
    solid,
    tips.map(({ cell }) => cell),
  );
  return { joints, tips, tree, stretch: plan === 'human' ? PERSON_STRETCH : STRETCH };
}

interface Cone {
  readonly a: Point;
  readonly ra: number;
  readonly b: Point;
  readonly rb: number;
}

function coneDistance({ a, ra, b, rb }: Cone, x: number, y: number, z: number): number {
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const squared = ux * ux + uy * uy + uz * uz;
  const along = squared > 0 ? ((x - a[0]) * ux + (y - a[1]) * uy + (z - a[2]) * uz) / squared : 0;
  const share = Math.min(1, Math.max(0, along));
  const [px, py, pz] = [x - a[0] - share * ux, y - a[1] - share * uy, z - a[2] - share * uz];
  return Math.sqrt(px * px + py * py + pz * pz) - ra - share * (rb - ra);
}

/** Of a character: an extremity of its mesh is the tip of the bone that moves it. */
export function templateOfRig(rig: Rig, run?: RunContext): Template {
  const { mesh, bones, weights } = rig;
  const positions = Float64Array.from(mesh.positions);
  const tree = centreTree(solidOfMesh(positions, mesh.triangles, run), MOST_TIPS, run);
  const at = bones.map(({ rest }): Point => [rest[3], rest[7], rest[11]]);
  const twins = twinsOf(positions, at, run);
  const joints = bones.map(
    ({ name, parent }, j): TemplateJoint => ({ name, parent, at: at[j], twin: twins[j], optional: 'as prominent' }),
  );
  const weighted = new Set(weights.bones.filter((_, k) => weights.weights[k] > 0));
  // The joint that an extremity is the end of: the bone that moves it, or a joint without skin at the end of that.
  const endOf = (bone: number, place: Point): number => {
    const below = bones.flatMap((_, j) => (j === bone || (!weighted.has(j) && isBelow(bones, j, bone)) ? [j] : []));
    return below.reduce((best, j) => (distance(at[j], place) < distance(at[best], place) ? j : best), bone);
  };
  const { centres } = tree.solid;
  const { size } = measureSolid(tree.solid);
  const parents = new Set(bones.map(({ parent }) => parent));
  const found = new Map<number, number>();
  tree.tips.forEach((cell, k) => {
    const place: Point = [centres[3 * cell], centres[3 * cell + 1], centres[3 * cell + 2]];
    const vertex = nearestVertex(mesh.positions, place);
    const joint = endOf(weights.bones[vertex * weights.slots], place);
    // The most prominent comes first. What sticks out of the middle of a limb is a bump.
    const isEnd = !parents.has(joint) || tree.prominences[k] > LEAST_END * size;
    if (isEnd && !found.has(joint)) found.set(joint, cell);
  });
  if (found.size < 2)
    throw new InputError(`the character '${rig.name}' has no limbs by which its skeleton could be placed`);
  return { joints, tips: [...found].map(([joint, cell]) => ({ joint, cell })), tree, stretch: STRETCH };
}

function twinsOf(positions: Float64Array, at: readonly Point[], run: RunContext | undefined): number[] {
  const plane = mirrorPlane(positions, run);
  const size = extentOf(positions);
  if (plane.error > SYMMETRIC * size) return at.map(() => -1);
  return at.map((place) => {
    const image = mirrored(plane, place);
    const nearest = at.reduce((best, other, k) => (distance(other, image) < distance(at[best], image) ? k : best), 0);
    return distance(at[nearest], image) < MIRRORED * size ? nearest : -1;
  });
}

function isBelow(bones: Rig['bones'], joint: number, above: number): boolean {
  for (let j = joint; j >= 0; j = bones[j].parent) if (j === above) return true;
  return false;
}

function nearestVertex(positions: Float32Array, place: Point): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (let i = 0; 3 * i < positions.length; i++) {
    const away = distance([positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]], place);
    if (away < least) [best, least] = [i, away];
  }
  return best;
}

function extentOf(points: ArrayLike<number>): number {
  const [low, high] = [[0, 1, 2].map(() => Number.POSITIVE_INFINITY), [0, 1, 2].map(() => Number.NEGATIVE_INFINITY)];
  for (let k = 0; k < points.length; k++) {
    low[k % 3] = Math.min(low[k % 3], points[k]);
    high[k % 3] = Math.max(high[k % 3], points[k]);
  }
  return Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** What a body is measured in: its centroid and the root mean square distance of its cells from there. */
export function measureSolid({ centres }: Solid): { readonly middle: Point; readonly size: number } {
  const c = centres.length / 3;
  const middle = [0, 0, 0];
  for (let k = 0; k < centres.length; k++) middle[k % 3] += centres[k] / c;
  let sum = 0;
  for (let k = 0; k < centres.length; k++) sum += (centres[k] - middle[k % 3]) ** 2;
  return { middle: [middle[0], middle[1], middle[2]], size: Math.sqrt(sum / c) };
}
