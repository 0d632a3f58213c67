/** Which vertex of a surface is under the pointer: a plain test of all triangles, fast enough for a click. */
import type { Ray } from 'three/webgpu';
import { Vector3 } from 'three/webgpu';
import type { Surface } from './surface.ts';

/** The vertex of the nearest triangle that the ray meets, nearest to where it does; −1 beside the surface. */
export function pickVertex({ positions, moving: { triangles } }: Surface, ray: Ray): number {
  const [a, b, c, hit] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
  let [nearest, found] = [Number.POSITIVE_INFINITY, -1];
  for (let k = 0; k < triangles.length; k += 3) {
    a.fromArray(positions, 3 * triangles[k]);
    b.fromArray(positions, 3 * triangles[k + 1]);
    c.fromArray(positions, 3 * triangles[k + 2]);
    if (!ray.intersectTriangle(a, b, c, false, hit)) continue;
    const distance = hit.distanceToSquared(ray.origin);
    if (distance >= nearest) continue;
    nearest = distance;
    const apart = [a, b, c].map((corner) => corner.distanceToSquared(hit));
    found = triangles[k + apart.indexOf(Math.min(...apart))];
  }
  return found;
}
