/**
 * The inside of a body: whether a point is in it, and the middle of the limb that is nearest to one that is not. A joint
 * outside of the body would bend nothing.
 *
 * Reference: Van Oosterom, Strackee. The solid angle of a plane triangle. IEEE Transactions on Biomedical Engineering, 1983.
 */
import type { Point } from './placed-skeleton.ts';

interface Body {
  /** n × 3 */
  readonly positions: ArrayLike<number>;
  /** f × 3, counter-clockwise from outside */
  readonly triangles: ArrayLike<number>;
}

/** Part of the full solid angle from which on a point is inside: one half is on the surface itself. */
const INSIDE = 0.5;
/** How far below the surface a ray starts, in parts of the edge it starts beside. */
const BELOW = 1e-3;

/** Whether the surface turns once about a point. */
export function isInside({ positions, triangles }: Body, [x, y, z]: Point): boolean {
  let angle = 0;
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [3 * triangles[k], 3 * triangles[k + 1], 3 * triangles[k + 2]];
    const [ax, ay, az] = [positions[a] - x, positions[a + 1] - y, positions[a + 2] - z];
    const [bx, by, bz] = [positions[b] - x, positions[b + 1] - y, positions[b + 2] - z];
    const [cx, cy, cz] = [positions[c] - x, positions[c + 1] - y, positions[c + 2] - z];
    const [la, lb, lc] = [Math.hypot(ax, ay, az), Math.hypot(bx, by, bz), Math.hypot(cx, cy, cz)];
    const volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    const [ab, bc, ca] = [ax * bx + ay * by + az * bz, bx * cx + by * cy + bz * cz, cx * ax + cy * ay + cz * az];
    angle += 2 * Math.atan2(volume, la * lb * lc + ab * lc + bc * la + ca * lb);
  }
  return Math.abs(angle) / (4 * Math.PI) > INSIDE;
}

/** A point as it is where it is inside; else the middle of the body behind the triangle that is nearest to it. */
export function snappedInside(body: Body, point: Point): Point {
  if (body.triangles.length === 0 || isInside(body, point)) return point;
  const { positions, triangles } = body;
  let [nearest, least] = [0, Number.POSITIVE_INFINITY];
  for (let k = 0; k < triangles.length; k += 3) {
    const [x, y, z] = centreOf(body, k);
    const apart = (x - point[0]) ** 2 + (y - point[1]) ** 2 + (z - point[2]) ** 2;
    if (apart < least) [nearest, least] = [k, apart];
  }
  const [a, b, c] = [0, 1, 2].map((s) => at(positions, triangles[nearest + s]));
  const normal = cross(difference(b, a), difference(c, a));
  const area = Math.hypot(...normal) || 1;
  const inwards = normal.map((value) => -value / area) as unknown as Point;
  const start = along(centreOf(body, nearest), inwards, BELOW * Math.sqrt(area));
  const depth = exitOf(body, start, inwards);
  return depth === undefined ? start : along(start, inwards, depth / 2);
}

/** Distance along a ray to the next triangle; undefined where there is none. */
function exitOf({ positions, triangles }: Body, from: Point, direction: Point): number | undefined {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [0, 1, 2].map((s) => at(positions, triangles[k + s]));
    const [u, v] = [difference(b, a), difference(c, a)];
    const p = cross(direction, v);
    const determinant = dot(u, p);
    if (determinant === 0) continue;
    const t = difference(from, a);
    const s = dot(t, p) / determinant;
    const q = cross(t, u);
    const r = dot(direction, q) / determinant;
    const distance = dot(v, q) / determinant;
    if (s >= 0 && r >= 0 && s + r <= 1 && distance > 0 && distance < least) least = distance;
  }
  return Number.isFinite(least) ? least : undefined;
}

function centreOf({ positions, triangles }: Body, k: number): Point {
  const [a, b, c] = [0, 1, 2].map((s) => at(positions, triangles[k + s]));
  return [(a[0] + b[0] + c[0]) / 3, (a[1] + b[1] + c[1]) / 3, (a[2] + b[2] + c[2]) / 3];
}

function at(positions: ArrayLike<number>, i: number): Point {
  return [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]];
}

function difference(a: Point, b: Point): Point {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function along(from: Point, direction: Point, distance: number): Point {
  return [from[0] + direction[0] * distance, from[1] + direction[1] * distance, from[2] + direction[2] * distance];
}

function cross(a: Point, b: Point): Point {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: Point, b: Point): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
