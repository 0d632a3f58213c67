/**
 * Finds the limbs, neck and head of a skeleton by its shape at rest: two branches that reach the ground from one bone are
 * the legs; two that reach far to the sides from a bone above it are the arms; what rises between these is neck and head.
 *
 * The character stands along +Y. It faces where its feet point, or else where its knees point; its left is to the left of
 * that, whatever the bones are called.
 */
import type { Bone } from '@pelt/model';
import { childrenOf, heightOf } from './bone-tree.ts';
import type { NamedPlace } from './bones-by-name.ts';

/** Height of joints at the ground, relative to the height of the skeleton. */
const AT_GROUND = 0.15;
/** Largest difference of a pair of limbs, relative to their length. */
const ASYMMETRY = 0.25;
/** Least lateral reach of an arm, relative to the height. */
const SHORTEST_REACH = 0.1;

type Point = readonly [number, number, number];

/** @returns indices of bones by place, or what is not as in a human body */
export function bonesByShape(bones: readonly Bone[]): Map<NamedPlace, number> | string {
  const heights = bones.map(heightOf);
  const floor = Math.min(...heights);
  const height = Math.max(...heights) - floor;
  if (!(height > 0)) return 'it has no height';
  const low = floor + AT_GROUND * height;
  const reaches = lowestBelow(bones);

  // The pelvis: the lowest bone with two or more branches to the ground that is itself above it.
  const isLeg = (j: number) => reaches[j] <= low && heights[j] > low;
  const pelvis = [...bones.keys()].findLast((j) => heights[j] > low && childrenOf(bones, j).filter(isLeg).length >= 2);
  if (pelvis === undefined) return 'no bone has two legs that reach the ground';
  // Each limb that stands on the ground has one last bone above it.
  const shins = bones.filter((_, j) => isLeg(j) && !childrenOf(bones, j).some(isLeg));
  if (shins.length !== 2) return `${shins.length} limbs reach the ground`;
  const branches = childrenOf(bones, pelvis).filter(isLeg);
  const legs = branches.map((branch) => legJoints(bones, branch, low));
  if (legs.some((leg) => leg.length < 3)) return 'the legs have fewer than three joints';

  const [first, second] = legs;
  const front = facing(bones, legs);
  const side = (j: number) => lateral(bones, j, first[0], second[0], front);
  if (side(first[0]) === 0) return 'the legs are not side by side';
  if (uneven(bones, first, second)) return 'the legs differ';

  const arms = armBranches(bones, pelvis, legs, side, height);
  if (!arms) return 'no bone above the legs has two arms';
  const [left, right] = side(first[0]) > 0 ? [first, second] : [second, first];
  const places = new Map<NamedPlace, number>();
  for (const [name, leg] of [
    ['left', left],
    ['right', right],
  ] as const) {
    places.set(`${name}Hip`, leg[0]).set(`${name}Knee`, leg[1]).set(`${name}Ankle`, leg[2]);
    if (leg.length > 3) places.set(`${name}Toes`, leg[3]);
  }
  for (const arm of arms.limbs) {
    const name = side(arm[0]) > 0 ? 'left' : 'right';
    places.set(`${name}Shoulder`, arm[0]).set(`${name}Elbow`, arm[1]);
    if (arm.length > 2) places.set(`${name}Wrist`, arm[2]);
  }
  if (!(places.has('leftShoulder') && places.has('rightShoulder'))) return 'both arms are on one side';
  arms.neck.slice(0, 2).forEach((bone, k) => {
    places.set(k === 0 && arms.neck.length > 1 ? 'neck' : 'head', bone);
  });
  return places;
}

const origin = ({ rest }: Bone): Point => [rest[3], rest[7], rest[11]];
const distance = (a: Point, b: Point) => Math.sqrt(a.reduce((sum, value, k) => sum + (value - b[k]) ** 2, 0));

/** m: height of the lowest joint of the bone and its descendants. */
function lowestBelow(bones: readonly Bone[]): number[] {
  const lowest = bones.map(heightOf);
  for (let j = bones.length - 1; j > 0; j--) {
    const { parent } = bones[j];
    if (parent >= 0) lowest[parent] = Math.min(lowest[parent], lowest[j]);
  }
  return lowest;
}

/** Bones from a branch along the descendants that go on the farthest. */
function longestPath(bones: readonly Bone[], start: number): number[] {
  const path = [start];
  for (;;) {
    const last = path[path.length - 1];
    const next = childrenOf(bones, last);
    if (next.length === 0) return path;
    path.push(next.reduce((best, j) => (extentOf(bones, last, j) > extentOf(bones, last, best) ? j : best)));
  }
}

/** Length of the longest path from a bone through one of its children. */
function extentOf(bones: readonly Bone[], from: number, child: number): number {
  const beyond = childrenOf(bones, child).map((j) => extentOf(bones, child, j));
  return distance(origin(bones[from]), origin(bones[child])) + Math.max(0, ...beyond);
}

/** Hip, knee, ankle and, where there are any, toes: the ankle is the first joint near the ground. */
function legJoints(bones: readonly Bone[], branch: number, low: number): number[] {
  const path = longestPath(bones, branch);
  const ankle = path.findIndex((j) => heightOf(bones[j]) <= low);
  if (ankle < 2) return [];
  return [path[0], middleOf(bones, path, 0, ankle), path[ankle], ...path.slice(ankle + 1, ankle + 2)];
}

/** The joint between two of a path that is nearest to half way. */
function middleOf(bones: readonly Bone[], path: readonly number[], from: number, to: number): number {
  const [a, b] = [origin(bones[path[from]]), origin(bones[path[to]])];
  const offCentre = (j: number) => Math.abs(distance(origin(bones[j]), a) - distance(origin(bones[j]), b));
  return path.slice(from + 1, to).reduce((best, j) => (offCentre(j) < offCentre(best) ? j : best));
}

/** The horizontal direction in which the feet point, or else the knees; +Z where neither does. */
function facing(bones: readonly Bone[], legs: readonly (readonly number[])[]): Point {
  for (const pointing of [
    (leg: readonly number[]) => (leg.length > 3 ? [leg[2], leg[3]] : [leg[2], leg[2]]),
    (leg: readonly number[]) => [leg[0], leg[1]],
  ]) {
    let [x, z] = [0, 0];
    for (const leg of legs) {
      const [from, to] = pointing(leg).map((j) => origin(bones[j]));
      x += to[0] - from[0];
      z += to[2] - from[2];
    }
    const length = Math.sqrt(x * x + z * z);
    const legLength = distance(origin(bones[legs[0][0]]), origin(bones[legs[0][2]]));
    if (length > 0.02 * legLength) return [x / length, 0, z / length];
  }
  return [0, 0, 1];
}

/** Distance of a bone from the plane between both legs, to the left of `front`; 0 where they are one behind the other. */
function lateral(bones: readonly Bone[], j: number, a: number, b: number, front: Point): number {
  const [p, q, o] = [origin(bones[a]), origin(bones[b]), origin(bones[j])];
  const [dx, dz] = [p[0] - q[0], p[2] - q[2]];
  const apart = Math.sqrt(dx * dx + dz * dz);
  // up × front is the left.
  const leftwards = dx * front[2] - dz * front[0];
  if (!(Math.abs(leftwards) > 0.5 * apart)) return 0;
  const offset = (o[0] - (p[0] + q[0]) / 2) * dx + (o[2] - (p[2] + q[2]) / 2) * dz;
  return (Math.sign(leftwards) * offset) / apart;
}

function uneven(bones: readonly Bone[], a: readonly number[], b: readonly number[]): boolean {
  const length = (limb: readonly number[]) =>
    distance(origin(bones[limb[0]]), origin(bones[limb[1]])) + distance(origin(bones[limb[1]]), origin(bones[limb[2]]));
  return Math.abs(length(a) - length(b)) > ASYMMETRY * Math.max(length(a), length(b));
}

/** The highest bone, from the pelvis on, with a far-reaching branch on each side; its limbs, and what rises between. */
function armBranches(
  bones: readonly Bone[],
  pelvis: number,
  legs: readonly (readonly number[])[],
  side: (j: number) => number,
  height: number,
): { limbs: number[][]; neck: number[] } | undefined {
  const isLeg = new Set(legs.map((leg) => leg[0]));
  const inside = new Set([pelvis]);
  bones.forEach((bone, j) => {
    if (inside.has(bone.parent) && !isLeg.has(j)) inside.add(j);
  });
  let best: { chest: number; arms: [number, number]; reach: number } | undefined;
  for (const chest of inside) {
    const branches = childrenOf(bones, chest).filter((j) => !isLeg.has(j));
    const reach = (j: number, sign: number) =>
      Math.max(...longestPath(bones, j).map((k) => sign * side(k))) * (Math.abs(side(j)) > 0 ? 1 : 0);
    const farthest = (sign: number) =>
      branches.reduce((far, j) => (far < 0 || reach(j, sign) > reach(far, sign) ? j : far), -1);
    const [l, r] = [farthest(1), farthest(-1)];
    if (l < 0 || l === r) continue;
    const least = Math.min(reach(l, 1), reach(r, -1));
    if (least > SHORTEST_REACH * height && least > (best?.reach ?? 0)) best = { chest, arms: [l, r], reach: least };
  }
  if (!best) return undefined;
  const limbs = best.arms.map((branch) => armJoints(bones, branch, side));
  if (limbs.some((limb) => limb.length < 2)) return undefined;
  const rising = childrenOf(bones, best.chest).filter((j) => !best.arms.includes(j));
  const top = rising.reduce((high, j) => (high < 0 || heightOf(bones[j]) > heightOf(bones[high]) ? j : high), -1);
  return { limbs, neck: top < 0 ? [] : longestPath(bones, top) };
}

/** Shoulder, elbow and, where there is one, wrist; a first bone near the middle with three more is the collar. */
function armJoints(bones: readonly Bone[], branch: number, side: (j: number) => number): number[] {
  const path = longestPath(bones, branch);
  // Fingers: the hand is where the arm divides.
  const division = path.findIndex((j) => childrenOf(bones, j).length > 1);
  const wrist = division >= 2 ? division : path.length - 1;
  const arm = path.slice(0, wrist + 1);
  const reach = Math.abs(side(arm[arm.length - 1]));
  const hasCollar = arm.length > 3 && Math.abs(side(arm[0])) < 0.35 * reach;
  const limb = hasCollar ? arm.slice(1) : arm;
  // A short last bone is the hand.
  const segment = (k: number) => distance(origin(bones[limb[k]]), origin(bones[limb[k - 1]]));
  while (limb.length > 3 && segment(limb.length - 1) < 0.5 * segment(limb.length - 2)) limb.pop();
  if (limb.length < 3) return limb;
  return [limb[0], middleOf(bones, limb, 0, limb.length - 1), limb[limb.length - 1]];
}
