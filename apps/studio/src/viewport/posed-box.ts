/** What is drawn of a part of the scene, and the box round it as it is posed. */
import { Box3, type Object3D, SkinnedMesh } from 'three/webgpu';

/** Round the skinned meshes that are drawn; empty where there are none. */
export function posedBox(world: Object3D): Box3 {
  const box = new Box3();
  world.traverseVisible((part) => {
    if (!(part instanceof SkinnedMesh)) return;
    part.computeBoundingBox();
    if (part.boundingBox) box.union(part.boundingBox.clone().applyMatrix4(part.matrixWorld));
  });
  return box;
}

/** An object may be in the scene and not be drawn, by itself or by what it is in. */
export function isShown(object: Object3D): boolean {
  return object.visible && (object.parent === null || isShown(object.parent));
}
