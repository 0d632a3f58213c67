/** A performer's joints, live, onto a mesh: the puppet works in a worker, its pose goes straight into the palette. */
import { type Capsules, type Registration, resolveOptions, UsageError } from '@pelt/model';
import type { Handle } from '@pelt/skin/pose/runtime';
import type { PuppetOptions } from '@pelt/skin/puppet/runtime';
import { EventDispatcher } from 'three';
import { type PeltMesh, requirePaletteSkeleton } from '../mesh/pelt-mesh.ts';
import { rigOf } from '../model/geometry-rig.ts';
import { skinOf } from '../model/geometry-skin.ts';
import type { AnswerPuppet, AskPuppet, OpenPuppet } from '../workers/protocol.ts';
import type { DriverLayer } from './driver-stack.ts';
import { posedParts, requireWholePoser } from './posed-parts.ts';
import type { RestSpace } from './rest-space.ts';
import { WorkerLink } from './worker-link.ts';

export interface PuppetDriverOptions {
  readonly puppet: Partial<PuppetOptions>;
  /** J × 3: the performer standing upright, which calibrates a direct retarget; absent: usual proportions. */
  readonly neutral: Float32Array | undefined;
  /** The camera that sees the performer, who is then calibrated by the first second of standing; absent: no camera. */
  readonly camera: 'depth' | 'picture' | undefined;
  /** Capsules of the body, in its rest pose (`fitCapsules`): a humanoid's limbs stay out of them; absent: they pass through. */
  readonly capsules: Capsules | undefined;
  /**
   * Where the character stands upright and the poses of its pairs are, if not in the mesh's own space: a file may keep its
   * mesh turned, and in other units than its scene.
   */
  readonly space: RestSpace | undefined;
  /** Where its poses go, if the mesh has several drivers; absent: to the mesh. */
  readonly layer: DriverLayer | undefined;
  /** Makes the worker; absent: the package's own, found beside this module. */
  readonly worker: (() => Worker) | undefined;
}

export const PUPPET_DRIVER_DEFAULTS: PuppetDriverOptions = {
  puppet: {},
  neutral: undefined,
  camera: undefined,
  capsules: undefined,
  space: undefined,
  layer: undefined,
  worker: undefined,
};

/**
 * Moves a mesh by a performer's joints, in a worker.
 * @example
 * {@includeCode ../../examples/puppet.page.ts}
 */
export class PuppetDriver extends EventDispatcher<{ change: object; error: { readonly error: Error } }> {
  readonly #joints: number;
  /** Meshes whose morph targets are details of the shapes. */
  readonly #details: readonly PeltMesh[];
  #handles: readonly Handle[] | undefined;
  #answer: AnswerPuppet | undefined;
  readonly #link: WorkerLink<OpenPuppet, AskPuppet, AnswerPuppet>;

  /**
   * @param registration  pairs of performer and character poses, the character's of this mesh's joints; undefined for a
   *                      humanoid, which is retargeted to directly. Pairs of shapes (`pelt puppet sculpts --save-pairs`)
   *                      need the poser that their file has
   * @param performer     names of the joints that `update` will be given, in order
   */
  constructor(
    mesh: PeltMesh,
    registration: Registration | undefined,
    performer: readonly string[],
    options?: Partial<PuppetDriverOptions>,
  ) {
    super();
    const resolved = resolveOptions('PuppetDriver', PUPPET_DRIVER_DEFAULTS, options);
    const { puppet, neutral, camera, capsules, space, layer, worker } = resolved;
    const skeleton = requirePaletteSkeleton(mesh);
    const { model, geometry } = mesh;
    // The puppet looks at which vertices go with which joint: proxies and virtual bones say nothing of that.
    const skin = model.jointSkin ?? (model.added > 0 ? firstJoints(mesh) : model.skin);
    const own = rigOf(mesh.name, [geometry], skeleton.joints, skeleton.inverses, skin);
    const shaped = registration?.pairs.some(({ character }) => character.shape) ?? false;
    if (shaped && !model.poser) {
      throw new UsageError(
        `PuppetDriver: the pairs of '${mesh.name}' are shapes; its file needs a PELT_poser beside them`,
      );
    }
    if (shaped && space) {
      throw new UsageError('PuppetDriver: shapes are where their poser has them; leave out space');
    }
    const whole = shaped && model.part ? { ...own, mesh: model.part.surface, weights: model.part.weights } : own;
    const rig = space?.rigOf(own) ?? whole;
    this.#joints = performer.length;
    if (shaped && model.poser) requireWholePoser(mesh.name, model.poser, rig);
    const poser = shaped && model.poser ? { ...model.poser, rig } : undefined;
    this.#details = poser && poser.exampleDetails.length > 0 ? posedParts(mesh).map((part) => part.mesh) : [];
    const open = { rig, poser, registration, performer, neutral, camera, capsules, options: puppet };
    const make = () =>
      shaped
        ? new Worker(new URL('../workers/shape-puppet-worker.js', import.meta.url), { type: 'module' })
        : new Worker(new URL('../workers/puppet-worker.js', import.meta.url), { type: 'module' });
    this.#link = new WorkerLink(
      worker?.() ?? make(),
      open,
      (answer) => {
        this.#answer = answer;
        (layer ?? mesh).setTransforms(space?.toMesh(answer.transforms) ?? answer.transforms);
        this.#showDetails(answer.blend);
        this.dispatchEvent({ type: 'change' });
      },
      (error) => this.dispatchEvent({ type: 'error', error }),
    );
  }

  get ready(): Promise<void> {
    return this.#link.ready;
  }

  /** Names of the P parts of the body that are projected independently; none without pairs, or before an answer. */
  get parts(): readonly string[] {
    return this.#answer?.parts ?? [];
  }

  /** P × N weights of the pairs in the pose that is shown, one row per part. */
  get weights(): Float64Array {
    return this.#answer?.weights ?? new Float64Array(0);
  }

  /** Whether the performer is away, and the character at rest or on its way there; see the option `restAfter`. */
  get isResting(): boolean {
    return this.#answer?.resting ?? true;
  }

  /** Whether a performer before a camera has stood for a second; true without a camera. */
  get isCalibrated(): boolean {
    return this.#answer?.calibrated ?? false;
  }

  /**
   * @param joints      J × 3
   * @param time        seconds, rising
   * @param confidence  J, 0 to 1
   */
  update(joints: Float32Array, time: number, confidence?: Float32Array): void {
    if (joints.length !== 3 * this.#joints) {
      throw new UsageError(`PuppetDriver: ${joints.length} joint numbers, expected 3 × ${this.#joints}`);
    }
    const handles = this.#handles;
    this.#link.ask({ joints, time, ...(confidence && { confidence }), ...(handles && { handles }) });
  }

  /**
   * Holds vertices of a character without a skeleton at places while the performer moves the rest.
   *
   * @param handles  in the space of the rest pose, before the whole travels; none lets go
   */
  setHandles(handles: readonly Handle[]): void {
    this.#handles = handles;
  }

  #showDetails(blend: Float64Array | undefined): void {
    for (const { morphTargetInfluences: influences = [] } of this.#details) {
      for (let e = 0; e < influences.length; e++) influences[e] = blend?.[e] ?? 0;
    }
  }

  dispose(): void {
    this.#link.close();
  }
}

/** Each vertex with the joints behind the heaviest of its added bones. */
function firstJoints({ model, geometry }: PeltMesh) {
  const { masters, skin } = model;
  if (!masters) return skinOf(geometry);
  const n = skin.bones.length / skin.slots;
  const bones = new Uint16Array(n * masters.slots);
  const weights = new Float32Array(n * masters.slots);
  for (let i = 0; i < n; i++) {
    const row = skin.bones[i * skin.slots] * masters.slots;
    bones.set(masters.bones.subarray(row, row + masters.slots), i * masters.slots);
    weights.set(masters.weights.subarray(row, row + masters.slots), i * masters.slots);
  }
  return { slots: masters.slots, bones, weights };
}
