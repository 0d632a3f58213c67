/** All subjects side by side in one canvas, seen by one camera that turns with the mouse. */
import type { ViewCamera } from '@pelt/jobs/view';
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { BACKGROUND } from '../drawing/colour.ts';
import { cameraAxes, FIELD_OF_VIEW, fitCamera } from '../drawing/framing.ts';
import type { Surface } from './surface.ts';

/** Of the picture left free around the subject. */
const MARGIN = 0.08;

/** A vertex that was clicked. */
export interface Pick {
  readonly surface: Surface;
  readonly vertex: number;
}

export class PlayerStage {
  readonly #renderer: THREE.WebGLRenderer;
  readonly #camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW);
  readonly #controls: OrbitControls;
  readonly #surfaces: readonly Surface[];
  readonly #canvas: HTMLCanvasElement;
  readonly #lamp = new THREE.DirectionalLight('#ffffff', 1.6);

  constructor(canvas: HTMLCanvasElement, surfaces: readonly Surface[], camera: ViewCamera, onChange: () => void) {
    this.#canvas = canvas;
    this.#surfaces = surfaces;
    this.#renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.#renderer.setScissorTest(true);
    this.#camera.up.set(...camera.up);
    this.#controls = new OrbitControls(this.#camera, canvas);
    this.#controls.addEventListener('change', onChange);
    this.frame(camera);
  }

  /** Puts the camera where all subjects are in the picture as they stand. */
  frame({ direction, up }: ViewCamera): void {
    this.#fitCanvas();
    const axes = cameraAxes(direction, up);
    const points = this.#surfaces.flatMap(({ positions }) =>
      Array.from({ length: positions.length / 3 }, (_, i) => [...positions.subarray(3 * i, 3 * i + 3)]),
    );
    const { position } = fitCamera(points, axes, this.#aspect(), MARGIN);
    const box = new THREE.Box3().setFromPoints(points.map(([x, y, z]) => new THREE.Vector3(x, y, z)));
    const ball = box.getBoundingSphere(new THREE.Sphere());
    const size = ball.radius || 1;
    this.#camera.position.set(...position);
    // Look along the axes that were fitted: at the point of the view axis that is nearest to the subject.
    const along = this.#camera.position
      .clone()
      .sub(ball.center)
      .dot(new THREE.Vector3(...axes.back));
    this.#controls.target.copy(this.#camera.position).addScaledVector(new THREE.Vector3(...axes.back), -along);
    Object.assign(this.#camera, { near: size / 100, far: size * 200 });
    this.#controls.update();
  }

  draw(): void {
    this.#fitCanvas();
    const { clientWidth, clientHeight } = this.#canvas;
    const width = clientWidth / this.#surfaces.length;
    this.#camera.aspect = this.#aspect();
    this.#camera.updateProjectionMatrix();
    this.#lamp.position.copy(this.#camera.position);
    this.#lamp.target.position.copy(this.#controls.target);
    this.#renderer.setClearColor(BACKGROUND);
    this.#surfaces.forEach(({ scene }, k) => {
      this.#renderer.setViewport(k * width, 0, width, clientHeight);
      this.#renderer.setScissor(k * width, 0, width, clientHeight);
      scene.add(this.#lamp, this.#lamp.target);
      this.#renderer.render(scene, this.#camera);
    });
  }

  /** The vertex of the surface nearest to a point of the canvas, in CSS pixels; undefined beside the subjects. */
  pick(x: number, y: number): Pick | undefined {
    const { clientWidth, clientHeight } = this.#canvas;
    const width = clientWidth / this.#surfaces.length;
    const column = Math.floor(x / width);
    const surface = this.#surfaces[column];
    if (!surface) return undefined;
    const ray = new THREE.Raycaster();
    const at = new THREE.Vector2((2 * (x - column * width)) / width - 1, 1 - (2 * y) / clientHeight);
    ray.setFromCamera(at, this.#camera);
    surface.mesh.geometry.computeBoundingSphere();
    const [hit] = ray.intersectObject(surface.mesh);
    if (hit?.faceIndex === undefined || hit.faceIndex === null) return undefined;
    const { triangles } = surface.subject;
    const corners = [0, 1, 2].map((c) => triangles[3 * (hit.faceIndex as number) + c]);
    const distance = (i: number) => new THREE.Vector3().fromArray(surface.positions, 3 * i).distanceTo(hit.point);
    return { surface, vertex: corners.reduce((best, i) => (distance(i) < distance(best) ? i : best)) };
  }

  #aspect(): number {
    const { clientWidth, clientHeight } = this.#canvas;
    return clientWidth / this.#surfaces.length / Math.max(clientHeight, 1);
  }

  #fitCanvas(): void {
    const { clientWidth, clientHeight } = this.#canvas;
    this.#renderer.setPixelRatio(window.devicePixelRatio);
    const size = this.#renderer.getSize(new THREE.Vector2());
    if (size.x !== clientWidth || size.y !== clientHeight) this.#renderer.setSize(clientWidth, clientHeight, false);
  }
}
