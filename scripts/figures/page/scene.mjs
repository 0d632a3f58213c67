// @ts-check
/** A scene panel: what it holds, from where it is seen, and its labels on top. */
import * as THREE from 'three';
import { cameraAxes, fitCamera } from './framing.mjs';
import { objectsOf } from './objects.mjs';

/** @typedef {import('../description.ts').ScenePanel} ScenePanel */

const DIRECTION = /** @type {const} */ ([0.55, 0.3, 1]);
const UP = /** @type {const} */ ([0, 1, 0]);
const MARGIN = 0.06;

/**
 * The points that must be in the picture.
 *
 * @param {readonly ScenePanel[]} panels
 * @returns {number[][]}
 */
export function pointsOf(panels) {
  return panels.flatMap((panel) => panel.items).flatMap(itemPoints);
}

/**
 * @param {import('../description.ts').Item} item
 * @returns {number[][]}
 */
function itemPoints(item) {
  if (item.kind === 'label') return [[...item.at]];
  if (item.kind === 'bones') {
    return Array.from(item.parents, (_, j) => [3, 7, 11].map((k) => item.frames[12 * j + k]));
  }
  const values = item.kind === 'lines' ? item.segments : item.positions;
  return Array.from({ length: values.length / 3 }, (_, k) => [values[3 * k], values[3 * k + 1], values[3 * k + 2]]);
}

/**
 * @param {ScenePanel} panel
 * @param {number[][]} points  what to frame: the panel's own points, or those of all panels
 * @param {import('./stage.mjs').Stage} stage
 * @param {{ width: number, height: number, samples: number }} size  CSS pixels
 * @returns {HTMLElement}
 */
export function drawScene(panel, points, stage, { width, height, samples }) {
  const { direction = DIRECTION, up = UP, margin = MARGIN } = panel.view ?? {};
  const axes = cameraAxes(direction, up);
  const upward = new THREE.Vector3(...up).normalize();
  const bounds = new THREE.Box3().setFromPoints(points.map(([x, y, z]) => new THREE.Vector3(x, y, z)));
  const sphere = bounds.getBoundingSphere(new THREE.Sphere());
  const radius = sphere.radius > 0 ? sphere.radius : 1;
  let ground = Number.POSITIVE_INFINITY;
  for (const [x, y, z] of points) ground = Math.min(ground, x * upward.x + y * upward.y + z * upward.z);
  const ratio = window.devicePixelRatio;
  const { canvas, camera } = stage.render(
    {
      objects: panel.items.flatMap((item) => objectsOf(item, radius)),
      centre: sphere.center,
      radius,
      up: upward,
      axes,
      camera: fitCamera(points, axes, width / height, margin),
      ground: (panel.ground ?? true) && Number.isFinite(ground) ? ground : undefined,
    },
    Math.round(width * ratio),
    Math.round(height * ratio),
    samples,
  );
  const box = document.createElement('div');
  box.className = 'picture';
  box.style.width = `${width}px`;
  box.style.height = `${height}px`;
  box.append(canvas);
  for (const item of panel.items) {
    if (item.kind !== 'label') continue;
    const at = new THREE.Vector3(...item.at).project(camera);
    const label = document.createElement('span');
    label.className = 'label';
    label.textContent = item.text;
    label.style.left = `${((at.x + 1) / 2) * width}px`;
    label.style.top = `${((1 - at.y) / 2) * height}px`;
    box.append(label);
  }
  return box;
}
