/** What `pelt view` hands to a page, and what the page needs to read and pose it. */

export { distancesToOriginal, NO_PLACE } from './distances.ts';
export type { DrawnScene, SceneDrawer, ViewFormat } from './draw-scene.ts';
export { poseSubject } from './pose-subject.ts';
export type {
  GridPositions,
  ViewCamera,
  ViewClip,
  ViewFilm,
  ViewLook,
  ViewOriginal,
  ViewPicture,
  ViewRig,
  ViewScene,
  ViewSubject,
} from './scene.ts';
export { decodeScene, encodeScene } from './scene-bytes.ts';
