/** A character that is posed by hand: pull its skin, pin points, with `PoseControls` of @pelt/three. */
import { PoseControls, type SkinHandle } from '@pelt/three';
import { enhance } from '@pelt/three/webgpu';
import { Box3, Mesh, MeshBasicMaterial, SphereGeometry, Vector3 } from 'three/webgpu';
import type { PoseHandle } from '../store/document.ts';
import { type Character, closeCharacter, openCharacter } from './character.ts';
import type { Guest, Viewport } from './viewport.ts';

const PIN_COLOUR = '#c33a1d';
const DOT_COLOUR = '#d9822b';
/** Of a pin and of the dot under the pointer, in parts of the model's radius. */
const PIN_SIZE = 0.018;
const DOT_SIZE = 0.014;

export interface PoseGuestEvents {
  /** After a step of the hand: a drag, a pin. */
  onStep(): void;
  onError(error: Error): void;
}

export class PoseGuest implements Guest {
  readonly #viewport: Viewport;
  readonly #character: Character;
  readonly #framed: boolean;
  readonly #controls: PoseControls;
  readonly #dot: Mesh;
  readonly #pins: Mesh[] = [];
  readonly #listeners = new AbortController();
  #changed = true;
  /** Where points are at each frame of the clip that is made of keys; absent: there is none. */
  clip: ((frame: number) => readonly PoseHandle[]) | undefined;

  /** @param framed  whether the camera looks at this character, which is another than the animation's */
  static async open(
    viewport: Viewport,
    bytes: ArrayBuffer,
    framed: boolean,
    events: PoseGuestEvents,
  ): Promise<PoseGuest> {
    const character = await openCharacter(viewport.stage, bytes, false);
    if (framed) {
      const { min, max } = new Box3().setFromObject(character.root);
      viewport.stage.frame({ min: min.toArray(), max: max.toArray() });
    }
    return new PoseGuest(viewport, character, framed, events);
  }

  private constructor(viewport: Viewport, character: Character, framed: boolean, events: PoseGuestEvents) {
    this.#viewport = viewport;
    this.#framed = framed;
    this.#character = character;
    const { stage } = viewport;
    const { root, mesh } = character;
    enhance(root, stage.renderer, { normals: 'exact' });
    const canvas = stage.renderer.domElement as HTMLCanvasElement;
    this.#controls = new PoseControls(mesh, stage.camera, canvas, { pose: { plants: true } });
    this.#dot = marker(DOT_COLOUR, DOT_SIZE * stage.radius);
    this.#dot.visible = false;
    stage.world.add(this.#dot);
    this.#controls.addEventListener('pick', () => {
      stage.controls.enabled = false;
    });
    this.#controls.addEventListener('release', () => {
      stage.controls.enabled = true;
      events.onStep();
    });
    this.#controls.addEventListener('pin', () => {
      this.#changed = true;
      events.onStep();
    });
    this.#controls.addEventListener('change', () => {
      this.#changed = true;
    });
    this.#controls.addEventListener('error', ({ error }) => events.onError(error));
    canvas.addEventListener('pointermove', (event) => this.#hover(event), { signal: this.#listeners.signal });
    stage.handFirst = true;
    viewport.welcome(this);
  }

  /** Settles when the skin can be pulled. */
  get ready(): Promise<void> {
    return this.#controls.ready;
  }

  /** What holds the pose: what is held softly counts where it has come to. */
  get handles(): readonly PoseHandle[] {
    const [{ solver }, at] = [this.#controls, new Vector3()];
    return solver.handles.map(({ vertex, target, held }) => ({
      vertex,
      target: held ? solver.getVertexPosition(vertex, at).toArray() : target,
    }));
  }

  get pins(): number {
    return this.#controls.solver.handles.filter(({ pinned }) => pinned).length;
  }

  get canUndo(): boolean {
    return this.#controls.solver.canUndo;
  }

  get canRedo(): boolean {
    return this.#controls.solver.canRedo;
  }

  update(): boolean {
    if (!this.#changed) return false;
    this.#changed = false;
    this.#placePins();
    for (const morphs of this.#character.morphs) morphs.update();
    this.#viewport.poseSkins();
    return true;
  }

  undo(): boolean {
    return this.#controls.solver.undo();
  }

  redo(): boolean {
    return this.#controls.solver.redo();
  }

  /** Back to the rest pose, without pins. */
  reset(): void {
    this.#controls.solver.reset();
    this.#changed = true;
  }

  /** Frees all pins where they are. */
  freePins(): void {
    this.#controls.solver.mark();
    this.#controls.solver.setHandles([]);
    this.#changed = true;
  }

  show(handles: readonly PoseHandle[]): void {
    const { solver } = this.#controls;
    solver.mark();
    solver.setHandles(handles.map((handle): SkinHandle => ({ ...handle, pinned: true })));
    this.#changed = true;
  }

  get plays(): boolean {
    return this.clip !== undefined;
  }

  play(frame: number): void {
    const handles = this.clip?.(frame);
    if (handles) this.#controls.solver.setHandles(handles.map((handle): SkinHandle => ({ ...handle, pinned: true })));
    this.#changed = true;
  }

  /** n × 3 positions of all vertices as they are posed. */
  points(): Float32Array {
    const { solver } = this.#controls;
    const [out, at] = [new Float32Array(solver.restPositions.length), new Vector3()];
    for (let i = 0; i < out.length / 3; i++) solver.getVertexPosition(i, at).toArray(out, 3 * i);
    return out;
  }

  dispose(): void {
    this.#listeners.abort();
    this.#controls.dispose();
    for (const object of [this.#dot, ...this.#pins]) object.removeFromParent();
    closeCharacter(this.#character);
    this.#viewport.stage.controls.enabled = true;
    this.#viewport.stage.handFirst = false;
    this.#viewport.dismiss(this);
    if (this.#framed) this.#viewport.frameInput();
    this.#viewport.invalidate();
  }

  #hover(event: PointerEvent): void {
    if (this.#controls.dragged >= 0) {
      this.#dot.visible = false;
      return;
    }
    const found = this.#controls.pick(event);
    const before = this.#dot.visible;
    this.#dot.visible = found !== undefined;
    if (found) this.#dot.position.copy(found.point);
    if (before || found) this.#viewport.invalidate();
  }

  #placePins(): void {
    const pinned = this.#controls.solver.handles.filter((handle) => handle.pinned);
    while (this.#pins.length < pinned.length) {
      const pin = marker(PIN_COLOUR, PIN_SIZE * this.#viewport.stage.radius);
      this.#pins.push(pin);
      this.#viewport.stage.world.add(pin);
    }
    this.#pins.forEach((pin, k) => {
      pin.visible = k < pinned.length;
      if (pin.visible) pin.position.set(...pinned[k].target);
    });
  }
}

function marker(colour: string, size: number): Mesh {
  const mesh = new Mesh(new SphereGeometry(size, 16, 12), new MeshBasicMaterial({ color: colour, depthTest: false }));
  mesh.renderOrder = 20;
  return mesh;
}
