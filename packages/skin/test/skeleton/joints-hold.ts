import type { Clip, Rig } from '@pelt/model';

/** The largest distance between where two bones of a rig carry their common joint, over all joints and frames. */
export function widestGap({ bones }: Rig, { transforms }: Clip): number {
  const joints = Float64Array.from(bones.flatMap(({ rest }) => [rest[3], rest[7], rest[11]]));
  return widestJointGap(
    transforms,
    bones.map(({ parent }) => parent),
    joints,
  );
}

/**
 * @param transforms  S × m × 12, rest → pose
 * @param parents     m
 * @param joints      m × 3, each bone's joint with its parent at rest
 */
export function widestJointGap(transforms: Float64Array, parents: ArrayLike<number>, joints: Float64Array): number {
  const m = parents.length;
  let widest = 0;
  for (let frame = 0; frame < transforms.length; frame += 12 * m) {
    for (let k = 0; k < m; k++) {
      if (parents[k] < 0) continue;
      const [x, y, z] = joints.subarray(3 * k, 3 * k + 3);
      const gap = [0, 4, 8].map((row) => {
        const place = (j: number) => {
          const at = frame + 12 * j + row;
          return transforms[at] * x + transforms[at + 1] * y + transforms[at + 2] * z + transforms[at + 3];
        };
        return place(k) - place(parents[k]);
      });
      widest = Math.max(widest, Math.hypot(...gap));
    }
  }
  return widest;
}
