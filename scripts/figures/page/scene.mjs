// @ts-check
/** A scene panel: what it holds, from where it is seen, and its labels on top. */
import { shotOf } from '@pelt/viewer/drawing';
import * as THREE from 'three';

/** @typedef {import('../description.ts').ScenePanel} ScenePanel */

/**
 * @param {ScenePanel} panel
 * @param {number[][]} points  what to frame: the panel's own points, or those of all panels
 * @param {import('@pelt/viewer/drawing').Stage} stage
 * @param {{ width: number, height: number, samples: number }} size  CSS pixels
 * @returns {HTMLElement}
 */
export function drawScene(panel, points, stage, { width, height, samples }) {
  const ratio = window.devicePixelRatio;
  const { canvas, camera } = stage.render(
    shotOf(panel.items, points, panel.view ?? {}, width / height, panel.ground ?? true),
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
