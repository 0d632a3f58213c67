/**
 * Places a perspective camera of given direction so that all points just fit into the picture, centred.
 *
 * With camera axes (right, up, back) a point (x, y, z) is inside the picture from (cx, cy, D) when
 * |x − cx| ≤ (D − z) tx and |y − cy| ≤ (D − z) ty. Along x the smallest D is (A + B) / 2 at cx = tx (A − B) / 2, where
 * A = max(z + x/tx) and B = max(z − x/tx); along y likewise; the larger D fits both.
 */
import type { Triple } from './colour.ts';

/** Orthonormal axes of a camera, which looks along −back. */
export interface CameraAxes {
  readonly right: Triple;
  readonly up: Triple;
  readonly back: Triple;
}

export interface CameraPlace {
  readonly position: Triple;
  readonly near: number;
  readonly far: number;
}

/** A long lens: little perspective distortion, as in a portrait. Vertical, degrees. */
export const FIELD_OF_VIEW = 20;

/**
 * Orthonormal camera axes that look at the subject from `direction`.
 *
 * @param direction  from the subject to the camera
 */
export function cameraAxes(direction: readonly number[], up: readonly number[]): CameraAxes {
  const back = normalise(direction);
  let right = cross(up, back);
  // Looking along `up`: any sideways direction will do.
  if (Math.hypot(...right) < 1e-6) right = cross(Math.abs(back[0]) < 0.9 ? [1, 0, 0] : [0, 0, 1], back);
  right = normalise(right);
  return { right, up: cross(back, right), back };
}

/**
 * @param aspect  width / height of the picture
 * @param margin  part of the picture left free on each side
 */
export function fitCamera(
  points: Iterable<readonly number[]>,
  axes: CameraAxes,
  aspect: number,
  margin: number,
): CameraPlace {
  const ty = Math.tan((FIELD_OF_VIEW * Math.PI) / 360) * (1 - 2 * margin);
  const tx = ty * aspect;
  let [right, left, top, bottom, low, high] = new Array(6).fill(Number.NEGATIVE_INFINITY);
  for (const point of points) {
    const [x, y, z] = [dot(point, axes.right), dot(point, axes.up), dot(point, axes.back)];
    right = Math.max(right, z + x / tx);
    left = Math.max(left, z - x / tx);
    top = Math.max(top, z + y / ty);
    bottom = Math.max(bottom, z - y / ty);
    high = Math.max(high, z);
    low = Math.max(low, -z);
  }
  if (high === Number.NEGATIVE_INFINITY) [right, left, top, bottom, low, high] = [1, 1, 1, 1, 1, 1];
  const [cx, cy] = [(tx * (right - left)) / 2, (ty * (top - bottom)) / 2];
  // A single point has no size; stand one unit away from it.
  const size = Math.max(high + low, right + left - 2 * high, top + bottom - 2 * high);
  const distance = Math.max((right + left) / 2, (top + bottom) / 2, high + (size > 0 ? 0.05 * size : 1));
  const position = [0, 1, 2].map((k) => cx * axes.right[k] + cy * axes.up[k] + distance * axes.back[k]) as Triple;
  return { position, near: (distance - high) * 0.5, far: (distance + low) * 2 + 1 };
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: readonly number[], b: readonly number[]): Triple {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function normalise(a: readonly number[]): Triple {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
}
