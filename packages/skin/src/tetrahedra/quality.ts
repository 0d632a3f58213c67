/**
 * Quality of a tetrahedron: the least sine of its six dihedral angles, 0 if degenerate, negative if inverted, 0.94 for the
 * regular one. It penalises small and large angles, both of which spoil the gradients of the shape functions.
 *
 * With D = 6 · volume, n the face normals of length 2 · area and l an edge: sin θ = D l / (‖nᵢ‖ ‖nⱼ‖) for the faces that
 * meet at that edge.
 *
 * Reference: Shewchuk. What is a good linear finite element? 2002 (§6.3).
 */
import { atan2 } from '@pelt/math';

/** @param points  3 numbers per point; a, b, c, d are indices of points */
export function leastSine(points: Float64Array, a: number, b: number, c: number, d: number): number {
  return leastSineAt(points, points[3 * a], points[3 * a + 1], points[3 * a + 2], b, c, d);
}

/** The same with the first vertex at a given position. */
export function leastSineAt(
  points: Float64Array,
  x: number,
  y: number,
  z: number,
  b: number,
  c: number,
  d: number,
): number {
  // Edges from the first vertex, u to b, v to c, w to d, and the other three.
  const ux = points[3 * b] - x;
  const uy = points[3 * b + 1] - y;
  const uz = points[3 * b + 2] - z;
  const vx = points[3 * c] - x;
  const vy = points[3 * c + 1] - y;
  const vz = points[3 * c + 2] - z;
  const wx = points[3 * d] - x;
  const wy = points[3 * d + 1] - y;
  const wz = points[3 * d + 2] - z;
  const u2 = ux * ux + uy * uy + uz * uz;
  const v2 = vx * vx + vy * vy + vz * vz;
  const w2 = wx * wx + wy * wy + wz * wz;
  const uv = u2 + v2 - 2 * (ux * vx + uy * vy + uz * vz);
  const vw = v2 + w2 - 2 * (vx * wx + vy * wy + vz * wz);
  const wu = w2 + u2 - 2 * (wx * ux + wy * uy + wz * uz);
  // Normals of the faces at the first vertex; the fourth is their sum.
  const px = uy * vz - uz * vy;
  const py = uz * vx - ux * vz;
  const pz = ux * vy - uy * vx;
  const qx = vy * wz - vz * wy;
  const qy = vz * wx - vx * wz;
  const qz = vx * wy - vy * wx;
  const rx = wy * uz - wz * uy;
  const ry = wz * ux - wx * uz;
  const rz = wx * uy - wy * ux;
  const sx = px + qx + rx;
  const sy = py + qy + ry;
  const sz = pz + qz + rz;
  const p2 = px * px + py * py + pz * pz;
  const q2 = qx * qx + qy * qy + qz * qz;
  const r2 = rx * rx + ry * ry + rz * rz;
  const s2 = sx * sx + sy * sy + sz * sz;
  const determinant = px * wx + py * wy + pz * wz;
  // Face p has the edges u and v, q has v and w, r has w and u, s has the three edges opposite the first vertex.
  const least = Math.min(
    u2 / (p2 * r2),
    v2 / (p2 * q2),
    w2 / (q2 * r2),
    uv / (p2 * s2),
    vw / (q2 * s2),
    wu / (r2 * s2),
  );
  // A tetrahedron with a degenerate face has no angles, and counts as degenerate.
  return least < Number.POSITIVE_INFINITY && least >= 0 ? determinant * Math.sqrt(least) : 0;
}

/** The least dihedral angle in degrees; 0 for a degenerate or inverted tetrahedron. */
export function leastDihedralDegrees(points: ArrayLike<number>, a: number, b: number, c: number, d: number): number {
  const normals: number[][] = [];
  const corners = [a, b, c, d];
  for (const [i, j, k] of [
    [1, 2, 3],
    [0, 3, 2],
    [0, 1, 3],
    [0, 2, 1],
  ]) {
    const [ux, uy, uz] = [0, 1, 2].map((axis) => points[3 * corners[j] + axis] - points[3 * corners[i] + axis]);
    const [vx, vy, vz] = [0, 1, 2].map((axis) => points[3 * corners[k] + axis] - points[3 * corners[i] + axis]);
    normals.push([uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]);
  }
  const [px, py, pz] = [0, 1, 2].map((axis) => points[3 * b + axis] - points[3 * a + axis]);
  if (px * normals[0][0] + py * normals[0][1] + pz * normals[0][2] <= 0) return 0;
  let least = 180;
  for (let i = 0; i < 4; i++) {
    for (let j = i + 1; j < 4; j++) {
      const [p, q] = [normals[i], normals[j]];
      const cross = Math.hypot(p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]);
      const dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
      least = Math.min(least, atan2(cross, -dot));
    }
  }
  return (least * 180) / Math.PI;
}
