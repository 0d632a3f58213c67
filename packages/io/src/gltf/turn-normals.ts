/**
 * Normals of a surface that has moved: each is turned as its vertex's smooth normal was turned, by the shortest
 * rotation from the one at rest to the one in the pose. Hard edges so stay hard, and no normal is made up.
 *
 * @param normals  n × 3, unit, at rest
 * @param before   n × 3, smooth normals at rest
 * @param after    n × 3, smooth normals in the pose
 * @return n × 3: what to add to `normals`
 */
export function turnedNormalDeltas(
  normals: Float32Array,
  before: Float32Array,
  after: Float32Array,
): Float32Array<ArrayBuffer> {
  const deltas = new Float32Array(normals.length);
  for (let k = 0; k < normals.length; k += 3) {
    const [ax, ay, az] = [before[k], before[k + 1], before[k + 2]];
    const [bx, by, bz] = [after[k], after[k + 1], after[k + 2]];
    const [nx, ny, nz] = [normals[k], normals[k + 1], normals[k + 2]];
    const cosine = ax * bx + ay * by + az * bz;
    const [vx, vy, vz] = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
    if (cosine <= -1 + OPPOSITE) {
      // A surface that turned over has no shortest rotation; its normals point the other way.
      for (let r = 0; r < 3; r++) deltas[k + r] = -2 * normals[k + r];
      continue;
    }
    // R n − n by Rodrigues' formula, with v = a × b = sin·axis.
    const along = (vx * nx + vy * ny + vz * nz) / (1 + cosine);
    deltas[k] = (cosine - 1) * nx + vy * nz - vz * ny + along * vx;
    deltas[k + 1] = (cosine - 1) * ny + vz * nx - vx * nz + along * vy;
    deltas[k + 2] = (cosine - 1) * nz + vx * ny - vy * nx + along * vz;
  }
  return deltas;
}

/** Two normals with a cosine this near to −1 are opposite. */
const OPPOSITE = 1e-6;
