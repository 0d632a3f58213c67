/**
 * Takes a flat tetrahedron off the boundary. A flat one with two faces outside that nearly continue each other lies on
 * the surface like a leaf: without it the surface has the other diagonal of a nearly plane quadrilateral and hardly any
 * less volume.
 */
import { triangleNormal } from '@pelt/math';
import { type Complex, OUTSIDE } from './complex.ts';
import { OPPOSITE } from './delaunay.ts';

/** Cosine of the angle between outward normals above which two faces continue each other: 45°. */
const CONTINUES = Math.SQRT1_2;

/** True where tetrahedron t went. Never takes the last tetrahedron of a vertex. */
export function tryPeel(complex: Complex, t: number): boolean {
  const { vertices, adjacent } = complex;
  const open = [0, 1, 2, 3].filter((slot) => adjacent[4 * t + slot] === OUTSIDE);
  if (open.length !== 2 || cosineBetween(complex, t, open[0], open[1]) < CONTINUES) return false;
  for (let slot = 0; slot < 4; slot++) if (complex.usesOf(vertices[4 * t + slot]) === 1) return false;
  complex.replace([t], []);
  return true;
}

/** Cosine of the angle between the normals of the faces opposite two slots. */
function cosineBetween(complex: Complex, t: number, i: number, j: number): number {
  const p = normalOpposite(complex, t, i);
  const q = normalOpposite(complex, t, j);
  const size = Math.hypot(p[0], p[1], p[2]) * Math.hypot(q[0], q[1], q[2]);
  return size > 0 ? (p[0] * q[0] + p[1] * q[1] + p[2] * q[2]) / size : 1;
}

function normalOpposite({ points, vertices }: Complex, t: number, slot: number): Float64Array {
  const [a, b, c] = [0, 1, 2].map((k) => vertices[4 * t + OPPOSITE[3 * slot + k]]);
  const out = new Float64Array(3);
  triangleNormal(points, a, b, c, out, 0);
  return out;
}
