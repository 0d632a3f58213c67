/**
 * The point of a triangle nearest to a query: minimise ‖αa + βb + γc − p‖ over α, β, γ ≥ 0, α + β + γ = 1.
 *
 * The Voronoi region of p (a corner, an edge, the inside) is found from dot products; a triangle without area falls back
 * to the nearest of its edges, an edge without length to its end.
 *
 * Reference: Ericson. Real-Time Collision Detection. 2005 (§5.1.5).
 */

/** Area below which a triangle is a segment or a point, relative to its edges squared; twice rounding. */
const FLAT = 2 ** -50;

/**
 * @param corners  nine numbers from index `from`: a, b, c
 * @param query    three numbers from index `at`
 * @param out      barycentric α, β, γ; overwritten
 * @returns  the squared distance
 */
export function closestOnTriangle(
  corners: ArrayLike<number>,
  from: number,
  query: ArrayLike<number>,
  at: number,
  out: Float64Array,
): number {
  // Everything relative to the query, so that digits are spent on distances and not on the place in the world.
  const ax = corners[from] - query[at];
  const ay = corners[from + 1] - query[at + 1];
  const az = corners[from + 2] - query[at + 2];
  const bx = corners[from + 3] - query[at];
  const by = corners[from + 4] - query[at + 1];
  const bz = corners[from + 5] - query[at + 2];
  const cx = corners[from + 6] - query[at];
  const cy = corners[from + 7] - query[at + 1];
  const cz = corners[from + 8] - query[at + 2];
  const [ux, uy, uz] = [bx - ax, by - ay, bz - az];
  const [vx, vy, vz] = [cx - ax, cy - ay, cz - az];
  const ua = -(ux * ax + uy * ay + uz * az);
  const va = -(vx * ax + vy * ay + vz * az);
  const ub = -(ux * bx + uy * by + uz * bz);
  const vb = -(vx * bx + vy * by + vz * bz);
  const uc = -(ux * cx + uy * cy + uz * cz);
  const vc = -(vx * cx + vy * cy + vz * cz);
  // Twice the signed areas that p spans with the edges opposite to a, b, c, times the normal's length.
  const alpha = ub * vc - uc * vb;
  const beta = uc * va - ua * vc;
  const gamma = ua * vb - ub * va;
  const area = alpha + beta + gamma;
  const flat = !(area > FLAT * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz));
  let [a, b, c] = [0, 0, 0];
  if (flat) return nearestEdge(ax, ay, az, bx, by, bz, cx, cy, cz, out);
  if (ua <= 0 && va <= 0) a = 1;
  else if (ub >= 0 && vb <= ub) b = 1;
  else if (vc >= 0 && uc <= vc) c = 1;
  else if (gamma <= 0 && ua >= 0 && ub <= 0) {
    b = ua / (ua - ub);
    a = 1 - b;
  } else if (beta <= 0 && va >= 0 && vc <= 0) {
    c = va / (va - vc);
    a = 1 - c;
  } else if (alpha <= 0 && vb - ub >= 0 && uc - vc >= 0) {
    c = (vb - ub) / (vb - ub + (uc - vc));
    b = 1 - c;
  } else {
    b = beta / area;
    c = gamma / area;
    a = 1 - b - c;
  }
  out[0] = a;
  out[1] = b;
  out[2] = c;
  return squaredLength(a * ax + b * bx + c * cx, a * ay + b * by + c * cy, a * az + b * bz + c * cz);
}

function nearestEdge(
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  cx: number,
  cy: number,
  cz: number,
  out: Float64Array,
): number {
  const ab = alongEdge(ax, ay, az, bx, by, bz);
  const bc = alongEdge(bx, by, bz, cx, cy, cz);
  const ca = alongEdge(cx, cy, cz, ax, ay, az);
  const toAb = squaredLength(ax + ab * (bx - ax), ay + ab * (by - ay), az + ab * (bz - az));
  const toBc = squaredLength(bx + bc * (cx - bx), by + bc * (cy - by), bz + bc * (cz - bz));
  const toCa = squaredLength(cx + ca * (ax - cx), cy + ca * (ay - cy), cz + ca * (az - cz));
  if (toAb <= toBc && toAb <= toCa) {
    out.set([1 - ab, ab, 0]);
    return toAb;
  }
  if (toBc <= toCa) {
    out.set([0, 1 - bc, bc]);
    return toBc;
  }
  out.set([ca, 0, 1 - ca]);
  return toCa;
}

/** The fraction of the way from p to q that is nearest to the origin. */
function alongEdge(px: number, py: number, pz: number, qx: number, qy: number, qz: number): number {
  const [dx, dy, dz] = [qx - px, qy - py, qz - pz];
  const squared = dx * dx + dy * dy + dz * dz;
  if (squared === 0) return 0;
  return Math.min(Math.max(-(px * dx + py * dy + pz * dz) / squared, 0), 1);
}

function squaredLength(x: number, y: number, z: number): number {
  return x * x + y * y + z * z;
}
