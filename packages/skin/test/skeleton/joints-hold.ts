import type { Clip, Rig } from '@pelt/model';

/** The largest distance between where two bones carry their common joint, over all joints and frames. */
export function widestGap({ bones }: Rig, { times, transforms }: Clip): number {
  const m = bones.length;
  let widest = 0;
  for (let t = 0; t < times.length; t++) {
    bones.forEach(({ parent, rest }, k) => {
      if (parent < 0) return;
      const gap = [0, 1, 2].map((row) => {
        const place = (j: number) => {
          const at = (t * m + j) * 12 + 4 * row;
          const [x, y, z] = [rest[3], rest[7], rest[11]];
          return transforms[at] * x + transforms[at + 1] * y + transforms[at + 2] * z + transforms[at + 3];
        };
        return place(k) - place(parent);
      });
      widest = Math.max(widest, Math.hypot(...gap));
    });
  }
  return widest;
}
