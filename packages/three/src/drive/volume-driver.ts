/**
 * A mesh deformed as a solid body by its own skeleton, live: the joints' pose goes to a worker, positions and normals
 * come back and take the place of the geometry's, with the skin's palette at rest.
 */
import { IDENTITY_TRANSFORM, resolveOptions, UsageError } from '@pelt/model';
import type { VolumeBinding, VolumeDeformerOptions } from '@pelt/skin/volume/runtime';
import { BufferAttribute, type BufferGeometry, DynamicDrawUsage, EventDispatcher } from 'three';
import { type PeltMesh, requirePaletteSkeleton } from '../mesh/pelt-mesh.ts';
import { rigOf } from '../model/geometry-rig.ts';
import type { AnswerVolume, AskVolume, OpenVolume } from '../workers/protocol.ts';
import type { RestSpace } from './rest-space.ts';
import { WorkerLink } from './worker-link.ts';

export interface VolumeDriverOptions {
  readonly volume: Partial<VolumeDeformerOptions>;
  /**
   * Where the poses that it is given are, such as those of @pelt/io, if not in the mesh's own space: a file may keep its
   * mesh turned, and in other units than its scene.
   */
  readonly space: RestSpace | undefined;
  /** Makes the worker; absent: the package's own, found beside this module. */
  readonly worker: (() => Worker) | undefined;
}

export const VOLUME_DRIVER_DEFAULTS: VolumeDriverOptions = {
  volume: {},
  space: undefined,
  worker: undefined,
};

/**
 * Deforms a mesh as a solid body by its own joints, in a worker.
 * @example
 * {@includeCode ../../examples/volume.page.ts}
 */
export class VolumeDriver extends EventDispatcher<{ change: object; error: { readonly error: Error } }> {
  readonly #mesh: PeltMesh;
  readonly #original: BufferGeometry;
  readonly #link: WorkerLink<OpenVolume, AskVolume, AnswerVolume>;
  readonly #pose: Float64Array;
  readonly #space: RestSpace | undefined;

  /** @param binding  the body and how the skeleton holds it, made for this mesh's vertices and joints */
  constructor(mesh: PeltMesh, binding: VolumeBinding, options?: Partial<VolumeDriverOptions>) {
    super();
    const { volume, space, worker } = resolveOptions('VolumeDriver', VOLUME_DRIVER_DEFAULTS, options);
    const skeleton = requirePaletteSkeleton(mesh);
    if (mesh.model.envelope)
      throw new UsageError(`VolumeDriver: '${mesh.name}' has a learnt skin; load it without one`);
    if (mesh.shader)
      throw new UsageError(`VolumeDriver: '${mesh.name}' has a shader of ours; drive it, then enhance it`);
    this.#mesh = mesh;
    this.#original = mesh.geometry;
    this.#pose = new Float64Array(skeleton.transforms.length);
    const own = rigOf(mesh.name, [mesh.geometry], skeleton.joints, skeleton.inverses, mesh.model.skin);
    this.#space = space;
    const { mesh: surface, bones } = space?.rigOf(own) ?? own;
    const make = () => new Worker(new URL('../workers/volume-worker.js', import.meta.url), { type: 'module' });
    this.#link = new WorkerLink(
      worker?.() ?? make(),
      { surface, bones, binding, options: volume },
      (answer) => this.#show(answer),
      (error) => this.dispatchEvent({ type: 'error', error }),
    );
    mesh.geometry = dynamicCopy(mesh.geometry, own.mesh.positions);
    const still = Float64Array.from(skeleton.transforms, (_, k) => IDENTITY_TRANSFORM[k % 12]);
    mesh.setTransforms(still);
  }

  get ready(): Promise<void> {
    return this.#link.ready;
  }

  /** Asks for the shape in the pose that the joints are in; `change` says when it is there. */
  update(): void {
    this.#mesh.skeleton.readPose(this.#pose);
    this.#space?.toScene(this.#pose);
    this.#link.ask({ transforms: this.#pose });
  }

  /** Ends the worker and gives the mesh its geometry and its skinning back. */
  dispose(): void {
    this.#link.close();
    this.#mesh.geometry.dispose();
    this.#mesh.geometry = this.#original;
    this.#mesh.shapeChanged();
    this.#mesh.setTransforms(undefined);
  }

  #show({ positions, normals }: AnswerVolume): void {
    this.#space?.surfaceToMesh(positions, normals);
    const { geometry } = this.#mesh;
    for (const [name, values] of [
      ['position', positions],
      ['normal', normals],
    ] as const) {
      const attribute = geometry.getAttribute(name) as BufferAttribute | undefined;
      if (!attribute) continue;
      attribute.array.set(values);
      attribute.needsUpdate = true;
    }
    this.#mesh.shapeChanged();
    this.dispatchEvent({ type: 'change' });
  }
}

/** A geometry with positions and normals of its own, in plain float32. */
function dynamicCopy(geometry: BufferGeometry, positions: Float32Array): BufferGeometry {
  const copy = geometry.clone();
  copy.setAttribute('position', new BufferAttribute(positions.slice(), 3).setUsage(DynamicDrawUsage));
  const normal = geometry.getAttribute('normal');
  if (!normal) return copy;
  const values = new Float32Array(positions.length);
  for (let k = 0; k < values.length; k++) values[k] = normal.getComponent(Math.floor(k / 3), k % 3);
  copy.setAttribute('normal', new BufferAttribute(values, 3).setUsage(DynamicDrawUsage));
  return copy;
}
