/** A character that is posed by hand: pull its skin, pin points, with `PoseControls` of @pelt/three. */
import { PoseControls, type SkinHandle } from '@pelt/three';
import { enhance } from '@pelt/three/webgpu';
import { Box3, Mesh, MeshBasicMaterial, SphereGeometry, Vector3 } from 'three/webgpu';
import type { PoseHandle } from '../store/document.ts';
import { spreadVertices } from '../store/spread-vertices.ts';
import { type Character, closeCharacter, openCharacter } from './character.ts';
import type { Ghost } from './ghosts.ts';
import { PoseRegions, type RegionTool } from './pose-regions.ts';
import type { Guest, Viewport } from './viewport.ts';

const PIN_COLOUR = '#c33a1d';
const DOT_COLOUR = '#d9822b';
/** Of a pin and of the dot under the pointer, in parts of the model's radius. */
const PIN_SIZE = 0.018;
const DOT_SIZE = 0.014;
/** Points that hold a blend of examples, and the share of one from which on there is a blend. */
const [SPREAD, LEAST_SHARE] = [16, 1e-3];

export interface PoseGuestEvents {
  /** After a step of the hand, which undo takes back. */
  onStep(label: string): void;
  /** The pose has changed, by whatever it was. */
  onChange(): void;
  onError(error: Error): void;
}

/** What a press on the skin does. */
export type PoseTool = 'pull' | RegionTool;

export class PoseGuest implements Guest {
  readonly #viewport: Viewport;
  readonly #events: PoseGuestEvents;
  readonly #character: Character;
  readonly #framed: boolean;
  readonly #controls: PoseControls;
  readonly #dot: Mesh;
  readonly #pins: Mesh[] = [];
  readonly #listeners = new AbortController();
  readonly #regions: PoseRegions;
  #tool: PoseTool = 'pull';
  #brush = 0;
  #changed = true;
  /** Where points are at each frame of the clip that is made of keys; absent: there is none. */
  clip: ((frame: number) => readonly PoseHandle[]) | undefined;

  /** @param framed  whether the camera looks at this character, which is another than the animation's */
  static async open(
    viewport: Viewport,
    bytes: ArrayBuffer,
    framed: boolean,
    solving: { readonly ridge?: number; readonly pull?: number },
    events: PoseGuestEvents,
  ): Promise<PoseGuest> {
    const character = await openCharacter(viewport.stage, bytes, false);
    if (framed) {
      const { min, max } = new Box3().setFromObject(character.root);
      viewport.stage.frame({ min: min.toArray(), max: max.toArray() });
    }
    return new PoseGuest(viewport, character, framed, solving, events);
  }

  private constructor(
    viewport: Viewport,
    character: Character,
    framed: boolean,
    solving: { readonly ridge?: number; readonly pull?: number },
    events: PoseGuestEvents,
  ) {
    this.#viewport = viewport;
    this.#events = events;
    this.#framed = framed;
    this.#character = character;
    const { stage } = viewport;
    const { root, mesh } = character;
    enhance(root, stage.renderer, { normals: 'exact' });
    const canvas = stage.renderer.domElement as HTMLCanvasElement;
    this.#controls = new PoseControls(mesh, stage.camera, canvas, { pose: { plants: true, ...solving } });
    this.#regions = new PoseRegions(stage, this.#controls.solver);
    this.#dot = marker(DOT_COLOUR, DOT_SIZE * stage.radius);
    this.#dot.visible = false;
    stage.world.add(this.#dot);
    this.#controls.addEventListener('pick', () => {
      stage.controls.enabled = false;
    });
    this.#controls.addEventListener('release', () => {
      stage.controls.enabled = true;
      events.onStep('Pull the skin');
    });
    this.#controls.addEventListener('pin', ({ pinned }) => {
      this.#changed = true;
      events.onStep(pinned ? 'Pin a point' : 'Free a point');
    });
    this.#controls.addEventListener('change', () => {
      this.#changed = true;
      events.onChange();
    });
    this.#controls.addEventListener('error', ({ error }) => events.onError(error));
    canvas.addEventListener('pointermove', (event) => this.#hover(event), { signal: this.#listeners.signal });
    canvas.addEventListener('pointerdown', (event) => this.#paint(event), { signal: this.#listeners.signal });
    stage.handFirst = true;
    viewport.welcome(this);
  }

  /** Settles when the skin can be pulled. */
  get ready(): Promise<void> {
    return this.#controls.ready;
  }

  /**
   * What holds the pose: what is held softly counts where it has come to. A blend of examples is held by points that are
   * spread over the skin.
   */
  get handles(): readonly PoseHandle[] {
    const [{ solver }, at] = [this.#controls, new Vector3()];
    const shown = (vertex: number) => solver.getVertexPosition(vertex, at).toArray();
    if (solver.handles.length === 0 && this.isPosed) {
      return spreadVertices(solver.restPositions, SPREAD).map((vertex) => ({ vertex, target: shown(vertex) }));
    }
    return solver.handles.map(({ vertex, target, held }) => ({ vertex, target: held ? shown(vertex) : target }));
  }

  /** Whether there is a pose to keep. */
  get isPosed(): boolean {
    const { handles, blend } = this.#controls.solver;
    return handles.length > 0 || blend.some((share) => Math.abs(share) > LEAST_SHARE);
  }

  /** Names of the examples, and how much of each is in the pose. */
  get examples(): readonly string[] {
    return this.#character.mesh.model.poser?.exampleNames ?? [];
  }

  get blend(): Float64Array {
    return this.#controls.solver.blend;
  }

  /** What undo comes back to, before sliders move. */
  beginBlend(): void {
    this.#controls.solver.mark();
    this.#stepped('Blend examples');
  }

  setBlend(blend: ArrayLike<number>): void {
    this.#controls.solver.setBlend(blend);
  }

  get regions(): PoseRegions['counts'] {
    return this.#regions.counts;
  }

  clearRegions(): void {
    this.#regions.clear();
    this.#changed = true;
  }

  /** Whether the controls and proxies that posing works with are shown. */
  set marks(on: boolean) {
    this.#regions.marks = on;
    this.#changed = true;
  }

  /** What a press on the skin does; a brush is as wide as this part of the model's radius. */
  setTool(tool: PoseTool, brush: number): void {
    this.#tool = tool;
    this.#brush = brush;
    this.#controls.enabled = tool === 'pull';
  }

  get pins(): number {
    return this.#controls.solver.handles.filter(({ pinned }) => pinned).length;
  }

  update(): boolean {
    if (!this.#changed) return false;
    this.#changed = false;
    this.#placePins();
    this.#regions.update();
    for (const morphs of this.#character.morphs) morphs.update();
    this.#viewport.poseSkins();
    return true;
  }

  undo(): boolean {
    this.#changed = true;
    return this.#controls.solver.undo();
  }

  redo(): boolean {
    this.#changed = true;
    return this.#controls.solver.redo();
  }

  /** Back to the rest pose, without pins. */
  reset(): void {
    this.#controls.solver.reset();
    this.#stepped('Reset the pose');
  }

  /** Frees all pins where they are. */
  freePins(): void {
    this.#controls.solver.mark();
    this.#controls.solver.setHandles([]);
    this.#stepped('Free all pins');
  }

  show(handles: readonly PoseHandle[]): void {
    const { solver } = this.#controls;
    solver.mark();
    solver.setHandles(handles.map((handle): SkinHandle => ({ ...handle, pinned: true })));
    this.#stepped('Show a pose');
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

  /** The shape that all vertices have in a pose. */
  ghost(points: Float32Array | undefined): Ghost | undefined {
    const { solver } = this.#controls;
    if (points?.length !== solver.restPositions.length) return undefined;
    const triangles = solver.parts.flatMap(({ mesh, first }) =>
      Array.from(mesh.geometry.index?.array ?? [], (vertex) => first + vertex),
    );
    return { positions: points, triangles: Uint32Array.from(triangles) };
  }

  dispose(): void {
    this.#listeners.abort();
    this.#controls.dispose();
    this.#regions.dispose();
    for (const object of [this.#dot, ...this.#pins]) object.removeFromParent();
    closeCharacter(this.#character);
    this.#viewport.stage.controls.enabled = true;
    this.#viewport.stage.handFirst = false;
    this.#viewport.dismiss(this);
    if (this.#framed) this.#viewport.frameInput();
    this.#viewport.invalidate();
  }

  /** Paints until the pointer is let go; Shift takes away. */
  #paint(event: PointerEvent): void {
    const tool = this.#tool;
    if (tool === 'pull' || event.button !== 0) return;
    const { stage } = this.#viewport;
    const canvas = stage.renderer.domElement as HTMLCanvasElement;
    const stroke = (moved: PointerEvent) => {
      const found = this.#controls.pick(moved);
      if (!found) return;
      const at = this.#character.mesh.worldToLocal(found.point.clone());
      this.#regions.paint(tool, at, this.#brush * stage.radius, event.shiftKey);
      this.#changed = true;
    };
    const ended = new AbortController();
    stage.controls.enabled = false;
    canvas.setPointerCapture(event.pointerId);
    stroke(event);
    canvas.addEventListener('pointermove', stroke, ended);
    const end = () => {
      ended.abort();
      stage.controls.enabled = true;
      this.#regions.apply();
      this.#events.onChange();
    };
    for (const name of ['pointerup', 'pointercancel'] as const) canvas.addEventListener(name, end, ended);
  }

  #stepped(label: string): void {
    this.#changed = true;
    this.#events.onStep(label);
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
