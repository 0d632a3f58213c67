/** Puts models in a row across the picture and the camera before it, at any shape of the picture. */
import { Box3, type Object3D, Vector3 } from 'three/webgpu';
import type { LiveHost } from './host.ts';

export interface Arrangement {
  /** Degrees from +Z about +Y, and above the ground. */
  readonly azimuth: number;
  readonly elevation?: number;
  /** Between neighbours, in widths of a model. */
  readonly gap?: number;
  /** Room round the whole. */
  readonly margin?: number;
}

/** @param boxes  what each model fills in all of its poses, in its own space */
export function arrange(
  host: LiveHost,
  models: readonly Object3D[],
  boxes: readonly Box3[],
  options: Arrangement,
): void {
  const { azimuth, elevation = 14, gap = 1.08, margin = 1.06 } = options;
  const { stage } = host;
  const [a, e] = [(azimuth * Math.PI) / 180, (elevation * Math.PI) / 180];
  const back = new Vector3(Math.sin(a) * Math.cos(e), Math.sin(e), Math.cos(a) * Math.cos(e));
  const right = new Vector3(Math.cos(a), 0, -Math.sin(a));
  const up = new Vector3().crossVectors(back, right);
  const extent = (box: Box3, direction: Vector3) => {
    const size = box.getSize(new Vector3());
    return Math.abs(direction.x) * size.x + Math.abs(direction.y) * size.y + Math.abs(direction.z) * size.z;
  };
  const widths = boxes.map((box) => gap * extent(box, right));
  const total = widths.reduce((sum, width) => sum + width, 0);
  const whole = new Box3();
  let left = -total / 2;
  models.forEach((model, k) => {
    const centre = boxes[k].getCenter(new Vector3());
    const shift = right.clone().multiplyScalar(left + widths[k] / 2 - centre.dot(right));
    // Along the view all stand in one plane.
    const depth = new Vector3(back.x, 0, back.z).normalize();
    model.position.copy(shift).addScaledVector(depth, -centre.dot(depth));
    left += widths[k];
    whole.union(boxes[k].clone().translate(model.position));
  });
  stage.frame({ min: whole.min.toArray(), max: whole.max.toArray() });
  const height = Math.max(...boxes.map((box) => extent(box, up)));
  const deep = Math.max(...boxes.map((box) => extent(box, back)));
  const target = whole.getCenter(new Vector3());
  let moved = false;
  stage.controls.addEventListener('start', () => {
    moved = true;
  });
  const place = () => {
    if (moved) return;
    const { clientWidth, clientHeight } = host.section.querySelector('.live-stage') as HTMLElement;
    const aspect = clientWidth / Math.max(1, clientHeight);
    // The stage widens its angle where the picture is upright.
    const slope = Math.tan((stage.camera.fov * Math.PI) / 360);
    const distance = (margin / 2) * Math.max(height / slope, total / (slope * aspect)) + deep / 2;
    stage.controls.target.copy(target);
    stage.camera.position.copy(target).addScaledVector(back, distance);
    stage.controls.update();
  };
  place();
  new ResizeObserver(place).observe(host.canvas);
}

/** @param positions  n × 3, or several frames of it */
export function boxOf(positions: ArrayLike<number>): Box3 {
  const box = new Box3();
  const at = new Vector3();
  for (let k = 0; k < positions.length; k += 3)
    box.expandByPoint(at.set(positions[k], positions[k + 1], positions[k + 2]));
  return box;
}
