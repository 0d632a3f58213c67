/** The tree of a skeleton's bones. */
import type { Bone } from '@pelt/model';

export function heightOf({ rest }: Bone): number {
  return rest[7];
}

/** From the parent to the root. */
export function ancestorsOf(bones: readonly Bone[], bone: number): number[] {
  const path: number[] = [];
  for (let p = bones[bone].parent; p >= 0; p = bones[p].parent) path.push(p);
  return path;
}

export function childrenOf(bones: readonly Bone[], bone: number): number[] {
  return [...bones.keys()].filter((j) => bones[j].parent === bone);
}

export function isBelow(bones: readonly Bone[], bone: number, ancestor: number): boolean {
  return ancestorsOf(bones, bone).includes(ancestor);
}

/** The lowest bone above both, neither of them; −1 where they are in different trees. */
export function commonAncestor(bones: readonly Bone[], a: number, b: number): number {
  const above = ancestorsOf(bones, b);
  return ancestorsOf(bones, a).find((bone) => above.includes(bone)) ?? -1;
}
