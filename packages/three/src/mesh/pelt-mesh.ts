/**
 * A skinned mesh that plays one of pelt's models and is otherwise what three.js knows: it takes part in animation,
 * shadows, raycasting, cloning and culling.
 *
 * Bounding box and sphere follow the pose by themselves: they are computed from the palette, not from the vertices, when
 * they are asked for after the scene's matrices have changed.
 */

import { UsageError } from '@pelt/model';
import type { SwingOptions } from '@pelt/skin/dynamics/runtime';
import {
  type Bone,
  Box3,
  type BufferGeometry,
  type Intersection,
  type Material,
  type Matrix4,
  type Raycaster,
  type Skeleton,
  SkinnedMesh,
  Sphere,
  type Vector3,
  type Vector4,
} from 'three';
import { skinOf } from '../model/geometry-skin.ts';
import { beyondStockSkinning, linearModel, type PeltModel } from '../model/pelt-model.ts';
import { PaletteSkeleton } from './palette-skeleton.ts';
import { expandByPart, stretchesOf } from './posed-bounds.ts';
import { SkinRay } from './skin-ray.ts';
import { SkinShape } from './skin-shape.ts';
import { type Skinning, VertexDeformer } from './vertex-deformer.ts';

/** Steps per second of `warmUp`. */
const WARM_UP_RATE = 60;

/** What the shader of a renderer adds to a mesh; `@pelt/three/webgpu` and `/webgl` provide them. */
export interface MeshShader {
  /** Frees what it holds for this mesh. */
  dispose(): void;
  /** For a copy of the mesh. */
  cloneFor(mesh: PeltMesh): MeshShader;
}

/**
 * A skinned mesh that plays one of pelt's models.
 * @example
 * {@includeCode ../../examples/meshes.ts}
 */
export class PeltMesh extends SkinnedMesh {
  readonly isPeltMesh = true;
  /** Linear blending, or dual quaternions where a shader of ours plays the mesh. */
  skinning: Skinning = 'linear';
  /** Set by `enhance` and `useEightWeights`. */
  shader: MeshShader | undefined;
  declare skeleton: PaletteSkeleton;
  #model: PeltModel | undefined;
  #shape: SkinShape | undefined;
  #deformer: VertexDeformer | undefined;
  #deformerOf: PaletteSkeleton | undefined;
  readonly #box = new Box3();
  readonly #sphere = new Sphere();
  #stretches = new Float64Array(0);
  #reach: Float64Array | undefined;
  #boundsAreOld = true;
  readonly #margin = { rest: 0, posed: 0 };
  static readonly #ray = new SkinRay();
  static readonly #told = new Set<string>();

  /** @param model  what it plays; absent: the geometry's own weights, all sets of them */
  constructor(geometry?: BufferGeometry, material?: Material | Material[], model?: PeltModel) {
    super(geometry, material);
    this.#model = model;
    // three.js computes these once and keeps them, which is wrong for anything that moves.
    Object.defineProperty(this, 'boundingBox', { get: () => this.#bounds().box, set: () => {} });
    Object.defineProperty(this, 'boundingSphere', { get: () => this.#bounds().sphere, set: () => {} });
  }

  get model(): PeltModel {
    this.#model ??= linearModel(skinOf(this.geometry));
    return this.#model;
  }

  set model(model: PeltModel) {
    this.#model = model;
    this.#shape = undefined;
    this.#deformer = undefined;
    this.#reach = undefined;
  }

  /** The mesh at rest, prepared for bounds and rays. */
  get shape(): SkinShape {
    this.#shape ??= new SkinShape(this.geometry, this.model, this.skeleton.joints.length);
    return this.#shape;
  }

  get deformer(): VertexDeformer {
    if (!this.#deformer || this.#deformerOf !== this.skeleton) {
      this.#deformerOf = this.skeleton;
      this.#deformer = new VertexDeformer(this.skeleton, this.model);
    }
    return this.#deformer;
  }

  /** A plain skeleton becomes one with a palette. */
  override bind(skeleton: Skeleton, bindMatrix?: Matrix4): void {
    const own =
      skeleton instanceof PaletteSkeleton
        ? skeleton.firstClone()
        : new PaletteSkeleton(skeleton.bones, skeleton.boneInverses, this.model);
    super.bind(own, bindMatrix);
    own.owner ??= this;
    this.#boundsAreOld = true;
  }

  override copy(source: PeltMesh, recursive?: boolean): this {
    super.copy(source, recursive);
    this.#model = source.#model;
    this.#shape = source.#shape;
    this.skinning = source.skinning;
    this.shader = source.shader?.cloneFor(this);
    return this;
  }

  /**
   * Poses by transforms in place of the joints' own matrices; undefined gives the joints back.
   *
   * @param transforms  m × 12, row-major, rest → pose in model space; kept, not copied
   */
  setTransforms(transforms: Float64Array | undefined): void {
    this.skeleton.setTransforms(transforms);
    this.#boundsAreOld = true;
  }

  /**
   * Lets the skin swing: advances its secondary motion to the pose that it is in now. Call it once per frame, after the
   * mixer or whatever poses it; a mesh without dynamics does not mind. Meshes of one skeleton swing together.
   *
   * @param seconds  since the last call
   */
  advance(seconds: number): void {
    this.updateWorldMatrix(true, false);
    for (const joint of this.skeleton.joints)
      if (joint.parent === null || !(joint.parent as Bone).isBone) joint.updateWorldMatrix(true, true);
    this.skeleton.advance(seconds);
    this.#boundsAreOld = true;
  }

  /** Stiffness, damping and gain of the swing, as multiples of what was learnt, from now on; absent ones are 1. */
  tuneSwing(options: Partial<SwingOptions>): void {
    this.skeleton.swing?.player.tune(options);
  }

  /** Forgets all motion: the next pose counts as one that has been held. Call it after a seek. */
  resetSwing(): void {
    this.skeleton.swing?.reset();
  }

  /**
   * Plays some time before what is shown, so that a clip does not start from rest.
   *
   * @param seconds  how long
   * @param pose     poses the joints as they are so many seconds before now, such as by the mixer's `setTime`
   */
  warmUp(seconds: number, pose: (before: number) => void): void {
    const steps = Math.max(1, Math.ceil(seconds * WARM_UP_RATE));
    this.resetSwing();
    for (let k = steps; k >= 0; k--) {
      pose((k * seconds) / steps);
      this.advance(k === steps ? 0 : seconds / steps);
    }
  }

  /** To be called when positions of the geometry have been changed in place. */
  shapeChanged(): void {
    this.#shape = undefined;
    this.#boundsAreOld = true;
  }

  override updateMatrixWorld(force?: boolean): void {
    super.updateMatrixWorld(force);
    this.#boundsAreOld = true;
  }

  override applyBoneTransform<T extends Vector3 | Vector4>(index: number, target: T): T {
    this.deformer.deform(index, target as Vector3, this.skinning);
    return target;
  }

  override computeBoundingBox(): void {
    this.#boundsAreOld = true;
  }

  override computeBoundingSphere(): void {
    this.#boundsAreOld = true;
  }

  override raycast(raycaster: Raycaster, intersects: Intersection[]): void {
    const sphere = this.boundingSphere?.clone().applyMatrix4(this.matrixWorld);
    if (sphere && raycaster.ray.intersectsSphere(sphere)) PeltMesh.#ray.cast(this, raycaster, intersects);
  }

  /** How far morph targets may move a vertex at rest, and displacements one in the pose; the same object every time. */
  margin(): { readonly rest: number; readonly posed: number } {
    const margin = this.#margin;
    margin.rest = margin.posed = 0;
    const influences = this.morphTargetInfluences;
    const { morphReach } = this.shape;
    for (let k = 0; k < morphReach.length; k++) margin.rest += Math.abs(influences?.[k] ?? 0) * morphReach[k];
    const posed = this.deformer.refresh();
    if (!posed) return margin;
    this.#reach ??= this.shape.displacementReach();
    const E = this.#reach.length;
    for (let e = 0; e < E; e++) {
      let most = 0;
      for (let at = e; at < posed.cardinal.length; at += E) most = Math.max(most, Math.abs(posed.cardinal[at]));
      margin.posed += most * this.#reach[e];
    }
    return margin;
  }

  /** Says once for each model and renderer what is not shown. */
  override onBeforeRender = (renderer: unknown): void => {
    if (this.shader) return;
    const beyond = beyondStockSkinning(this.model) ?? (this.skinning !== 'linear' ? 'dual quaternions' : undefined);
    if (!beyond) return;
    const classic = (renderer as { isWebGLRenderer?: boolean }).isWebGLRenderer === true;
    const { slots } = this.model.skin;
    const eight = classic && slots > 4 && slots <= 8 && this.skinning === 'linear';
    const cure = eight
      ? 'useEightWeights() of @pelt/three/webgl plays it'
      : classic
        ? 'WebGLRenderer cannot show them; use WebGPURenderer'
        : 'enhance() of @pelt/three/webgpu plays it';
    const message = `pelt: '${this.name}' is shown without its ${beyond}; ${cure}`;
    if (PeltMesh.#told.has(message)) return;
    PeltMesh.#told.add(message);
    console.warn(message);
  };

  /** Frees what this mesh holds on the GPU; geometry and materials stay, since others may have them. */
  override dispose(): void {
    this.shader?.dispose();
    this.shader = undefined;
    this.skeleton?.dispose();
  }

  #bounds(): { readonly box: Box3 | null; readonly sphere: Sphere | null } {
    // The constructors of three.js ask before there is a skeleton.
    if (!this.skeleton?.isPaletteSkeleton) return { box: null, sphere: null };
    const bounds = { box: this.#box, sphere: this.#sphere };
    if (!this.#boundsAreOld) return bounds;
    this.#boundsAreOld = false;
    this.skeleton.update();
    const { hull } = this.skeleton;
    if (this.#stretches.length !== hull.length / 12) this.#stretches = new Float64Array(hull.length / 12);
    stretchesOf(hull, this.#stretches);
    const screw = this.skinning === 'dual-quaternion';
    // Bones one by one say nothing of what lies between them, which is where screws lead.
    const parts = screw ? this.shape.clusters.parts : this.shape.boneParts;
    const margin = this.margin();
    this.#box.makeEmpty();
    for (let part = 0; part + 1 < parts.starts.length; part++) {
      expandByPart(parts, part, hull, this.#stretches, margin, screw, this.#box);
    }
    this.#box.getBoundingSphere(this.#sphere);
    return bounds;
  }
}

/**
 * All meshes of ours in an object and below it.
 * @example
 * {@includeCode ../../examples/loading.ts}
 */
export function peltMeshesOf(object: { traverse(callback: (child: object) => void): void }): PeltMesh[] {
  const found: PeltMesh[] = [];
  object.traverse((child) => {
    if ((child as PeltMesh).isPeltMesh) found.push(child as PeltMesh);
  });
  return found;
}

export function requirePaletteSkeleton(mesh: PeltMesh): PaletteSkeleton {
  if (mesh.skeleton?.isPaletteSkeleton) return mesh.skeleton;
  throw new UsageError(`'${mesh.name}' has no skeleton yet; bind() it first`);
}
