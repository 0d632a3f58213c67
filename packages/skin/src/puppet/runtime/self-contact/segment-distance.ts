/**
 * The closest points of two segments.
 *
 * Reference: Ericson. Real-time collision detection. 2005, §5.1.9: minimise over the unit square, clamping one parameter,
 * then the other.
 *
 * @param a    6: two ends, from index `aAt`
 * @param b    6: two ends, from index `bAt`
 * @param out  5, overwritten: from the point of b to that of a; and the parameters of both points, 0 to 1
 */
export function segmentDistance(a: Float64Array, aAt: number, b: Float64Array, bAt: number, out: Float64Array): void {
  const ux = a[aAt + 3] - a[aAt];
  const uy = a[aAt + 4] - a[aAt + 1];
  const uz = a[aAt + 5] - a[aAt + 2];
  const vx = b[bAt + 3] - b[bAt];
  const vy = b[bAt + 4] - b[bAt + 1];
  const vz = b[bAt + 5] - b[bAt + 2];
  const wx = a[aAt] - b[bAt];
  const wy = a[aAt + 1] - b[bAt + 1];
  const wz = a[aAt + 2] - b[bAt + 2];
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  const uv = ux * vx + uy * vy + uz * vz;
  const uw = ux * wx + uy * wy + uz * wz;
  const vw = vx * wx + vy * wy + vz * wz;
  const determinant = uu * vv - uv * uv;
  let s = determinant > 1e-12 * uu * vv ? clamp((uv * vw - vv * uw) / determinant) : 0;
  let t = vv > 0 ? (uv * s + vw) / vv : 0;
  if (t < 0 || t > 1) {
    t = clamp(t);
    s = uu > 0 ? clamp((uv * t - uw) / uu) : 0;
  }
  out[0] = wx + s * ux - t * vx;
  out[1] = wy + s * uy - t * vy;
  out[2] = wz + s * uz - t * vz;
  out[3] = s;
  out[4] = t;
}

function clamp(x: number): number {
  return Math.min(1, Math.max(0, x));
}
