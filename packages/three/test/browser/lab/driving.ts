/** Dragging by the skin, puppets and solid bodies: workers of the package, as an application gets them. */
import type { SavedPuppet } from '@pelt/model';
import { PerspectiveCamera, Scene, Vector3 } from 'three';
import type { Renderer, WebGPURenderer } from 'three/webgpu';
import { type PeltMesh, PoseControls, PuppetDriver, VolumeDriver } from '../../../src/index.ts';
import { enhance, updateSkins } from '../../../src/webgpu/index.ts';
import { base64 } from './base64.ts';
import { capture } from './capture.ts';
import { rendererOf } from './renderers.ts';
import { stage } from './stage.ts';

function positionsOf(mesh: PeltMesh): string {
  const n = mesh.geometry.getAttribute('position').count;
  const points = new Float32Array(3 * n);
  const point = new Vector3();
  mesh.skeleton.update();
  for (let i = 0; i < n; i++) mesh.getVertexPosition(i, point).toArray(points, 3 * i);
  return base64(points);
}

export interface Solved {
  readonly positions: string;
  readonly blend: readonly number[];
}

/** The pose that the worker finds for some handles. */
export async function solveHandles(
  file: string,
  handles: readonly { readonly vertex: number; readonly target: readonly number[] }[],
): Promise<Solved> {
  const { mesh, scene } = await stage(file);
  scene.updateMatrixWorld(true);
  const controls = new PoseControls(mesh, new PerspectiveCamera(), document.createElement('canvas'));
  await controls.ready;
  controls.solver.setHandles(
    handles.map(({ vertex, target: [x, y, z] }) => ({ vertex, target: [x, y, z] as const, pinned: true })),
  );
  await atRest(controls);
  const result = { positions: positionsOf(mesh), blend: [...controls.solver.blend] };
  controls.dispose();
  return result;
}

export interface Dragged {
  readonly picked: number;
  /** How far the point's way is from the pointer's, in pixels. */
  readonly missed: number;
  readonly moved: number;
  /** The same after `undo`, from the pose before the drag. */
  readonly afterUndo: number;
  readonly pins: readonly boolean[];
  /** Without pins: how far the point moves, and how far what is held on the far side. */
  readonly bent: number;
  readonly drift: readonly number[];
}

/** A press, a move and a release of the pointer over the skin; then undo. */
export async function dragPoint(file: string): Promise<Dragged> {
  const { mesh, gltf } = await stage(file);
  const scene = new Scene();
  scene.add(gltf.scene);
  const camera = new PerspectiveCamera(40, 1, 0.1, 20);
  camera.position.set(0.5, 0.1, 3);
  camera.lookAt(0.5, 0.1, 0);
  const element = document.createElement('div');
  element.style.cssText = 'position: fixed; left: 10px; top: 20px; width: 200px; height: 200px';
  document.body.append(element);
  scene.updateMatrixWorld(true);
  camera.updateMatrixWorld(true);
  const controls = new PoseControls(mesh, camera, element);
  await controls.ready;
  const pixelOf = (point: Vector3) => {
    const at = point.clone().project(camera);
    return { clientX: 10 + 100 * (at.x + 1), clientY: 20 + 100 * (1 - at.y) };
  };
  let picked = -1;
  controls.addEventListener('pick', ({ vertex }) => {
    picked = vertex;
  });
  const send = (type: string, at: { clientX: number; clientY: number }, more: PointerEventInit = {}) =>
    element.dispatchEvent(new PointerEvent(type, { ...at, pointerId: 1, button: 0, bubbles: true, ...more }));
  // Synthetic events have no pointer to capture.
  element.setPointerCapture = element.releasePointerCapture = () => {};
  const pins: boolean[] = [];
  const shoulder = pixelOf(new Vector3(0.05, 0, 0.1));
  send('pointerdown', shoulder, { shiftKey: true });
  await atRest(controls);
  const held = controls.pick(shoulder)?.vertex ?? -1;
  pins.push(controls.solver.isPinned(held));
  const start = pixelOf(new Vector3(0.92, 0, 0.1));
  send('pointerdown', start);
  const before = controls.solver.getVertexPosition(picked, new Vector3());
  const goal = { clientX: start.clientX - 15, clientY: start.clientY - 20 };
  send('pointermove', goal);
  await atRest(controls);
  send('pointerup', goal);
  const after = controls.solver.getVertexPosition(picked, new Vector3());
  const shown = pixelOf(after.clone().applyMatrix4(mesh.matrixWorld));
  const firstAt = pixelOf(before.clone().applyMatrix4(mesh.matrixWorld));
  const missed = Math.hypot(shown.clientX - firstAt.clientX + 15, shown.clientY - firstAt.clientY + 20);
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true }));
  await atRest(controls);
  const undone = controls.solver.getVertexPosition(picked, new Vector3());
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true }));
  await atRest(controls);
  pins.push(controls.solver.isPinned(held));
  // The same without pins: what is held in their place is far from the pointer.
  send('pointerdown', start);
  await atRest(controls);
  const anchors = controls.solver.handles.filter((handle) => handle.held);
  send('pointermove', goal);
  await atRest(controls);
  send('pointerup', goal);
  const drift = anchors.map(({ vertex, target }) =>
    controls.solver.getVertexPosition(vertex, new Vector3()).distanceTo(new Vector3(...target)),
  );
  const bent = controls.solver.getVertexPosition(picked, new Vector3()).distanceTo(before);
  controls.dispose();
  element.remove();
  return { picked, missed, moved: after.distanceTo(before), afterUndo: undone.distanceTo(before), pins, bent, drift };
}

async function atRest(controls: PoseControls): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const change = ({ atRest: rests }: { atRest: boolean }) => {
      if (!rests) return;
      controls.removeEventListener('change', change);
      controls.removeEventListener('error', fail);
      controls.solver.mesh.skeleton.update();
      resolve();
    };
    const fail = ({ error }: { error: Error }) => reject(error);
    controls.addEventListener('change', change);
    controls.addEventListener('error', fail);
  });
}

/** Transforms of the palette after a performer's pose. */
export async function puppetPose(
  file: string,
  registration: {
    name: string;
    joints: string[];
    neutral: number;
    pairs: { name: string; performer: number[]; character: number[] }[];
  },
  joints: readonly number[],
): Promise<readonly number[]> {
  const { mesh, scene } = await stage(file, { all: true });
  scene.updateMatrixWorld(true);
  const pairs = registration.pairs.map(({ name, performer, character }) => ({
    name,
    performer: Float32Array.from(performer),
    character: { transforms: Float64Array.from(character) },
  }));
  const driver = new PuppetDriver(mesh, { ...registration, pairs }, registration.joints);
  await driven(driver, mesh, joints);
  return [...mesh.skeleton.transforms];
}

/** Palette and weights of the details of a character without a skeleton, driven by the pairs that its file has. */
export async function shapesPose(
  file: string,
  joints: readonly number[],
): Promise<{ readonly transforms: readonly number[]; readonly influences: readonly number[] }> {
  const { mesh, scene, gltf } = await stage(file, { all: true });
  scene.updateMatrixWorld(true);
  const { pairs, settings } = gltf.userData.pelt.puppet as SavedPuppet;
  const driver = new PuppetDriver(mesh, pairs, pairs.joints, { puppet: settings });
  await driven(driver, mesh, joints);
  return { transforms: [...mesh.skeleton.transforms], influences: [...(mesh.morphTargetInfluences ?? [])] };
}

/** Positions of a solid body in a pose of the mesh's own joints. */
export async function bodyShape(
  file: string,
  body: BodyRequest,
  time: number,
): Promise<{ readonly positions: string; readonly drawn: string }> {
  const set = await stage(file, { all: true });
  const { mesh, mixer, gltf, scene } = set;
  mixer.clipAction(gltf.animations[0]).play();
  mixer.setTime(time);
  scene.updateMatrixWorld(true);
  const { positions, tetrahedra, surface, skin, fixed } = body;
  const driver = new VolumeDriver(mesh, {
    body: {
      name: 'body',
      positions: Float32Array.from(positions),
      tetrahedra: Uint32Array.from(tetrahedra),
      surface: Uint32Array.from(surface),
    },
    skin: { slots: skin.slots, bones: Uint16Array.from(skin.bones), weights: Float32Array.from(skin.weights) },
    fixed: Uint32Array.from(fixed),
    yielding: body.yielding,
  });
  const renderer = (await rendererOf('webgpu')) as Renderer;
  enhance(scene, renderer, { normals: 'exact' });
  await driver.ready;
  const changed = new Promise<void>((resolve, reject) => {
    driver.addEventListener('change', () => resolve());
    driver.addEventListener('error', ({ error }) => reject(error));
  });
  driver.update();
  await changed;
  updateSkins(scene, renderer);
  const drawn = await capture(renderer as WebGPURenderer, scene, mesh);
  const result = { positions: positionsOf(mesh), drawn: base64(drawn.positions) };
  driver.dispose();
  return result;
}

export interface BodyRequest {
  readonly positions: readonly number[];
  readonly tetrahedra: readonly number[];
  readonly surface: readonly number[];
  readonly skin: { readonly slots: number; readonly bones: readonly number[]; readonly weights: readonly number[] };
  readonly fixed: readonly number[];
  readonly yielding: boolean;
}

/** Shows one pose of a performer. */
async function driven(driver: PuppetDriver, mesh: PeltMesh, joints: readonly number[]): Promise<void> {
  await driver.ready;
  const changed = new Promise<void>((resolve, reject) => {
    driver.addEventListener('change', () => resolve());
    driver.addEventListener('error', ({ error }) => reject(error));
  });
  driver.update(Float32Array.from(joints), 0);
  await changed;
  mesh.skeleton.update();
  driver.dispose();
}
