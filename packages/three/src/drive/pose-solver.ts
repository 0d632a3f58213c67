/**
 * Poses a mesh by points of its skin: handles with targets, some of them pinned, solved in a worker, the answer straight
 * into the palette. Knows no pointer and no camera; `PoseControls` puts them on top.
 */
import { type Poser, resolveOptions, UsageError } from '@pelt/model';
import { History } from '@pelt/model/internal';
import type { Regions } from '@pelt/skin/pose/runtime';
import { EventDispatcher, type Vector3 } from 'three';
import { type PeltMesh, requirePaletteSkeleton } from '../mesh/pelt-mesh.ts';
import { rigOf } from '../model/geometry-rig.ts';
import type { AnswerPose, AskPose, OpenPose, SentPoseOptions } from '../workers/protocol.ts';
import type { DriverLayer } from './driver-stack.ts';
import { posedParts, requireWholePoser } from './posed-parts.ts';
import { WorkerLink } from './worker-link.ts';

export interface PoseSolverOptions {
  /** Of the solver: ridge, pull, bounds, tolerance. */
  readonly pose: SentPoseOptions;
  /** Milliseconds that the worker spends before it shows how far it is: half a frame, so that every frame has an answer. */
  readonly budget: number;
  /** Where its poses go, if the mesh has several drivers; absent: to the mesh. */
  readonly layer: DriverLayer | undefined;
  /** Makes the worker; absent: the package's own, found beside this module. */
  readonly worker: (() => Worker) | undefined;
}

export const POSE_SOLVER_DEFAULTS: PoseSolverOptions = { pose: {}, budget: 8, layer: undefined, worker: undefined };

export interface SkinHandle {
  readonly vertex: number;
  /** In model space. */
  readonly target: readonly [number, number, number];
  readonly pinned: boolean;
  /** Holds the far side of the character while something is pulled, until something else is. */
  readonly held?: boolean;
  /** Distance from the target per unit of force; absent: none. */
  readonly softness?: number;
}

/**
 * Softness of what is held. Four of them yield to the full force of a handle by some 7 % of the model's size: limbs bend
 * before they do, and the trunk can still be moved.
 */
const HELD_SOFTNESS = 10;

/** What `undo` goes back to. */
interface HandledPose {
  readonly handles: readonly SkinHandle[];
  readonly parameters: Float64Array;
}

export interface PoseSolverEvents {
  /** A pose has arrived. */
  change: { readonly atRest: boolean };
  error: { readonly error: Error };
}

/**
 * Poses a mesh by handles on its skin, in a worker.
 * @example
 * {@includeCode ../../examples/dragging.page.ts}
 */
export class PoseSolver extends EventDispatcher<PoseSolverEvents> {
  readonly mesh: PeltMesh;
  /** N × 3 positions at rest of all that is posed: vertices are counted over all parts, in the order of the file. */
  readonly restPositions: Float32Array;
  /** The meshes that are posed as one, each with the number of its first vertex. */
  readonly parts: readonly { readonly mesh: PeltMesh; readonly first: number }[];
  readonly #options: PoseSolverOptions;
  readonly #link: WorkerLink<OpenPose, AskPose, AnswerPose>;
  readonly #transforms: Float64Array;
  #handles: readonly SkinHandle[] = [];
  #blend: Float64Array;
  /** Of the pose that is shown; the rest pose has none. */
  #parameters: Float64Array;
  #restart: { readonly blend: Float64Array; id: number } | undefined;
  /** Sent until an answer shows that they have arrived. */
  #regions: { readonly regions: Regions; id: number } | undefined;
  readonly #history = new History<HandledPose>();

  /** @param mesh  with a poser; the other parts of its character are found in the scene that it is in */
  constructor(mesh: PeltMesh, options?: Partial<PoseSolverOptions>) {
    super();
    const { poser, skin, part } = mesh.model;
    if (!poser) throw new UsageError(`PoseSolver: '${mesh.name}' has no poser; write one with pelt pose --save`);
    this.#options = resolveOptions('PoseSolver', POSE_SOLVER_DEFAULTS, options);
    this.mesh = mesh;
    const skeleton = requirePaletteSkeleton(mesh);
    const own = rigOf(mesh.name, [mesh.geometry], skeleton.joints, skeleton.inverses, skin);
    const rig = part ? { ...own, mesh: part.surface, weights: part.weights } : own;
    requireWholePoser(mesh.name, poser, rig);
    const whole: Poser = { ...poser, rig };
    this.restPositions = rig.mesh.positions;
    this.parts = posedParts(mesh);
    this.#transforms = skeleton.transforms.slice();
    this.#blend = new Float64Array(poser.exampleNames.length);
    this.#parameters = new Float64Array(poser.exampleNames.length);
    this.#link = new WorkerLink(
      this.#options.worker?.() ?? defaultWorker(),
      { poser: whole, options: this.#options.pose },
      (answer, id) => this.#show(answer, id),
      (error) => this.dispatchEvent({ type: 'error', error }),
    );
  }

  /** Where a vertex is shown, in model space. */
  getVertexPosition(vertex: number, target: Vector3): Vector3 {
    const part = this.parts.findLast(({ first }) => first <= vertex) ?? this.parts[0];
    return part.mesh.getVertexPosition(vertex - part.first, target);
  }

  /** Resolves when the worker has opened the poser. */
  get ready(): Promise<void> {
    return this.#link.ready;
  }

  get handles(): readonly SkinHandle[] {
    return this.#handles;
  }

  /** E shares of the examples in the pose that is shown. */
  get blend(): Float64Array {
    return this.#blend;
  }

  get canUndo(): boolean {
    return this.#history.canUndo;
  }

  get canRedo(): boolean {
    return this.#history.canRedo;
  }

  /** Marks where `undo` comes back to: before a drag, a pin, anything that one step shall take back. */
  mark(): void {
    this.#history.mark({ state: this.#handledPose() });
  }

  /** All handles at once, in place of those before. */
  setHandles(handles: readonly SkinHandle[]): void {
    for (const { vertex } of handles) this.#requireVertex(vertex);
    this.#set([...handles]);
  }

  /** Pulls a vertex to a place in model space. */
  pull(vertex: number, target: Vector3): void {
    this.#requireVertex(vertex);
    const before = this.#handles.find((handle) => handle.vertex === vertex);
    const handle: SkinHandle = {
      vertex,
      target: [target.x, target.y, target.z],
      pinned: before?.pinned ?? false,
    };
    // A handle that is neither pulled nor pinned any more lets go.
    const others = this.#handles.filter((other) => other.vertex !== vertex && (other.pinned || other.held));
    this.#set([...others, handle]);
  }

  /**
   * Holds vertices softly where they are shown, beside the pins and in place of what was held or pulled before. A single
   * handle by itself carries the whole character along; what is held makes it bend.
   */
  hold(vertices: readonly number[]): void {
    for (const vertex of vertices) this.#requireVertex(vertex);
    const pinned = this.#handles.filter((handle) => handle.pinned);
    const soft = { pinned: false, held: true, softness: HELD_SOFTNESS };
    this.#set([...pinned, ...vertices.map((vertex) => ({ vertex, target: this.#shown(vertex), ...soft }))]);
  }

  /** Holds a vertex where it is shown, or lets it go. */
  setPinned(vertex: number, pinned: boolean): void {
    this.#requireVertex(vertex);
    const others = this.#handles.filter((handle) => handle.vertex !== vertex);
    if (!pinned) {
      this.#set(others);
      return;
    }
    this.#set([...others, { vertex, target: this.#shown(vertex), pinned: true }]);
  }

  isPinned(vertex: number): boolean {
    return this.#handles.some((handle) => handle.vertex === vertex && handle.pinned);
  }

  /**
   * Poses by the examples themselves: handles that are not pinned let go, and what is pinned pulls from there.
   *
   * @param blend  E shares, as `blend` has them; all 0 is the rest pose
   */
  setBlend(blend: ArrayLike<number>): void {
    if (blend.length !== this.#blend.length) {
      throw new UsageError(`PoseSolver: ${blend.length} shares for ${this.#blend.length} examples; give one each`);
    }
    this.#restart = { blend: Float64Array.from(blend), id: 0 };
    this.#set(this.#handles.filter(({ pinned }) => pinned));
  }

  /** Vertices that stay where they are shown, and vertices that may depart from the examples, in place of those before. */
  setRegions(regions: Regions): void {
    for (const vertex of [...(regions.pinned ?? []), ...(regions.free ?? [])]) this.#requireVertex(vertex);
    this.#regions = { regions, id: 0 };
    this.#ask();
  }

  undo(): boolean {
    return this.#comeBackTo(this.#history.undo(this.#handledPose()));
  }

  redo(): boolean {
    return this.#comeBackTo(this.#history.redo(this.#handledPose()));
  }

  /** The rest pose, without handles. */
  reset(): void {
    this.mark();
    this.#restart = { blend: new Float64Array(this.#blend.length), id: 0 };
    this.#set([]);
  }

  /** Ends the worker; the mesh keeps its pose until `setTransforms(undefined)`. */
  dispose(): void {
    this.#link.close();
  }

  #shown(vertex: number): [number, number, number] {
    const { x, y, z } = this.getVertexPosition(vertex, this.mesh.position.clone());
    return [x, y, z];
  }

  #requireVertex(vertex: number): void {
    const n = this.restPositions.length / 3;
    if (Number.isInteger(vertex) && vertex >= 0 && vertex < n) return;
    throw new UsageError(`PoseSolver: there is no vertex ${vertex}; the mesh has ${n}`);
  }

  #handledPose(): HandledPose {
    return { handles: this.#handles, parameters: this.#parameters.slice() };
  }

  #comeBackTo(pose: HandledPose | undefined): boolean {
    if (!pose) return false;
    this.#restart = { blend: pose.parameters, id: 0 };
    this.#set(pose.handles);
    return true;
  }

  #set(handles: readonly SkinHandle[]): void {
    this.#handles = handles;
    this.#ask();
  }

  #ask(): void {
    const { budget } = this.#options;
    const [restart, regions] = [this.#restart, this.#regions];
    const id = this.#link.ask({
      handles: this.#handles,
      budget,
      ...(restart && { blend: restart.blend }),
      ...(regions && { regions: regions.regions }),
    });
    if (restart) restart.id = id;
    if (regions) regions.id = id;
  }

  #show({ transforms, blend, parameters, atRest }: AnswerPose, id: number): void {
    // What was asked before a restart is of no interest any more.
    if (this.#restart && id < this.#restart.id) return;
    this.#restart = undefined;
    if (this.#regions && id >= this.#regions.id) this.#regions = undefined;
    this.#transforms.set(transforms);
    this.#blend = blend;
    this.#parameters = parameters;
    (this.#options.layer ?? this.mesh).setTransforms(this.#transforms);
    if ((this.mesh.model.poser?.exampleDetails.length ?? 0) > 0) {
      for (const { mesh } of this.parts) {
        const influences = mesh.morphTargetInfluences ?? [];
        for (let e = 0; e < influences.length; e++) influences[e] = blend[e];
      }
    }
    this.dispatchEvent({ type: 'change', atRest });
    if (!atRest) this.#ask();
  }
}

function defaultWorker(): Worker {
  return new Worker(new URL('../workers/pose-worker.js', import.meta.url), { type: 'module' });
}
