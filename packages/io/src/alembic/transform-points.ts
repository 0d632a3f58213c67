/**
 * Passes over the points of a frame, in place. Both report whether all coordinates are finite: 0 · x is 0 for finite x
 * and NaN otherwise, so a sum replaces a branch per number. allFinite() keeps one sum per axis to avoid a single chain
 * of dependent additions.
 */
import type { Transform } from '../gltf/transform.ts';

/** @param points  n × 3 */
export function allFinite(points: Float32Array): boolean {
  let x = 0;
  let y = 0;
  let z = 0;
  for (let k = 0; k < points.length; k += 3) {
    x += 0 * points[k];
    y += 0 * points[k + 1];
    z += 0 * points[k + 2];
  }
  return x + y + z === 0;
}

/**
 * p ← A p + t
 *
 * @param points  n × 3; overwritten
 * @return whether all results are finite in float32
 */
export function transformInPlace(a: Transform, points: Float32Array): boolean {
  const [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11] = a;
  let sum = 0;
  for (let k = 0; k < points.length; k += 3) {
    const x = points[k];
    const y = points[k + 1];
    const z = points[k + 2];
    const px = Math.fround(a0 * x + a1 * y + a2 * z + a3);
    const py = Math.fround(a4 * x + a5 * y + a6 * z + a7);
    const pz = Math.fround(a8 * x + a9 * y + a10 * z + a11);
    points[k] = px;
    points[k + 1] = py;
    points[k + 2] = pz;
    sum += 0 * px + 0 * py + 0 * pz;
  }
  return sum === 0;
}
