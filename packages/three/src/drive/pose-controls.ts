/**
 * Drag a character by its skin: press on it and move, and the point follows in the plane that faces the camera, while the
 * far side of the character stays; Shift and press pins a point or lets it go, and where there are pins, they hold it in
 * place of the far side; Ctrl+Z takes a step back.
 *
 *   const controls = new PoseControls(mesh, camera, renderer.domElement);
 *   await controls.ready;
 */
import { resolveOptions } from '@pelt/model';
import { type Camera, EventDispatcher, Plane, Raycaster, Vector2, Vector3 } from 'three';
import type { PeltMesh } from '../mesh/pelt-mesh.ts';
import { farPoints } from './far-points.ts';
import { POSE_SOLVER_DEFAULTS, PoseSolver, type PoseSolverOptions } from './pose-solver.ts';

export interface PoseControlsOptions extends PoseSolverOptions {
  /**
   * Points on the far side that stay while something is pulled and nothing is pinned, of a character that has no regions;
   * one that has holds itself. 0: none.
   */
  readonly anchors: number;
}

const POSE_CONTROLS_DEFAULTS: PoseControlsOptions = { ...POSE_SOLVER_DEFAULTS, anchors: 4 };

export interface PoseControlsEvents {
  /** A point was pressed; orbit controls may be put to sleep until `release`. */
  pick: { readonly vertex: number; readonly point: Vector3 };
  drag: { readonly vertex: number; readonly point: Vector3 };
  release: { readonly vertex: number };
  pin: { readonly vertex: number; readonly pinned: boolean };
  /** A pose has arrived. */
  change: { readonly atRest: boolean };
  error: { readonly error: Error };
}

/**
 * Pointer and keys for `PoseSolver`: drag, pin, undo.
 * @example
 * {@includeCode ../../examples/dragging.page.ts}
 */
export class PoseControls extends EventDispatcher<PoseControlsEvents> {
  readonly solver: PoseSolver;
  enabled = true;
  readonly #mesh: PeltMesh;
  readonly #camera: Camera;
  readonly #element: HTMLElement;
  readonly #anchors: number;
  readonly #raycaster = new Raycaster();
  readonly #pointer = new Vector2();
  readonly #plane = new Plane();
  readonly #point = new Vector3();
  /** From where the pointer is on the plane to the vertex: kept, so that the vertex does not jump to the pointer. */
  readonly #offset = new Vector3();
  readonly #local = new Vector3();
  readonly #listeners = new AbortController();
  #vertex = -1;

  constructor(mesh: PeltMesh, camera: Camera, element: HTMLElement, options?: Partial<PoseControlsOptions>) {
    super();
    this.#mesh = mesh;
    this.#camera = camera;
    this.#element = element;
    const { anchors, ...solving } = resolveOptions('PoseControls', POSE_CONTROLS_DEFAULTS, options);
    this.#anchors = anchors;
    this.solver = new PoseSolver(mesh, solving);
    this.solver.addEventListener('change', ({ atRest }) => this.dispatchEvent({ type: 'change', atRest }));
    this.solver.addEventListener('error', ({ error }) => this.dispatchEvent({ type: 'error', error }));
    const { signal } = this.#listeners;
    element.addEventListener('pointerdown', (event) => this.#press(event), { signal });
    element.addEventListener('pointermove', (event) => this.#move(event), { signal });
    for (const type of ['pointerup', 'pointercancel'] as const) {
      element.addEventListener(type, (event) => this.#release(event), { signal });
    }
    element.ownerDocument.addEventListener('keydown', (event) => this.#key(event), { signal });
  }

  get ready(): Promise<void> {
    return this.solver.ready;
  }

  /** The vertex that is being dragged; −1 for none. */
  get dragged(): number {
    return this.#vertex;
  }

  /** The vertex nearest to where a pointer is over the skin, and that place in the world; undefined beside it. */
  pick(event: { readonly clientX: number; readonly clientY: number }): { vertex: number; point: Vector3 } | undefined {
    this.#aim(event);
    const { parts } = this.solver;
    const [hit] = this.#raycaster.intersectObjects(
      parts.map(({ mesh }) => mesh),
      false,
    );
    if (!hit?.face || !hit.barycoord) return undefined;
    const { a, b, c } = hit.face;
    const shares = [hit.barycoord.x, hit.barycoord.y, hit.barycoord.z];
    const first = parts.find(({ mesh }) => mesh === hit.object)?.first ?? 0;
    return { vertex: first + [a, b, c][shares.indexOf(Math.max(...shares))], point: hit.point };
  }

  dispose(): void {
    this.#listeners.abort();
    this.solver.dispose();
  }

  #press(event: PointerEvent): void {
    if (!this.enabled || event.button !== 0 || this.#vertex >= 0) return;
    const found = this.pick(event);
    if (!found) return;
    const { vertex } = found;
    this.solver.mark();
    if (event.shiftKey) {
      const pinned = !this.solver.isPinned(vertex);
      this.solver.setPinned(vertex, pinned);
      this.dispatchEvent({ type: 'pin', vertex, pinned });
      return;
    }
    this.#vertex = vertex;
    const holdsItself = this.#mesh.model.poser?.regions !== undefined;
    if (this.#anchors > 0 && !holdsItself && !this.solver.handles.some(({ pinned }) => pinned)) {
      this.solver.hold(farPoints(this.solver.restPositions, vertex, this.#anchors));
    }
    this.solver.getVertexPosition(vertex, this.#local);
    this.#point.copy(this.#local).applyMatrix4(this.#mesh.matrixWorld);
    this.#camera.getWorldDirection(this.#plane.normal);
    this.#plane.setFromNormalAndCoplanarPoint(this.#plane.normal, this.#point);
    if (!this.#raycaster.ray.intersectPlane(this.#plane, this.#offset)) this.#offset.copy(this.#point);
    this.#offset.subVectors(this.#point, this.#offset);
    this.#element.setPointerCapture(event.pointerId);
    this.dispatchEvent({ type: 'pick', vertex, point: this.#point });
  }

  #move(event: PointerEvent): void {
    if (this.#vertex < 0) return;
    this.#aim(event);
    if (!this.#raycaster.ray.intersectPlane(this.#plane, this.#point)) return;
    this.#point.add(this.#offset);
    this.solver.pull(this.#vertex, this.#mesh.worldToLocal(this.#local.copy(this.#point)));
    this.dispatchEvent({ type: 'drag', vertex: this.#vertex, point: this.#point });
  }

  #release(event: PointerEvent): void {
    if (this.#vertex < 0) return;
    const vertex = this.#vertex;
    this.#vertex = -1;
    this.#element.releasePointerCapture(event.pointerId);
    this.dispatchEvent({ type: 'release', vertex });
  }

  #key(event: KeyboardEvent): void {
    // A page with a history of its own may have taken the step already.
    if (event.defaultPrevented || !this.enabled || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z')
      return;
    if (event.shiftKey ? this.solver.redo() : this.solver.undo()) event.preventDefault();
  }

  #aim({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): void {
    const { left, top, width, height } = this.#element.getBoundingClientRect();
    this.#pointer.set((2 * (clientX - left)) / width - 1, 1 - (2 * (clientY - top)) / height);
    this.#raycaster.setFromCamera(this.#pointer, this.#camera);
  }
}
