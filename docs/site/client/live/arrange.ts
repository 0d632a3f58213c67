/**
 * Puts models before the camera: one in the whole picture, several in columns of it, each seen from the same place, so that
 * they can be compared from every side.
 */
import { Box3, type Object3D, Vector3 } from 'three/webgpu';
import type { LiveHost } from './host.ts';

export interface Arrangement {
  /** Degrees from +Z about +Y, and above the ground. */
  readonly azimuth: number;
  readonly elevation?: number;
  /** Room round a model. */
  readonly margin?: number;
}

/** Half of the stage's angle of view, as a slope. */
const SLOPE = Math.tan((16 * Math.PI) / 180);

/** @param boxes  what each model fills in all of its poses, in its own space */
export function arrange(
  host: LiveHost,
  models: readonly Object3D[],
  boxes: readonly Box3[],
  { azimuth, elevation = 12, margin = 1 }: Arrangement,
): void {
  const { stage } = host;
  host.columns = models;
  const whole = new Box3();
  models.forEach((model, k) => {
    const centre = boxes[k].getCenter(new Vector3());
    model.position.set(-centre.x, -boxes[k].min.y, -centre.z);
    whole.union(boxes[k].clone().translate(model.position));
  });
  stage.frame({ min: whole.min.toArray(), max: whole.max.toArray() });

  const [a, e] = [(azimuth * Math.PI) / 180, (elevation * Math.PI) / 180];
  const back = new Vector3(Math.sin(a) * Math.cos(e), Math.sin(e), Math.cos(a) * Math.cos(e));
  const right = new Vector3(Math.cos(a), 0, -Math.sin(a));
  const size = whole.getSize(new Vector3());
  const extent = ({ x, y, z }: Vector3) => Math.abs(x) * size.x + Math.abs(y) * size.y + Math.abs(z) * size.z;
  const [width, height, depth] = [right, new Vector3().crossVectors(back, right), back].map(extent);
  const target = whole.getCenter(new Vector3());
  let moved = false;
  stage.controls.addEventListener('start', () => {
    moved = true;
  });
  const place = () => {
    if (moved) return;
    const { clientWidth, clientHeight } = host.picture;
    const aspect = clientWidth / models.length / Math.max(1, clientHeight);
    // The stage widens its angle where a picture is upright.
    const slope = aspect < 1 ? SLOPE / aspect : SLOPE;
    const distance = (margin / 2) * Math.max(height / slope, width / (slope * aspect)) + depth / 2;
    stage.controls.target.copy(target);
    stage.camera.position.copy(target).addScaledVector(back, distance);
    stage.controls.update();
  };
  place();
  new ResizeObserver(place).observe(host.picture);
}

/** @param positions  n × 3, or several frames of it */
export function boxOf(positions: ArrayLike<number>): Box3 {
  const box = new Box3();
  const at = new Vector3();
  for (let k = 0; k < positions.length; k += 3)
    box.expandByPoint(at.set(positions[k], positions[k + 1], positions[k + 2]));
  return box;
}
