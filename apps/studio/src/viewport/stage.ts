/**
 * Renderer, light, ground and camera: a bright, calm studio in both themes. WebGPU where the browser has it, else WebGL 2
 * through the same renderer.
 */

import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import {
  DirectionalLight,
  GridHelper,
  Group,
  HemisphereLight,
  type LineBasicMaterial,
  Mesh,
  MOUSE,
  PCFShadowMap,
  PerspectiveCamera,
  PlaneGeometry,
  Scene,
  ShadowNodeMaterial,
  TOUCH,
  Vector3,
  WebGPURenderer,
} from 'three/webgpu';
import type { Fineness } from './pace.ts';
import { GRID, GROUND } from './palette.ts';
import { Picture } from './picture.ts';

const FIELD_OF_VIEW = 32;
const SHADOW_PIXELS = 1024;
/** Round what is framed, and width over height that it is framed for. */
const ROOM = 1.08;
const LEAST_ASPECT = 1.25;
/** From the side and a little from above. */
const DIRECTION = new Vector3(0.9, 0.32, 0.62).normalize();
/** Where the camera stands for the views along axes. */
export const AXIS_VIEWS = { front: [0, 0, 1], right: [1, 0, 0], back: [0, 0, -1], top: [0, 1, 0] } as const;
export type AxisView = keyof typeof AXIS_VIEWS;
/** Squares of the grid along one side, and how strong its lines are. */
const GRID_SQUARES = 24;
const GRID_OPACITY = 0.5;

export interface Box {
  readonly min: ArrayLike<number>;
  readonly max: ArrayLike<number>;
}

/** A part of the canvas, in CSS pixels from the top left. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export class Stage {
  readonly renderer: WebGPURenderer;
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
  readonly controls: OrbitControls;
  readonly #lamp = new DirectionalLight('#ffffff', 2.1);
  readonly #floor: Mesh<PlaneGeometry, ShadowNodeMaterial>;
  readonly world = new Group();
  #grid: GridHelper | undefined;
  #hasGrid = true;
  readonly #picture: Picture;
  #size = { width: 1, height: 1 };
  radius = 1;

  static async open(canvas: HTMLCanvasElement, forceWebGL: boolean): Promise<Stage> {
    const renderer = new WebGPURenderer({ canvas, antialias: false, forceWebGL });
    await renderer.init();
    return new Stage(renderer, canvas);
  }

  private constructor(renderer: WebGPURenderer, canvas: HTMLCanvasElement) {
    this.renderer = renderer;
    this.#picture = new Picture(renderer);
    renderer.setPixelRatio(Math.min(2, globalThis.devicePixelRatio || 1));
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = PCFShadowMap;
    renderer.setClearColor(GROUND, 1);
    renderer.autoClear = false;
    this.#lamp.castShadow = true;
    this.#lamp.shadow.mapSize.set(SHADOW_PIXELS, SHADOW_PIXELS);
    this.#lamp.shadow.radius = 5;
    const sky = new HemisphereLight('#ffffff', '#d8d2c8', 2.1);
    const material = new ShadowNodeMaterial({ opacity: 0.2 });
    this.#floor = new Mesh(new PlaneGeometry(1, 1), material);
    this.#floor.rotation.x = -Math.PI / 2;
    this.#floor.receiveShadow = true;
    this.scene.add(sky, this.#lamp, this.#lamp.target, this.#floor, this.world);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    // Not from below the ground, which has no other side.
    this.controls.maxPolarAngle = 0.54 * Math.PI;
  }

  get backend(): 'WebGPU' | 'WebGL 2' {
    return 'isWebGPUBackend' in this.renderer.backend ? 'WebGPU' : 'WebGL 2';
  }

  /** Frames what is in a box over all frames, and puts light and ground round it. */
  frame(box: Box): void {
    const { min, max } = box;
    const centre = new Vector3((min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2);
    const radius = Math.max(1e-6, 0.5 * Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]));
    this.radius = radius;
    const distance = fittingDistance(min, max, centre, DIRECTION);
    Object.assign(this.camera, { near: distance / 100, far: distance * 12 });
    Object.assign(this.controls, { minDistance: 0.05 * radius, maxDistance: 6 * distance });
    this.lookAt(box, DIRECTION);
    this.#layGrid(centre, min[1]);
    this.#floor.position.set(centre.x, min[1], centre.z);
    this.#floor.scale.setScalar(12 * radius);
    this.#lamp.target.position.copy(centre);
    const reach = 1.35 * radius;
    Object.assign(this.#lamp.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach });
    Object.assign(this.#lamp.shadow.camera, { near: 0.3 * radius, far: 6 * radius });
    this.#lamp.shadow.normalBias = (6 * reach) / SHADOW_PIXELS;
    this.#lamp.shadow.camera.updateProjectionMatrix();
  }

  /**
   * Brings the camera before a box, without moving light and ground.
   *
   * @param direction  from the box to the camera; absent: from where it looks now
   */
  lookAt({ min, max }: Box, direction?: Vector3): void {
    const centre = new Vector3((min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2);
    const from = direction ?? this.camera.position.clone().sub(this.controls.target).normalize();
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(from, fittingDistance(min, max, centre, from));
    this.controls.update();
  }

  /** Turns the camera to an axis, as far from its target as it is. */
  turnTo(axis: AxisView): void {
    const { camera, controls } = this;
    const distance = camera.position.distanceTo(controls.target);
    camera.position.copy(controls.target).addScaledVector(new Vector3(...AXIS_VIEWS[axis]), distance);
    controls.update();
  }

  /** Brings a point into the middle, and half as far away. */
  approach(point: Vector3): void {
    const { camera, controls } = this;
    const offset = camera.position.clone().sub(controls.target).multiplyScalar(0.5);
    controls.target.copy(point);
    camera.position.copy(point).add(offset);
    controls.update();
  }

  /** Whether the left button and one finger are for the hand on the model; the right one and two fingers turn then. */
  set handFirst(on: boolean) {
    this.controls.mouseButtons = on
      ? { LEFT: null, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.ROTATE }
      : { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
    this.controls.touches = on ? { ONE: null, TWO: TOUCH.DOLLY_ROTATE } : { ONE: TOUCH.ROTATE, TWO: TOUCH.DOLLY_PAN };
  }

  set hasGrid(on: boolean) {
    this.#hasGrid = on;
    if (this.#grid) this.#grid.visible = on;
  }

  /** Squares with sides of a round length, which half the model is about four of. */
  #layGrid(centre: Vector3, ground: number): void {
    this.#grid?.removeFromParent();
    this.#grid?.dispose();
    const power = 10 ** Math.floor(Math.log10(this.radius / 4));
    const side = power * ([1, 2, 5].find((factor) => factor * power >= this.radius / 4) ?? 10);
    const grid = new GridHelper(GRID_SQUARES * side, GRID_SQUARES, GRID, GRID);
    const material = grid.material as LineBasicMaterial;
    Object.assign(material, { transparent: true, opacity: GRID_OPACITY, depthWrite: false });
    grid.position.set(Math.round(centre.x / side) * side, ground, Math.round(centre.z / side) * side);
    grid.visible = this.#hasGrid;
    this.#grid = grid;
    this.scene.add(grid);
  }

  resize(width: number, height: number): void {
    this.#size = { width: Math.max(1, width), height: Math.max(1, height) };
    this.renderer.setSize(this.#size.width, this.#size.height, false);
  }

  /** The lamp stands over the camera's left shoulder, as in the guide's figures. */
  #placeLamp(): void {
    const { camera, radius } = this;
    const [right, up, back] = [new Vector3(), new Vector3(), new Vector3()];
    camera.updateMatrixWorld();
    camera.matrixWorld.extractBasis(right, up, back);
    const direction = right.multiplyScalar(-0.45).addScaledVector(up, 0.75).addScaledVector(back, 0.65).normalize();
    // Never from below the ground.
    direction.y = Math.max(0.35, direction.y);
    this.#lamp.position.copy(this.#lamp.target.position).addScaledVector(direction.normalize(), 2.6 * radius);
  }

  /** Before the regions of a picture. */
  begin(fineness: Fineness): void {
    this.#placeLamp();
    this.#lamp.shadow.autoUpdate = fineness.shadows;
    this.#picture.begin(this.#size.width, this.#size.height, fineness);
  }

  /**
   * Draws the scene into a region of the canvas.
   *
   * @param view  what the camera fills: the region itself, or the whole canvas of which the region is cut out
   */
  draw(region: Region, view: Region): void {
    const { camera } = this;
    camera.aspect = view.width / Math.max(1, view.height);
    // A narrow view is fitted by its width, so that nothing is cut off at the sides.
    camera.fov = fittingAngle(FIELD_OF_VIEW, camera.aspect);
    camera.updateProjectionMatrix();
    this.#picture.draw(this.scene, camera, region, view);
  }

  /** After the regions: puts the picture onto the canvas. */
  end(): void {
    this.#picture.end();
  }

  dispose(): void {
    this.controls.dispose();
    this.#picture.dispose();
    this.renderer.dispose();
  }
}

/** How far from its centre the camera sees all of a box, with a little room round it. */
function fittingDistance(min: ArrayLike<number>, max: ArrayLike<number>, centre: Vector3, direction: Vector3): number {
  const slope = Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
  const right = new Vector3(0, 1, 0).cross(direction);
  if (right.lengthSq() < 1e-6) right.set(1, 0, 0);
  const up = direction.clone().cross(right.normalize());
  let distance = 1e-6;
  for (let corner = 0; corner < 8; corner++) {
    const [x, y, z] = [0, 1, 2].map((k) => ((corner >> k) & 1 ? max : min)[k]);
    const point = new Vector3(x, y, z).sub(centre);
    const aside = Math.max(Math.abs(point.dot(up)), Math.abs(point.dot(right)) / LEAST_ASPECT);
    distance = Math.max(distance, (ROOM * aside) / slope + point.dot(direction));
  }
  return distance;
}

function fittingAngle(degrees: number, aspect: number): number {
  if (aspect >= 1) return degrees;
  const half = Math.tan((degrees * Math.PI) / 360) / aspect;
  return (360 / Math.PI) * Math.atan(half);
}
