import { Raycaster, Vector2 } from 'three/webgpu';
import type { Stage } from './stage.ts';

/** The ray under the pointer, where the camera fills the whole canvas. */
export function pointerRay({ camera, renderer }: Stage, { clientX, clientY }: PointerEvent): Raycaster {
  const box = renderer.domElement.getBoundingClientRect();
  const at = new Vector2((2 * (clientX - box.left)) / box.width - 1, 1 - (2 * (clientY - box.top)) / box.height);
  const caster = new Raycaster();
  caster.setFromCamera(at, camera);
  return caster;
}
