/**
 * Which bone each bone of a humanoid moves with. Mostly that is its parent; but in rigs made for inverse kinematics a foot
 * may hang on the root, and what lies above the pelvis or beside it must not stay behind.
 */
import type { Bone } from '@pelt/model';
import { isBelow } from './bone-tree.ts';
import type { Humanoid } from './humanoid.ts';

/** m: parent, or the lower segment for the end of a limb elsewhere, or the pelvis for what does not hang on it; −1 for it. */
export function basesOf(bones: readonly Bone[], { pelvis, arms, legs }: Humanoid): Int32Array {
  const bases = Int32Array.from(bones, (bone, j) => {
    if (j === pelvis) return -1;
    const limb = [...arms, ...legs].find(({ end }) => end === j);
    if (limb && !isBelow(bones, j, limb.lower)) return limb.lower;
    return bone.parent;
  });
  const hangsOnPelvis = (bone: number) => {
    for (let j = bone; j >= 0; j = bases[j]) if (j === pelvis) return true;
    return false;
  };
  return bases.map((base, j) => (j === pelvis || hangsOnPelvis(j) ? base : pelvis));
}

/** All bones, those that others move with first. */
export function orderOf(bases: Int32Array): Int32Array {
  const depth = (j: number): number => (bases[j] < 0 ? 0 : 1 + depth(bases[j]));
  const depths = Array.from(bases, (_, j) => depth(j));
  return Int32Array.from(bases.keys()).sort((a, b) => depths[a] - depths[b] || a - b);
}
