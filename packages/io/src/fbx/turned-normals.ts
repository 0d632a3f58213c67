/** Normals under an affine transform: they turn by the cofactors of what points turn by. */
import { adjugate3 } from '@pelt/math';
import type { Transform } from '../gltf/transform.ts';

export function turnedNormals(normals: Float32Array, a: Transform): Float32Array {
  const linear = Float64Array.of(a[0], a[1], a[2], a[4], a[5], a[6], a[8], a[9], a[10]);
  const adjugate = new Float64Array(9);
  const sign = adjugate3(linear, 0, adjugate, 0) < 0 ? -1 : 1;
  const out = new Float32Array(normals.length);
  for (let k = 0; k < normals.length; k += 3) {
    const v = [0, 1, 2].map(
      (r) => sign * (adjugate[r] * normals[k] + adjugate[3 + r] * normals[k + 1] + adjugate[6 + r] * normals[k + 2]),
    );
    const length = Math.hypot(v[0], v[1], v[2]) || 1;
    for (let r = 0; r < 3; r++) out[k + r] = v[r] / length;
  }
  return out;
}
