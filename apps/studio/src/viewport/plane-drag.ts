import { Plane, Vector3 } from 'three/webgpu';
import { pointerRay } from './pointer-ray.ts';
import type { Stage } from './stage.ts';

/** Follows a pressed pointer in the plane through a point that faces the camera, while the camera stays. */
export function dragInPlane(
  stage: Stage,
  event: PointerEvent,
  from: Vector3,
  onMove: (place: Vector3) => void,
  onEnd: () => void,
): void {
  const { camera, controls, renderer } = stage;
  const plane = new Plane().setFromNormalAndCoplanarPoint(camera.getWorldDirection(new Vector3()), from);
  const canvas = renderer.domElement as HTMLCanvasElement;
  const ended = new AbortController();
  controls.enabled = false;
  canvas.setPointerCapture(event.pointerId);
  const move = (moved: PointerEvent) => {
    const place = pointerRay(stage, moved).ray.intersectPlane(plane, new Vector3());
    if (place) onMove(place);
  };
  const end = () => {
    ended.abort();
    controls.enabled = true;
    onEnd();
  };
  canvas.addEventListener('pointermove', move, ended);
  for (const name of ['pointerup', 'pointercancel'] as const) canvas.addEventListener(name, end, ended);
}
