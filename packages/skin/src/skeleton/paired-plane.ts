/**
 * The upright mirror plane of a skeleton: between bones that are known to be pairs, or where most bones have another at their
 * mirror image.
 */
import { atan2, cos, sin } from '@pelt/math';
import type { NameBones } from './skeleton-rig.ts';

/** Least bones on the mirror plane that make a trunk. */
const LEAST_TRUNK = 2;

export interface PairedPlane {
  /** Unit vector along the ground, and the offset of the plane along it. */
  readonly across: readonly [number, number, number];
  readonly middle: number;
  readonly central: ReadonlySet<number>;
}

/** Half-way between the joints of pairs; undefined without pairs, or with too few bones between them. */
export function pairedPlane({ origins, partners }: Parameters<NameBones>[0]): PairedPlane | undefined {
  const bones = Array.from(partners?.keys() ?? []);
  if (!partners) return undefined;
  const pairs = bones.filter((j) => partners[j] > j);
  const central = bones.filter((j) => partners[j] === j);
  if (pairs.length === 0 || central.length < LEAST_TRUNK) return undefined;
  let [x, z] = [0, 0];
  for (const j of pairs) {
    const [dx, dz] = [0, 2].map((d) => origins[3 * j + d] - origins[3 * partners[j] + d]);
    const sign = dx * x + dz * z < 0 ? -1 : 1;
    x += sign * dx;
    z += sign * dz;
  }
  const length = Math.sqrt(x * x + z * z);
  if (!(length > 0)) return undefined;
  const across = [x / length, 0, z / length] as const;
  const along = (j: number) => across[0] * origins[3 * j] + across[2] * origins[3 * j + 2];
  const middle = pairs.reduce((sum, j) => sum + along(j) + along(partners[j]), 0) / (2 * pairs.length);
  return { across, middle, central: new Set(central) };
}

type Point = readonly [number, number, number];

/** Of the planes through the middle of some points, along their axes and the ground's, the one that suits them best. */
export function likeliestPlane(points: readonly Point[]): Omit<PairedPlane, 'central'> {
  const [x, z] = [0, 2].map((d) => points.reduce((sum, point) => sum + point[d], 0) / points.length);
  let [xx, xz, zz] = [0, 0, 0];
  for (const point of points) {
    xx += (point[0] - x) ** 2;
    xz += (point[0] - x) * (point[2] - z);
    zz += (point[2] - z) ** 2;
  }
  const angle = 0.5 * atan2(2 * xz, xx - zz);
  let best: Omit<PairedPlane, 'central'> = { across: [1, 0, 0], middle: x };
  let least = Number.POSITIVE_INFINITY;
  for (const turn of [0, Math.PI / 2, angle, angle + Math.PI / 2]) {
    const across: Point = [cos(turn), 0, sin(turn)];
    const middle = across[0] * x + across[2] * z;
    const unlike = points.reduce((sum, [px, py, pz]) => {
      const twice = 2 * (across[0] * px + across[2] * pz - middle);
      const [ix, iz] = [px - twice * across[0], pz - twice * across[2]];
      return sum + Math.min(...points.map((q) => Math.hypot(q[0] - ix, q[1] - py, q[2] - iz)));
    }, 0);
    // A later axis must be clearly better, since a pole has every plane.
    if (unlike >= 0.99 * least) continue;
    least = unlike;
    best = { across, middle };
  }
  return best;
}
