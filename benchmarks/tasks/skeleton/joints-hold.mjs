/** Whether joints hold in the file that is written, to single precision. */
import { readGltf, readRig } from '@pelt/io';

/** The largest distance between where two bones carry their common joint, over all joints and frames of the GLB. */
export async function widestGapAsRead(bytes) {
  const back = readRig(await readGltf(bytes, { name: 'skeleton.glb' }));
  return widestGap(back.rig, back.clips[0]);
}

function widestGap({ bones }, { times, transforms }) {
  const m = bones.length;
  let widest = 0;
  for (let t = 0; t < times.length; t++) {
    bones.forEach(({ parent, rest }, k) => {
      if (parent < 0) return;
      const gap = [0, 1, 2].map((row) => {
        const place = (j) => {
          const at = (t * m + j) * 12 + 4 * row;
          const turned = transforms[at] * rest[3] + transforms[at + 1] * rest[7] + transforms[at + 2] * rest[11];
          return turned + transforms[at + 3];
        };
        return place(k) - place(parent);
      });
      widest = Math.max(widest, Math.hypot(...gap));
    });
  }
  return widest;
}

/** Of the box around points. */
export function diagonalOf(positions) {
  const sides = [0, 1, 2].map((d) => {
    let [low, high] = [Infinity, -Infinity];
    for (let k = d; k < positions.length; k += 3) {
      low = Math.min(low, positions[k]);
      high = Math.max(high, positions[k]);
    }
    return high - low;
  });
  return Math.hypot(...sides);
}
