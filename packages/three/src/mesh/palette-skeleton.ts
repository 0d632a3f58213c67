/**
 * A skeleton whose palette is longer than its joints: what a model adds is computed from the joints in `update()`, and
 * three's own skinning plays it like any bone.
 *
 * `bones` is what three.js sees: one stand-in, repeated, for the added transforms, then the joints. With a shader of our
 * own (`compact`) it is the joints alone, so that nothing is uploaded twice.
 */
import { TRANSFORM_SIZE } from '@pelt/model';
import { SliderBones } from '@pelt/skin/sliders/runtime';
import { AttachedBindMode, Bone, Matrix4, Skeleton, type SkinnedMesh } from 'three';
import { bonesOf, matrixOf, rowsOf } from '../model/geometry-rig.ts';
import { type PeltModel, requireJoints } from '../model/pelt-model.ts';
import { type PaletteFiller, paletteFiller } from './palette-filler.ts';
import { SkeletonSwing } from './skeleton-swing.ts';

/**
 * A skeleton whose palette has transforms of a model before its joints.
 * @example
 * {@includeCode ../../examples/meshes.ts}
 */
export class PaletteSkeleton extends Skeleton {
  readonly isPaletteSkeleton = true;
  readonly model: PeltModel;
  /** m × 12, rest → pose in the mesh's own space */
  readonly transforms: Float64Array;
  /** Rises when the palette changes. */
  version = 0;
  readonly #inverses: readonly Matrix4[];
  readonly #product = new Matrix4();
  readonly #outer = new Matrix4();
  readonly #lastOuter = new Matrix4();
  readonly #bindInverse = new Matrix4();
  readonly #next: Float64Array;
  readonly #palette: Float64Array;
  #filled = -1;
  #joints: Bone[];
  #filler: PaletteFiller | undefined;
  #swing: SkeletonSwing | undefined;
  #owner: SkinnedMesh | undefined;
  #given: Float64Array | undefined;
  #compact = false;
  #stale = true;
  readonly #sliders: SliderBones | undefined;
  readonly #local = new Matrix4();
  /** What it is a clone of. */
  #origin: PaletteSkeleton | undefined;
  static readonly #clones = new WeakMap<Bone, PaletteSkeleton>();

  /** @param joints  the m joints; `inverses` their inverse bind matrices */
  constructor(joints: readonly Bone[], inverses: readonly Matrix4[], model: PeltModel) {
    const stand = standIn();
    super(
      [...Array<Bone>(model.added).fill(stand), ...joints],
      [...Array<Matrix4>(model.added).fill(new Matrix4()), ...inverses],
    );
    requireJoints('PaletteSkeleton', inverses.length, joints.length);
    this.model = model;
    this.#sliders = model.sliders && new SliderBones(model.sliders, joints.length);
    this.#inverses = inverses;
    this.#joints = [...joints];
    this.transforms = new Float64Array(TRANSFORM_SIZE * joints.length);
    this.#next = new Float64Array(TRANSFORM_SIZE * joints.length);
    this.#palette = new Float64Array(TRANSFORM_SIZE * (model.added + joints.length));
    const all = this.bones;
    // SkeletonUtils.clone maps the stand-in to nothing and assigns: only the joints are taken from what it gives.
    Object.defineProperty(this, 'bones', {
      get: () => (this.#compact ? this.#joints : all),
      set: (bones: Bone[]) => {
        this.#joints = bones.slice(-this.#joints.length);
        all.splice(model.added, this.#joints.length, ...this.#joints);
        this.#filler = undefined;
        this.#swing = undefined;
        this.#stale = true;
      },
    });
  }

  get joints(): readonly Bone[] {
    return this.#joints;
  }

  /** Inverse bind matrices of the joints. */
  get inverses(): readonly Matrix4[] {
    return this.#inverses;
  }

  /** The mesh in whose space the palette is; `bind` sets it. */
  get owner(): SkinnedMesh | undefined {
    return this.#owner;
  }

  set owner(mesh: SkinnedMesh | undefined) {
    this.#owner = mesh;
  }

  /** Whether three.js sees the joints alone, because a shader of our own reads the palette. */
  get compact(): boolean {
    return this.#compact;
  }

  set compact(value: boolean) {
    if (value === this.#compact) return;
    this.dispose();
    this.#compact = value;
    this.boneMatrices = new Float32Array(16 * this.bones.length);
    this.#stale = true;
  }

  /** (added + m) × 12 in the mesh's own space, of the pose last updated; filled when it is asked for. */
  get palette(): Float64Array {
    if (this.#filled !== this.version) {
      this.#filled = this.version;
      this.#fillerOf().fill(this.transforms, this.#palette);
      this.#swing?.apply(this.#palette);
    }
    return this.#palette;
  }

  /** Transforms of which every vertex is a convex blend: the joints of a two-layer skin, else the palette. */
  get hull(): Float64Array {
    return this.model.masters ? this.transforms : this.palette;
  }

  /** Of a learnt skin, in the pose last updated: what its displacements need. */
  get driver(): PaletteFiller['driver'] {
    return this.palette.length > 0 ? this.#fillerOf().driver : undefined;
  }

  /**
   * Poses by transforms in place of the joints' own matrices, until it is called with undefined.
   *
   * @param transforms  m × 12, rest → pose in model space; kept, not copied: call `update` after changing it
   */
  setTransforms(transforms: Float64Array | undefined): void {
    if (transforms) requireJoints('setTransforms', transforms.length / TRANSFORM_SIZE, this.#joints.length);
    this.#given = transforms;
  }

  /** The secondary motion of this figure; undefined where its model has none. */
  get swing(): SkeletonSwing | undefined {
    const { dynamics } = this.model;
    if (dynamics) this.#swing ??= new SkeletonSwing(dynamics, bonesOf(this.#joints, this.#inverses));
    return this.#swing;
  }

  /**
   * Advances secondary motion to the pose that the joints are in now: call it once per frame, after what poses them. The
   * joints' world matrices must be up to date. Without dynamics it does nothing.
   *
   * @param seconds  since the last call
   * @param world    of the figure, if not that of its mesh
   */
  advance(seconds: number, world = this.#owner?.matrixWorld): void {
    const { swing } = this;
    if (!swing) return;
    this.#readJoints();
    swing.step(this.#next, seconds, world);
    this.#stale = true;
  }

  /** Whether transforms were given, and the joints' matrices are not looked at. */
  get isDriven(): boolean {
    return this.#given !== undefined;
  }

  /**
   * The pose that the joints' own matrices say, whether or not transforms were given.
   *
   * @param out  m × 12, rest → pose in model space; overwritten
   */
  readPose(out: Float64Array): Float64Array {
    const product = this.#product;
    const mesh = this.#owner;
    const local = this.#sliders?.update(mesh?.morphTargetInfluences);
    for (let j = 0; j < this.#joints.length; j++) {
      product.multiplyMatrices(this.#joints[j].matrixWorld, this.#inverses[j]);
      if (local) {
        // A slider acts in the joint's own frame, so that a head that turns takes its face along.
        product.multiplyMatrices(matrixOf(local, TRANSFORM_SIZE * j, this.#local), this.#inverses[j]);
        product.premultiply(this.#joints[j].matrixWorld);
      }
      if (mesh) product.premultiply(mesh.bindMatrixInverse).multiply(mesh.bindMatrix);
      rowsOf(product, out, TRANSFORM_SIZE * j);
    }
    return out;
  }

  override update(): void {
    const posed = this.#readJoints();
    const moved = !this.#outer.equals(this.#lastOuter);
    if (!posed && !moved && !this.#stale) return;
    if (posed || this.#stale) {
      this.transforms.set(this.#next);
      this.version++;
    }
    this.#stale = false;
    this.#lastOuter.copy(this.#outer);
    if (!this.#compact) this.#writeBoneMatrices();
    if (this.boneTexture !== null) this.boneTexture.needsUpdate = true;
  }

  override clone(): this {
    const copy = new PaletteSkeleton(this.#joints, this.#inverses, this.model);
    copy.compact = this.#compact;
    copy.#origin = this;
    return copy as this;
  }

  /**
   * The first clone of the same skeleton over the same joints, or itself: SkeletonUtils.clone makes one for every
   * primitive of a mesh, but they shall be posed as one.
   */
  firstClone(): PaletteSkeleton {
    if (!this.#origin) return this;
    const first = PaletteSkeleton.#clones.get(this.#joints[0]);
    if (first && first.#origin === this.#origin) return first;
    PaletteSkeleton.#clones.set(this.#joints[0], this);
    return this;
  }

  #fillerOf(): PaletteFiller {
    this.#filler ??= paletteFiller(this.model, bonesOf(this.#joints, this.#inverses));
    return this.#filler;
  }

  /** Reads the pose into `#next`; whether it differs from the last. */
  #readJoints(): boolean {
    const next = this.#next;
    const mesh = this.#owner;
    if (mesh) this.#outer.copy(mesh.bindMode === AttachedBindMode ? mesh.matrixWorld : mesh.bindMatrix);
    if (this.#given) next.set(this.#given);
    else this.readPose(next);
    for (let k = 0; k < next.length; k++) if (next[k] !== this.transforms[k]) return true;
    return false;
  }

  /** What three's shader multiplies with the mesh's bind matrices on both sides. */
  #writeBoneMatrices(): void {
    const [matrices, palette, product] = [this.boneMatrices as Float32Array, this.palette, this.#product];
    const e = product.elements;
    const mesh = this.#owner;
    if (mesh) this.#bindInverse.copy(mesh.bindMatrix).invert();
    e[3] = e[7] = e[11] = 0;
    for (let b = 0, at = 0; at < palette.length; b++, at += TRANSFORM_SIZE) {
      for (let r = 0; r < 3; r++) for (let c = 0; c < 4; c++) e[4 * c + r] = palette[at + 4 * r + c];
      e[3] = e[7] = e[11] = 0;
      e[15] = 1;
      if (mesh) product.premultiply(this.#outer).multiply(this.#bindInverse);
      product.toArray(matrices, 16 * b);
    }
  }
}

function standIn(): Bone {
  const bone = new Bone();
  bone.name = 'added by pelt';
  bone.matrixAutoUpdate = false;
  return bone;
}
