/** What a stage renders of some items: their objects, and a camera that has all given points in its picture. */
import * as THREE from 'three';
import { cameraAxes, fitCamera } from './framing.ts';
import type { Item, View } from './items.ts';
import { objectsOf } from './objects.ts';
import type { Shot } from './stage.ts';

const DIRECTION = [0.55, 0.3, 1] as const;
const UP = [0, 1, 0] as const;
const MARGIN = 0.06;

/** The points of the items that must be in the picture. */
export function pointsOf(items: readonly Item[]): number[][] {
  return items.flatMap((item) => {
    if (item.kind === 'label') return [[...item.at]];
    if (item.kind === 'bones') {
      return Array.from(item.parents, (_, j) => [3, 7, 11].map((k) => item.frames[12 * j + k]));
    }
    const values = item.kind === 'lines' ? item.segments : item.positions;
    return Array.from({ length: values.length / 3 }, (_, k) => [values[3 * k], values[3 * k + 1], values[3 * k + 2]]);
  });
}

/**
 * @param points  what to frame: those of the items, or more, so that several pictures have one camera
 * @param aspect  width / height of the picture
 * @param ground  whether a ground catches the shadow
 */
export function shotOf(
  items: readonly Item[],
  points: readonly (readonly number[])[],
  { direction = DIRECTION, up = UP, margin = MARGIN }: View,
  aspect: number,
  ground: boolean,
): Shot {
  const axes = cameraAxes(direction, up);
  const upward = new THREE.Vector3(...up).normalize();
  const bounds = new THREE.Box3().setFromPoints(points.map(([x, y, z]) => new THREE.Vector3(x, y, z)));
  const sphere = bounds.getBoundingSphere(new THREE.Sphere());
  const radius = sphere.radius > 0 ? sphere.radius : 1;
  let lowest = Number.POSITIVE_INFINITY;
  for (const [x, y, z] of points) lowest = Math.min(lowest, x * upward.x + y * upward.y + z * upward.z);
  return {
    objects: items.flatMap((item) => objectsOf(item, radius)),
    centre: sphere.center,
    radius,
    up: upward,
    axes,
    camera: fitCamera(points, axes, aspect, margin),
    ground: ground && Number.isFinite(lowest) ? lowest : undefined,
  };
}
