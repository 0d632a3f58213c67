/**
 * The viewport: what was given on the left, what came out on the right, at one time and through one camera. Follows the
 * store; draws only when something has changed.
 */
import { boundsOf, diagonalOf, frameAt, type Snapshot } from '@pelt/model';
import { updateSkins } from '@pelt/three/webgpu';
import { Box3, Raycaster, Vector2, Vector3 } from 'three/webgpu';
import { runOf } from '../store/document.ts';
import type { Library } from '../store/library.ts';
import type { Store, StudioState } from '../store/store.ts';
import { BoneLines } from './bone-lines.ts';
import { type Moving, movingRig, movingSequence } from './moving.ts';
import { FINENESS, type Fineness, Pace } from './pace.ts';
import { paintBones, paintHeat, paintWeight } from './paint.ts';
import { pickVertex } from './pick.ts';
import { isShown, posedBox } from './posed-box.ts';
import { comparedRegions, equalRegions, type PlannedRegion } from './regions.ts';
import type { AxisView, Region, Stage } from './stage.ts';
import { Surface } from './surface.ts';

/** A face is looked at from before it and a little from the side. */
const FACE_DIRECTION = new Vector3(0.42, 0.12, 0.9).normalize();

/** What else draws into the scene and takes the place of the result: a mode with hands on the model. */
export interface Guest {
  /** Called before each picture; true where another picture is wanted after this one. */
  update(): boolean;
  /** Of a character in several ways at once: what each view is called. Absent: one view. */
  readonly views?: readonly string[];
  /** Shows one of them alone, before it is drawn. */
  showView?(view: number): void;
  /** Whether it has something to play; then it is told of every frame. */
  readonly plays: boolean;
  play(frame: number): void;
}

/** Two shapes that are compared without a run. */
export interface ShapePair {
  /** Absent: there is nothing to compare with. */
  readonly given: Moving | undefined;
  readonly result: Moving;
  /** Distance that 99.9 % of all vertices stay below, in parts of the diagonal. */
  readonly p999: number;
}

export class Viewport {
  readonly stage: Stage;
  readonly #store: Store;
  readonly #library: Library;
  #given: Surface | undefined;
  #result: Surface | undefined;
  #bones: BoneLines | undefined;
  #shownKey = '';
  #inputId: string | undefined;
  #live: Snapshot | undefined;
  #pair: ShapePair | undefined;
  #dirty = true;
  #time = 0;
  #lastTick = 0;
  #size = { width: 1, height: 1 };
  #diagonal = 1;
  readonly #pace = new Pace();
  readonly #guests: Guest[] = [];

  constructor(stage: Stage, store: Store, library: Library) {
    this.stage = stage;
    this.#store = store;
    this.#library = library;
    store.subscribe((state, before) => this.#follow(state, before));
    stage.controls.addEventListener('change', () => this.invalidate());
    stage.hasGrid = store.state.view.grid;
    this.#rebuild(store.state);
    stage.renderer.setAnimationLoop((now: number) => this.#tick(now));
  }

  get backend(): string {
    return this.stage.backend;
  }

  resize(width: number, height: number): void {
    this.#size = { width, height };
    this.stage.resize(width, height);
    this.invalidate();
  }

  invalidate(): void {
    this.#dirty = true;
  }

  /** The state of a fit that runs, in place of the result; undefined when it has ended. */
  showLive(snapshot: Snapshot | undefined): void {
    this.#live = snapshot;
    this.#shownKey = '';
    this.#rebuild(this.#store.state);
  }

  /** Shows two shapes in place of the input and the result; undefined shows those again. */
  showPair(pair: ShapePair | undefined): void {
    this.#pair = pair;
    this.#shownKey = '';
    this.#rebuild(this.#store.state);
    if (pair) {
      this.stage.frame(boundsOf(pair.result.rest));
      this.stage.lookAt(boundsOf(pair.result.rest), FACE_DIRECTION);
    } else this.frameInput();
    this.invalidate();
  }

  /** Frames the animation over all of its frames. */
  frameInput(): void {
    const sequence = this.#library.get(this.#store.state.document.input?.id)?.sequence;
    if (sequence) this.stage.frame(boundsOf(sequence.frames));
    this.invalidate();
  }

  /** Frames what is shown now, from where the camera looks. */
  frameShown(): void {
    const box = this.guest ? posedBox(this.stage.world) : new Box3();
    if (box.isEmpty()) {
      const shown = this.#result ?? this.#given;
      if (shown) box.setFromArray(shown.positions);
    }
    if (box.isEmpty()) return;
    this.stage.lookAt({ min: box.min.toArray(), max: box.max.toArray() });
    this.invalidate();
  }

  turnTo(axis: AxisView): void {
    this.stage.turnTo(axis);
    this.invalidate();
  }

  /** Brings what is under the pointer into the middle; false where there is nothing. */
  approach(clientX: number, clientY: number): boolean {
    const caster = this.#rayAt(clientX, clientY);
    const [hit] = caster.intersectObjects(this.stage.world.children, true).filter(({ object }) => isShown(object));
    if (!hit) return false;
    this.stage.approach(hit.point.clone());
    this.invalidate();
    return true;
  }

  /** Who is shown in place of the input and the result. */
  get guest(): Guest | undefined {
    return this.#guests.at(-1);
  }

  /** Shows a guest alone, until it leaves. */
  welcome(guest: Guest): void {
    this.#guests.push(guest);
    this.invalidate();
  }

  /** Removes a guest, which need not be the one that is shown: modes may open and close in any order. */
  dismiss(guest: Guest): void {
    const at = this.#guests.indexOf(guest);
    if (at >= 0) this.#guests.splice(at, 1);
    this.invalidate();
  }

  /** Brings the skins of a guest up to date with their bones, before a picture. */
  poseSkins(): void {
    updateSkins(this.stage.scene, this.stage.renderer, { passes: this.#pace.moving.passes });
  }

  /** The strongest bone where the pointer is on the result. */
  boneAt(clientX: number, clientY: number): number | undefined {
    const surface = this.#result;
    const weights = surface?.moving.played?.rig.weights;
    if (!surface || !weights) return undefined;
    const vertex = pickVertex(surface, this.#rayAt(clientX, clientY).ray);
    return vertex < 0 ? undefined : weights.bones[vertex * weights.slots];
  }

  #rayAt(clientX: number, clientY: number): Raycaster {
    const box = this.stage.renderer.domElement.getBoundingClientRect();
    const { regions } = this.#plan();
    const [x, y] = [clientX - box.left, clientY - box.top];
    const { view } = regions.find(({ region }) => contains(region, x, y)) ?? regions[0];
    const pointer = new Vector2((2 * (x - view.x)) / view.width - 1, 1 - (2 * (y - view.y)) / view.height);
    const caster = new Raycaster();
    caster.setFromCamera(pointer, this.stage.camera);
    return caster;
  }

  #follow(state: StudioState, before: StudioState): void {
    const { document, view } = state;
    if (document !== before.document) this.#rebuild(state);
    if (view.frame !== before.view.frame) {
      this.#time = view.frame;
      if (this.guest?.plays) this.guest.play(view.frame);
    }
    if (view.grid !== before.view.grid) this.stage.hasGrid = view.grid;
    if (view !== before.view) {
      if (view.colouring !== before.view.colouring || view.bones !== before.view.bones) this.#paintFixed(state);
      this.invalidate();
    }
  }

  /** Surfaces for what the document shows now; those that stay are kept. */
  #rebuild(state: StudioState): void {
    const { input, shown, compared } = state.document;
    const key = [input?.id, shown, compared, this.#live ? 'live' : ''].join('|');
    if (key === this.#shownKey && (!this.#live || this.#pair)) return;
    this.#shownKey = key;
    const sequence = this.#library.get(input?.id)?.sequence;
    for (const part of [this.#given, this.#result, this.#bones]) part?.dispose();
    this.#given = this.#result = this.#bones = undefined;
    this.invalidate();
    if (this.#pair) {
      const { given, result } = this.#pair;
      this.#given = given && this.#add(given);
      this.#result = this.#add(result);
      this.#diagonal = diagonalOf(boundsOf(result.rest)) || 1;
      this.#paintFixed(state);
      return;
    }
    if (!sequence) return;
    const truth = movingSequence(sequence);
    const against = this.#library.get(runOf(state.document, compared)?.id)?.played;
    this.#given = this.#add(against ? movingRig(against) : truth);
    const played = this.#live
      ? { ...this.#live, vertices: Uint32Array.from({ length: truth.rest.length / 3 }, (_, i) => i) }
      : this.#library.get(shown)?.played;
    if (played) {
      this.#result = this.#add(movingRig(played));
      this.#bones = new BoneLines(played, this.stage.radius);
      this.stage.world.add(this.#bones.group);
    }
    this.#diagonal = diagonalOf(boundsOf(sequence.rest.positions)) || 1;
    if (input && input.id !== this.#inputId) {
      this.#inputId = input.id;
      this.frameInput();
      this.#bones?.dispose();
      this.#bones = played && new BoneLines(played, this.stage.radius);
      if (this.#bones) this.stage.world.add(this.#bones.group);
    }
    this.#paintFixed(state);
    this.invalidate();
  }

  #add(moving: Moving): Surface {
    const surface = new Surface(moving);
    this.stage.world.add(surface.mesh);
    return surface;
  }

  /** Colours that do not depend on the frame. */
  #paintFixed({ view }: StudioState): void {
    const rig = this.#result?.moving.played?.rig;
    if (!this.#result || !rig) return;
    if (view.colouring === 'weights' && view.bones.length > 0) paintWeight(this.#result, rig.weights, view.bones);
    else if (view.colouring === 'weights') paintBones(this.#result, rig.weights, rig.bones.length);
    else if (view.colouring !== 'heat') this.#result.paintNeutral();
    if (view.colouring !== 'heat') this.#given?.paintNeutral();
    this.invalidate();
  }

  /** Distance at the end of the heat map. */
  get heatLimit(): number {
    const { document, view } = this.#store.state;
    const p999 = this.#pair ? this.#pair.p999 : runOf(document, document.shown)?.spread.p999;
    return (view.heatLimit ?? heatScale(p999)) * this.#diagonal;
  }

  #tick(now: number): void {
    const { view, document, session } = this.#store.state;
    const seconds = Math.min(0.1, (now - this.#lastTick) / 1000);
    this.#lastTick = now;
    const input = session.clip ?? document.input;
    if (view.playing && input && input.frames > 1 && (!this.guest || this.guest.plays)) {
      this.#time += seconds * input.fps * view.speed;
      if (this.#time >= input.frames) {
        if (view.loop) this.#time %= input.frames;
        else {
          this.#time = input.frames - 1;
          this.#store.setView({ playing: false });
        }
      }
      const frame = Math.floor(this.#time);
      if (frame !== view.frame) {
        const time = this.#time;
        this.#store.setView({ frame });
        this.#time = time;
      }
    }
    if (this.guest?.update()) this.#dirty = true;
    if (this.#dirty) {
      this.#dirty = false;
      this.#draw(this.#pace.moving);
      this.#pace.drawn(now);
    } else if (this.#pace.rests(now)) {
      this.draw();
      this.#pace.rested();
    } else return;
    // For whoever measures.
    this.stage.renderer.domElement.dispatchEvent(new Event('drawn'));
    if (this.#store.state.session.drawn || !this.#given) return;
    performance.mark('first-picture');
    this.#store.setSession({ drawn: true });
  }

  /** Draws the current state now, as fine as it gets. */
  draw(): void {
    this.#draw(FINENESS[0]);
  }

  #draw(fineness: Fineness): void {
    const { view } = this.#store.state;
    const { frame } = view;
    // A guest is shown alone: what nobody sees is not posed.
    if (!this.guest) {
      this.#given?.show(frame);
      this.#result?.show(frame);
      this.#bones?.show(frame);
      if (this.#result && view.colouring === 'heat') this.#paintHeat(frame);
    }
    this.stage.begin(fineness);
    const { regions } = this.#plan();
    for (const [k, { region, view: whole, shows }] of regions.entries()) {
      if (this.guest?.views) this.guest.showView?.(k);
      if (this.#given) this.#given.mesh.visible = shows !== 'result' && !this.guest;
      if (this.#result) this.#result.mesh.visible = shows !== 'given' && !this.guest;
      if (this.#bones) {
        const wanted = view.colouring === 'bones' || this.#live !== undefined;
        this.#bones.group.visible = wanted && shows !== 'given' && !this.guest;
      }
      this.#veil(shows === 'both');
      this.stage.draw(region, whole);
    }
    this.stage.end();
    if (this.guest?.views) this.guest.showView?.(0);
  }

  /** In an overlay what was given is a veil over the result. */
  #veil(on: boolean): void {
    const material = this.#given?.mesh.material;
    if (!material || material.wireframe === on) return;
    material.wireframe = on;
    material.opacity = on ? 0.25 : 1;
    material.transparent = on;
    material.needsUpdate = true;
  }

  /** Both where a run stands in the place of the original. */
  #paintHeat(frame: number): void {
    if (this.#pair) {
      if (this.#given && this.#result) paintHeat(this.#result, this.#given.positions, undefined, this.heatLimit);
      return;
    }
    const sequence = this.#library.get(this.#store.state.document.input?.id)?.sequence;
    if (!sequence) return;
    const truth = frameAt(sequence, Math.min(frame, sequence.times.length - 1));
    for (const surface of [this.#given, this.#result]) {
      if (surface?.moving.played) paintHeat(surface, truth, surface.moving.vertices, this.heatLimit);
    }
  }

  #plan(): { regions: readonly PlannedRegion[] } {
    const { width, height } = this.#size;
    const { layout, split } = this.#store.state.view;
    if (this.guest) return { regions: equalRegions(width, height, this.guest.views?.length ?? 1, 'result') };
    if (!this.#result) return { regions: equalRegions(width, height, 1, 'given') };
    if (!this.#given) return { regions: equalRegions(width, height, 1, 'result') };
    return { regions: comparedRegions(width, height, layout, split) };
  }

  dispose(): void {
    void this.stage.renderer.setAnimationLoop(null);
    for (const part of [this.#given, this.#result, this.#bones]) part?.dispose();
    this.stage.dispose();
  }
}

/** A round end of the scale that nearly all distances stay below, in parts of the diagonal. */
export function heatScale(p999: number | undefined): number {
  if (!p999) return 0.001;
  const power = 10 ** Math.floor(Math.log10(p999));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= p999) ?? 10;
  return step * power;
}

function contains({ x, y, width, height }: Region, px: number, py: number): boolean {
  return px >= x && px < x + width && py >= y && py < y + height;
}
