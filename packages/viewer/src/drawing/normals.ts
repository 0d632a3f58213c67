/**
 * Normals to shade a triangle mesh with: at each corner the area-weighted mean of the faces around its point that do
 * not bend away by more than the crease angle. Vertices at one place count as one point, so that the seams of a file
 * do not show.
 */
const CREASE_COSINE = Math.cos((50 * Math.PI) / 180);

/**
 * @param positions  n × 3
 * @param triangles  f × 3
 * @param flat       every face alone
 * @returns f × 3 × 3, one normal a corner
 */
export function cornerNormals(
  positions: ArrayLike<number>,
  triangles: ArrayLike<number>,
  flat: boolean,
): Float32Array<ArrayBuffer> {
  const faces = faceNormals(positions, triangles);
  const out = new Float32Array(triangles.length * 3);
  const { start, corners, pointOf } = cornersOfPoints(positions, triangles);
  for (let corner = 0; corner < triangles.length; corner++) {
    const own = 3 * Math.floor(corner / 3);
    const ownLength = Math.hypot(faces[own], faces[own + 1], faces[own + 2]);
    let [x, y, z] = [faces[own], faces[own + 1], faces[own + 2]];
    const point = pointOf[triangles[corner]];
    for (let k = start[point]; !flat && k < start[point + 1]; k++) {
      const other = 3 * Math.floor(corners[k] / 3);
      if (other === own) continue;
      const cosine = faces[own] * faces[other] + faces[own + 1] * faces[other + 1] + faces[own + 2] * faces[other + 2];
      const length = Math.hypot(faces[other], faces[other + 1], faces[other + 2]);
      if (cosine < CREASE_COSINE * ownLength * length) continue;
      x += faces[other];
      y += faces[other + 1];
      z += faces[other + 2];
    }
    const length = Math.hypot(x, y, z) || 1;
    out.set([x / length, y / length, z / length], 3 * corner);
  }
  return out;
}

/** Twice the area times the normal of each face. */
function faceNormals(p: ArrayLike<number>, triangles: ArrayLike<number>): Float64Array {
  const out = new Float64Array(triangles.length);
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [3 * triangles[k], 3 * triangles[k + 1], 3 * triangles[k + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    out[k] = uy * vz - uz * vy;
    out[k + 1] = uz * vx - ux * vz;
    out[k + 2] = ux * vy - uy * vx;
  }
  return out;
}

/** The corners around each point, in compressed rows. */
function cornersOfPoints(positions: ArrayLike<number>, triangles: ArrayLike<number>) {
  const pointOf = new Uint32Array(positions.length / 3);
  const seen = new Map<string, number>();
  for (let i = 0; i < pointOf.length; i++) {
    const key = `${positions[3 * i]},${positions[3 * i + 1]},${positions[3 * i + 2]}`;
    pointOf[i] = seen.get(key) ?? seen.size;
    seen.set(key, pointOf[i]);
  }
  const start = new Uint32Array(seen.size + 1);
  for (let corner = 0; corner < triangles.length; corner++) start[pointOf[triangles[corner]] + 1]++;
  for (let k = 0; k < seen.size; k++) start[k + 1] += start[k];
  const next = start.slice();
  const corners = new Uint32Array(triangles.length);
  for (let corner = 0; corner < triangles.length; corner++) corners[next[pointOf[triangles[corner]]]++] = corner;
  return { start, corners, pointOf };
}
