/**
 * Bones as animators draw them: a ball at each joint, a slim octahedron from parent to child, and for a bone that
 * hangs on nothing a ball with the three axes of its frame.
 */
import * as THREE from 'three';
import { ACCENT } from './colour.ts';
import type { BonesItem } from './items.ts';

const AXIS_COLOURS = ['#b4402f', '#3f8f4f', '#3566b0'];

/** @param size  radius of the whole subject */
export function boneObjects(item: BonesItem, size: number): THREE.Object3D[] {
  const { frames, parents, colours, radius = 0.016 * size } = item;
  const count = parents.length;
  const linked = new Set(Array.from(parents).flatMap((parent, j) => (parent >= 0 ? [parent, j] : [])));
  const origins = Array.from(
    { length: count },
    (_, j) => new THREE.Vector3(frames[12 * j + 3], frames[12 * j + 7], frames[12 * j + 11]),
  );
  const ball = new THREE.SphereGeometry(radius, 24, 16);
  const objects: THREE.Object3D[] = [];
  for (let j = 0; j < count; j++) {
    const material = new THREE.MeshStandardMaterial({ color: colours?.[j] ?? ACCENT, roughness: 0.5 });
    const joint = new THREE.Mesh(ball, material);
    joint.position.copy(origins[j]);
    objects.push(joint);
    if (!linked.has(j)) objects.push(...axes(frames, j, radius));
    const parent = parents[j];
    if (parent < 0) continue;
    const parentMaterial = colours ? material.clone() : material;
    parentMaterial.color.set(colours?.[parent] ?? ACCENT);
    const link = octahedron(origins[parent], origins[j], radius, parentMaterial);
    if (link) objects.push(link);
  }
  for (const object of objects) object.castShadow = true;
  return objects;
}

/** Pointed at both ends, widest near its start; none between joints at one place. */
function octahedron(from: THREE.Vector3, to: THREE.Vector3, radius: number, material: THREE.Material) {
  const along = to.clone().sub(from);
  const length = along.length();
  if (length < radius * 0.1) return undefined;
  const width = Math.min(radius * 0.95, length * 0.2);
  const waist = Math.min(0.16 * length, 2 * radius);
  const ring = [0, 1, 2, 3].map(
    (k) =>
      [
        [width, 0],
        [0, width],
        [-width, 0],
        [0, -width],
      ][k],
  );
  const points: number[] = [];
  for (let k = 0; k < 4; k++) {
    const [a, b] = [ring[k], ring[(k + 1) % 4]];
    points.push(0, 0, 0, a[0], waist, a[1], b[0], waist, b[1]);
    points.push(0, length, 0, b[0], waist, b[1], a[0], waist, a[1]);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
  geometry.computeVertexNormals();
  const mesh = new THREE.Mesh(geometry, material);
  mesh.position.copy(from);
  mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.normalize());
  return mesh;
}

function axes(frames: ArrayLike<number>, j: number, radius: number): THREE.Mesh[] {
  const origin = new THREE.Vector3(frames[12 * j + 3], frames[12 * j + 7], frames[12 * j + 11]);
  return [0, 1, 2].map((k) => {
    const axis = new THREE.Vector3(frames[12 * j + k], frames[12 * j + 4 + k], frames[12 * j + 8 + k]).normalize();
    const length = 3.2 * radius;
    const geometry = new THREE.CylinderGeometry(0.22 * radius, 0.22 * radius, length, 10).translate(0, length / 2, 0);
    const stick = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: AXIS_COLOURS[k], roughness: 0.6 }));
    stick.position.copy(origin);
    stick.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), axis);
    return stick;
  });
}
