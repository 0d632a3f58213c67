/**
 * A skin of pelt on Babylon's own skinning: a skeleton with one bone for each entry of the palette, which is filled on the
 * CPU from the joints before every frame. Shaders, shadows and picking see an ordinary skinned mesh.
 */
import { Bone } from '@babylonjs/core/Bones/bone.js';
import { Skeleton } from '@babylonjs/core/Bones/skeleton.js';
import { Matrix } from '@babylonjs/core/Maths/math.vector.js';
import type { AbstractMesh } from '@babylonjs/core/Meshes/abstractMesh.js';
import type { Scene } from '@babylonjs/core/scene.js';
import { TRANSFORM_SIZE } from '@pelt/model';
import type { LoadedRig } from './loaded-rig.ts';
import type { PeltSliders } from './pelt-sliders.ts';
import { readTransforms, writeTransform } from './transforms.ts';

/** What pelt plays on a mesh. */
export interface PeltSkin {
  readonly kind: 'two-layer' | 'envelope' | 'sliders';
  /** Of a face with sliders. */
  readonly sliders?: PeltSliders;
}

const SKINS = new WeakMap<AbstractMesh, PeltSkin>();

/**
 * The skin of pelt that a mesh plays; undefined where it is Babylon's own.
 *
 * @example
 * {@includeCode ../examples/loading.page.ts}
 */
export function peltSkinOf(mesh: AbstractMesh): PeltSkin | undefined {
  return SKINS.get(mesh);
}

export function rememberSkin(parts: readonly AbstractMesh[], skin: PeltSkin): void {
  for (const part of parts) SKINS.set(part, skin);
}

/** Reads the joints of a loaded skin, whatever moves them. */
export class JointPose {
  /** m × 12, rest → pose, of the last `read` */
  readonly transforms: Float64Array;
  readonly #rig: LoadedRig;

  constructor(rig: LoadedRig) {
    this.#rig = rig;
    this.transforms = new Float64Array(TRANSFORM_SIZE * rig.bones.length);
    // It is read here and drawn by nobody.
    rig.skeleton.useTextureToStoreBoneMatrices = false;
  }

  read(): Float64Array {
    const { skeleton, parts, bones } = this.#rig;
    skeleton.prepare(true);
    return readTransforms(skeleton.getTransformMatrices(parts[0]), bones.length, this.transforms);
  }
}

/** A skeleton whose matrices are given, with no hierarchy and no rest pose. */
export class PaletteSkeleton extends Skeleton {
  readonly #matrix: number[] = [];

  constructor(name: string, size: number, scene: Scene) {
    super(name, `${name}.palette`, scene);
    for (let b = 0; b < size; b++) new Bone(`${name}.${b}`, this, null, Matrix.Identity(), Matrix.Identity());
  }

  /** @param palette  12 numbers for each bone, rest → pose */
  setPalette(palette: Float64Array): void {
    this.bones.forEach((bone, b) => {
      bone.getLocalMatrix().copyFrom(Matrix.FromArray(writeTransform(palette, TRANSFORM_SIZE * b, this.#matrix)));
      bone.markAsDirty();
    });
  }
}

/** Does something before the meshes of each frame are looked at, as long as the first of them is there. */
export function beforeFrames(parts: readonly AbstractMesh[], update: () => void): void {
  const [first] = parts;
  const observers = first.getScene().onBeforeActiveMeshesEvaluationObservable;
  const observer = observers.add(update);
  first.onDisposeObservable.addOnce(() => observers.remove(observer));
  update();
}
