/**
 * A hierarchy that is its own mirror image: the minimum spanning tree of joint-tree.ts over the bones on the mirror plane and
 * those on the left of it, where a link costs as much as it and its mirror image together, and the image of that tree on the
 * right. No link leads across the plane except by a bone on it, since a tree that is its own image turns about one.
 */
import type { SkinningSystem } from '@pelt/kernels';
import {
  boneCentres,
  hangFrom,
  type JointedTree,
  type JointSolver,
  type Link,
  leastTree,
  pairLinks,
  spanningTree,
} from './joint-tree.ts';
import { type MirrorPlane, mirrored } from './mirror-plane.ts';

/** Mirror images of bones: each of a pair, itself for one on the plane, −1 for none. */
export type Partners = Int32Array;

/** A tree that hangs from a bone on the plane; a plain spanning tree where there is none. */
export function symmetricTree(
  system: SkinningSystem,
  partners: Partners,
  plane: Pick<MirrorPlane, 'normal' | 'offset'>,
  jointOf: JointSolver,
): JointedTree {
  const isPaired = (j: number) => partners[j] >= 0 && partners[j] !== j;
  const first = partners.findIndex((k, j) => k === j);
  if (first < 0) return spanningTree(system, () => 0, jointOf);
  const isRight = rightOf(system, partners, plane);
  const links = new Map(pairLinks(system, jointOf).map((link) => [keyOf(link.j, link.k), link]));
  const linkOf = (j: number, k: number) => links.get(keyOf(Math.min(j, k), Math.max(j, k)));
  const imageOf = ({ j, k, cost, joint }: Link): Link => ({
    j: partners[j] < 0 ? j : partners[j],
    k: partners[k] < 0 ? k : partners[k],
    cost,
    joint: Float64Array.from(mirrored(plane, joint)),
  });
  const half: Link[] = [];
  for (const link of links.values()) {
    if (isRight[link.j] || isRight[link.k]) continue;
    const { j, k } = link;
    const other = linkOf(imageOf(link).j, imageOf(link).k);
    if (!other) continue;
    const across = mirrored(plane, other.joint);
    // A bone without an image has no mirrored joint.
    const alone = partners[j] < 0 || partners[k] < 0;
    const joint = alone ? link.joint : link.joint.map((value, d) => 0.5 * (value + across[d]));
    half.push({ j, k, joint, cost: 0.5 * (link.cost + other.cost) });
  }
  // A limb hangs from one bone on the plane, so that its image closes no circle: those are joined to each other first. The
  // bones on the right are alone here.
  const left = leastTree(half, system.m, ({ j, k }) => !isPaired(j) && !isPaired(k));
  const right = left.filter(({ j, k }) => isPaired(j) || isPaired(k)).map(imageOf);
  return hangFrom(first, system.m, [...left, ...right]);
}

/** Whether each bone is the one of a pair that is on the right: on the negative side of the plane relative to its image. */
function rightOf(system: SkinningSystem, partners: Partners, { normal }: Pick<MirrorPlane, 'normal'>): boolean[] {
  const centres = boneCentres(system);
  const aside = (j: number) => [0, 1, 2].reduce((sum, d) => sum + normal[d] * centres[3 * j + d], 0);
  return Array.from(partners, (k, j) => {
    if (k < 0 || k === j) return false;
    const difference = aside(j) - aside(k);
    return difference < 0 || (difference === 0 && j > k);
  });
}

function keyOf(j: number, k: number): string {
  return `${j} ${k}`;
}

/** Joints that are mirror images of each other: the mean of each and the image of its partner's. */
export function mirrorPoints(
  points: Float64Array,
  partners: Partners,
  plane: Pick<MirrorPlane, 'normal' | 'offset'>,
  parents: Int32Array,
): void {
  partners.forEach((k, j) => {
    if (k < j || parents[j] < 0 || parents[k] < 0 || partners[parents[j]] !== parents[k]) return;
    const image = mirrored(plane, points.subarray(3 * k, 3 * k + 3));
    const middle = image.map((value, d) => 0.5 * (value + points[3 * j + d]));
    points.set(middle, 3 * j);
    points.set(mirrored(plane, middle), 3 * k);
  });
}

/** The mirror images of the bones that are left. */
export function withoutPartners(partners: Partners, gone: readonly number[]): Partners {
  const kept = Array.from(partners.keys()).filter((j) => !gone.includes(j));
  const place = new Map(kept.map((j, k) => [j, k]));
  return Int32Array.from(kept, (j) => place.get(partners[j]) ?? -1);
}
