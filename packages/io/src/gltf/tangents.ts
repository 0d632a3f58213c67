/**
 * Tangents for normal maps: at each vertex the direction in which u grows along the surface, perpendicular to the
 * normal, and the side (±1) on which v grows. glTF lets a viewer make its own, but then no two agree.
 *
 * Reference: Lengyel. Computing tangent space basis vectors for an arbitrary mesh. 2001.
 *
 * @param positions  n × 3
 * @param normals    n × 3, unit
 * @param uvs        n × 2
 * @param triangles  f × 3 vertex indices
 * @return n × 4, unit direction and side
 */
export function vertexTangents(
  positions: Float32Array,
  normals: Float32Array,
  uvs: Float32Array,
  triangles: Uint32Array,
): Float32Array<ArrayBuffer> {
  const n = positions.length / 3;
  const alongU = new Float64Array(3 * n);
  const alongV = new Float64Array(3 * n);
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [triangles[k], triangles[k + 1], triangles[k + 2]];
    const u1 = uvs[2 * b] - uvs[2 * a];
    const v1 = uvs[2 * b + 1] - uvs[2 * a + 1];
    const u2 = uvs[2 * c] - uvs[2 * a];
    const v2 = uvs[2 * c + 1] - uvs[2 * a + 1];
    // The inverse of [u1 v1; u2 v2] without its division: only directions count, and the sign of the area.
    const sign = Math.sign(u1 * v2 - u2 * v1);
    for (let r = 0; r < 3; r++) {
      const e1 = positions[3 * b + r] - positions[3 * a + r];
      const e2 = positions[3 * c + r] - positions[3 * a + r];
      for (const v of [a, b, c]) {
        alongU[3 * v + r] += sign * (v2 * e1 - v1 * e2);
        alongV[3 * v + r] += sign * (u1 * e2 - u2 * e1);
      }
    }
  }
  const tangents = new Float32Array(4 * n);
  for (let i = 0; i < n; i++) writeTangent(normals, alongU, alongV, i, tangents);
  return tangents;
}

function writeTangent(
  normals: Float32Array,
  alongU: Float64Array,
  alongV: Float64Array,
  i: number,
  out: Float32Array,
): void {
  const [nx, ny, nz] = normals.subarray(3 * i, 3 * i + 3);
  const [ux, uy, uz] = alongU.subarray(3 * i, 3 * i + 3);
  const along = nx * ux + ny * uy + nz * uz;
  let [tx, ty, tz] = [ux - along * nx, uy - along * ny, uz - along * nz];
  let length = Math.hypot(tx, ty, tz);
  if (!(length > 0)) {
    // No UVs to go by: the coordinate axis that is farthest from the normal, laid into the surface.
    const x = Math.abs(nx) <= Math.abs(ny) && Math.abs(nx) <= Math.abs(nz);
    const y = !x && Math.abs(ny) <= Math.abs(nz);
    const dot = x ? nx : y ? ny : nz;
    [tx, ty, tz] = [(x ? 1 : 0) - dot * nx, (y ? 1 : 0) - dot * ny, (x || y ? 0 : 1) - dot * nz];
    length = Math.hypot(tx, ty, tz);
  }
  const [vx, vy, vz] = alongV.subarray(3 * i, 3 * i + 3);
  const side = (ny * tz - nz * ty) * vx + (nz * tx - nx * tz) * vy + (nx * ty - ny * tx) * vz;
  out[4 * i] = tx / length;
  out[4 * i + 1] = ty / length;
  out[4 * i + 2] = tz / length;
  // glTF's v runs down the picture; the bitangent of a normal map runs up.
  out[4 * i + 3] = side > 0 ? -1 : 1;
}
