/** Bones of a skeleton at rest as line segments: from each joint to its children. */
import type { Bone } from '@pelt/model';

export interface BoneSegment {
  readonly bone: number;
  readonly from: readonly [number, number, number];
  readonly to: readonly [number, number, number];
}

/** Length of a leaf bone without a known tip, relative to its parent, whose direction it continues. */
const TIP_SHARE = 0.6;

/**
 * One segment per child of a joint, and one to the tip of a leaf.
 *
 * @param tips  known end points of leaf bones: bone → position
 */
export function boneSegments(
  bones: readonly Bone[],
  tips: ReadonlyMap<number, readonly [number, number, number]> = new Map(),
): BoneSegment[] {
  const origin = (j: number): [number, number, number] => [bones[j].rest[3], bones[j].rest[7], bones[j].rest[11]];
  const segments: BoneSegment[] = [];
  bones.forEach((_, j) => {
    const from = origin(j);
    const children = bones.flatMap((child, k) => (child.parent === j ? [k] : []));
    if (children.length > 0) for (const child of children) segments.push({ bone: j, from, to: origin(child) });
    else
      segments.push({
        bone: j,
        from,
        to: tips.get(j) ?? tipOf(from, bones[j].parent < 0 ? from : origin(bones[j].parent)),
      });
  });
  return segments;
}

function tipOf(from: readonly number[], parent: readonly number[]): [number, number, number] {
  const [x, y, z] = from.map((value, axis) => value + TIP_SHARE * (value - parent[axis]));
  return [x, y, z];
}
