// @ts-check
/**
 * Places a perspective camera of given direction so that all points just fit into the picture, centred.
 *
 * With camera axes (right, up, back) a point (x, y, z) is inside the picture from (cx, cy, D) when
 * |x − cx| ≤ (D − z) tx and |y − cy| ≤ (D − z) ty. Along x the smallest D is (A + B) / 2 at cx = tx (A − B) / 2, where
 * A = max(z + x/tx) and B = max(z − x/tx); along y likewise; the larger D fits both.
 *
 * @typedef {[number, number, number]} Triple
 */

/** A long lens: little perspective distortion, as in a portrait. Vertical, degrees. */
export const FIELD_OF_VIEW = 20;

/**
 * Orthonormal camera axes that look at the subject from `direction`.
 *
 * @param {readonly number[]} direction  from the subject to the camera
 * @param {readonly number[]} up
 * @returns {{ right: Triple, up: Triple, back: Triple }}
 */
export function cameraAxes(direction, up) {
  const back = normalise(direction);
  let right = cross(up, back);
  // Looking along `up`: any sideways direction will do.
  if (Math.hypot(...right) < 1e-6) right = cross(Math.abs(back[0]) < 0.9 ? [1, 0, 0] : [0, 0, 1], back);
  right = normalise(right);
  return { right, up: cross(back, right), back };
}

/**
 * @param {Iterable<readonly number[]>} points
 * @param {{ right: Triple, up: Triple, back: Triple }} axes
 * @param {number} aspect  width / height of the picture
 * @param {number} margin  part of the picture left free on each side
 * @returns {{ position: Triple, near: number, far: number }}
 */
export function fitCamera(points, axes, aspect, margin) {
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
  const position = /** @type {Triple} */ (
    [0, 1, 2].map((k) => cx * axes.right[k] + cy * axes.up[k] + distance * axes.back[k])
  );
  return { position, near: (distance - high) * 0.5, far: (distance + low) * 2 + 1 };
}

/**
 * @param {readonly number[]} a
 * @param {readonly number[]} b
 */
function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/**
 * @param {readonly number[]} a
 * @param {readonly number[]} b
 * @returns {Triple}
 */
function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/**
 * @param {readonly number[]} a
 * @returns {Triple}
 */
function normalise(a) {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
}
