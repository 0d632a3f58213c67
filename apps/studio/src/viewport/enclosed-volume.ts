import type { PeltMesh } from '@pelt/three';
import { Vector3 } from 'three/webgpu';

/**
 * Volume that a mesh encloses: a sixth of the sum of a · (b × c) over its triangles.
 *
 * @param posed  as the joints are now; else at rest
 */
export function enclosedVolume(mesh: PeltMesh, posed: boolean): number {
  const { index, attributes } = mesh.geometry;
  const { position } = attributes;
  const places = posed ? posedPositions(mesh) : restPositions(mesh);
  return meshVolume(places, index ? index.array : Uint32Array.from({ length: position.count }, (_, i) => i));
}

/** n × 3 positions as the joints are now. */
export function posedPositions(mesh: PeltMesh): Float64Array {
  const at = new Vector3();
  mesh.skeleton.update();
  return positionsOf(mesh, (i) => mesh.getVertexPosition(i, at));
}

function restPositions(mesh: PeltMesh): Float64Array {
  const at = new Vector3();
  return positionsOf(mesh, (i) => at.fromBufferAttribute(mesh.geometry.getAttribute('position'), i));
}

function positionsOf({ geometry }: PeltMesh, place: (i: number) => Vector3): Float64Array {
  const { count } = geometry.getAttribute('position');
  const places = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) place(i).toArray(places, 3 * i);
  return places;
}

/**
 * @param places     n × 3
 * @param triangles  f × 3, counter-clockwise from outside
 */
export function meshVolume(places: ArrayLike<number>, triangles: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [3 * triangles[k], 3 * triangles[k + 1], 3 * triangles[k + 2]];
    const x = places[b + 1] * places[c + 2] - places[b + 2] * places[c + 1];
    const y = places[b + 2] * places[c] - places[b] * places[c + 2];
    const z = places[b] * places[c + 1] - places[b + 1] * places[c];
    sum += places[a] * x + places[a + 1] * y + places[a + 2] * z;
  }
  return sum / 6;
}
