/** A crowd of a character of several meshes: one draw call for each of them, and one call to place or pose an instance. */
import { UsageError } from '@pelt/model';
import { Group, type Matrix4, Mesh, type Object3D } from 'three';
import type { Renderer } from 'three/webgpu';
import { type PeltMesh, peltMeshesOf } from '../mesh/pelt-mesh.ts';
import { type CrowdOptions, PeltCrowd } from './pelt-crowd.ts';

/**
 * Many instances of all skinned meshes below an object. Parts without a skin are not in it, and are named once.
 * @example
 * {@includeCode ../../examples/crowd.page.ts}
 */
export class PeltCrowdGroup extends Group {
  readonly crowds: readonly PeltCrowd[];
  /** The meshes of the crowds, in their order. */
  readonly sources: readonly PeltMesh[];

  /** @param root  such as `gltf.scene`: a matrix of an instance takes the place of its own */
  constructor(root: Object3D, renderer: Renderer, count: number, options?: Partial<Omit<CrowdOptions, 'root'>>) {
    super();
    root.updateMatrixWorld(true);
    this.sources = peltMeshesOf(root);
    if (this.sources.length === 0) {
      throw new UsageError(
        `PeltCrowdGroup: '${root.name}' has no PeltMesh; load it with PeltLoaderPlugin and all: true`,
      );
    }
    const others: string[] = [];
    root.traverse((object) => {
      if (object instanceof Mesh && !this.sources.includes(object as PeltMesh)) others.push(object.name);
    });
    if (others.length > 0) console.warn(`pelt: a crowd is shown without parts that have no skin: ${others.join(', ')}`);
    this.crowds = this.sources.map((mesh) => new PeltCrowd(mesh, renderer, count, { ...options, root }));
    this.add(...this.crowds);
  }

  /** Bytes uploaded in a frame in which all instances move but stay where they are. */
  get uploadBytes(): number {
    return this.crowds.reduce((sum, crowd) => sum + crowd.uploadBytes, 0);
  }

  /** @param matrix  where the root of the instance stands */
  setMatrixAt(index: number, matrix: Matrix4): void {
    for (const crowd of this.crowds) crowd.setMatrixAt(index, matrix);
  }

  /** The pose that the meshes of the crowd are in. */
  setPoseFrom(index: number): void {
    this.crowds.forEach((crowd, k) => {
      crowd.setPoseFrom(index, this.sources[k]);
    });
  }

  /**
   * The pose that the meshes of the crowd are in, with a swing of the instance's own.
   *
   * @param seconds  since the last call for this instance
   */
  advanceFrom(index: number, seconds: number): void {
    this.crowds.forEach((crowd, k) => {
      crowd.advanceFrom(index, this.sources[k], seconds);
    });
  }

  /** Forgets the motion of an instance: its next pose counts as one that has been held. Call it after a seek. */
  resetSwingAt(index: number): void {
    for (const crowd of this.crowds) crowd.resetSwingAt(index);
  }

  /** @param seconds  into the baked clip, which repeats */
  setTimeAt(index: number, seconds: number): void {
    for (const crowd of this.crowds) crowd.setTimeAt(index, seconds);
  }

  /** Uploads changed poses: call it once per frame, before rendering. */
  update(renderer: Renderer): void {
    for (const crowd of this.crowds) crowd.update(renderer);
  }

  override dispose(): void {
    for (const crowd of this.crowds) crowd.dispose();
  }
}
