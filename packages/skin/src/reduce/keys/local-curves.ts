/**
 * A clip as animation curves of its joints: translation, rotation and scale relative to the parent, as files store them;
 * and back, interpolated between fewer keys.
 *
 * With M a bone's transform from rest to pose and G its frame at rest, the joint's world transform is W = M G, its local
 * transform W_parent⁻¹ W, and a player shows M = W G⁻¹.
 */
import {
  adjugate3,
  composeTransforms,
  linearPart,
  polarDecomposition,
  quaternionFromRotation,
  rotationFromQuaternion,
  slerp,
} from '@pelt/math';
import { type Clip, type Rig, TRANSFORM_SIZE } from '@pelt/model';

/** Numbers per joint and frame: translation (3), rotation x y z w (4), scale (3). */
export const JOINT_SIZE = 10;

/** How players interpolate rotations: spherically, or component-wise with normalisation. */
export type Interpolation = 'slerp' | 'component';

export class LocalCurves {
  readonly frames: number;
  readonly bones: number;
  readonly times: Float64Array;
  /** S × m × 10 */
  readonly values: Float64Array;
  readonly #parents: readonly number[];
  readonly #rests: readonly Float64Array[];
  readonly #inverseRests: readonly Float64Array[];

  constructor(rig: Rig, clip: Clip) {
    const m = rig.bones.length;
    this.bones = m;
    this.frames = clip.times.length;
    this.times = clip.times;
    this.#parents = rig.bones.map(({ parent }) => parent);
    this.#rests = rig.bones.map(({ rest }) => rest);
    this.#inverseRests = this.#rests.map(inverseOf);
    this.values = new Float64Array(this.frames * m * JOINT_SIZE);
    const worlds: Float64Array[] = [];
    for (let t = 0; t < this.frames; t++) {
      for (let j = 0; j < m; j++) {
        const at = (t * m + j) * TRANSFORM_SIZE;
        worlds[j] = product(clip.transforms.subarray(at, at + TRANSFORM_SIZE), this.#rests[j]);
        const parent = this.#parents[j];
        const local = parent < 0 ? worlds[j] : product(inverseOf(worlds[parent]), worlds[j]);
        this.#store(local, t, j);
      }
    }
  }

  /**
   * World transform of a bone at frame t, interpolated between the key frames `from` and `to`.
   *
   * @param parentWorld  world transform of the parent; absent for a bone without one
   */
  between(
    j: number,
    t: number,
    from: number,
    to: number,
    how: Interpolation,
    parentWorld?: Float64Array,
  ): Float64Array {
    const local = composed(this.#interpolated(j, t, from, to, how));
    return parentWorld ? product(parentWorld, local) : local;
  }

  /** W → M, the transform that moves the vertices. */
  fromWorld(j: number, world: Float64Array): Float64Array {
    return product(world, this.#inverseRests[j]);
  }

  /** World transforms of all joints in frame t of the original clip. */
  worlds(clip: Clip, t: number): Float64Array[] {
    return this.#rests.map((rest, j) => {
      const at = (t * this.bones + j) * TRANSFORM_SIZE;
      return product(clip.transforms.subarray(at, at + TRANSFORM_SIZE), rest);
    });
  }

  parentOf(j: number): number {
    return this.#parents[j];
  }

  /**
   * S × m × 12 transforms that a player shows with only these keys.
   *
   * @param keys  key frames of each bone, increasing, including the first and the last frame
   */
  play(keys: readonly Int32Array[], how: Interpolation): Float64Array {
    const m = this.bones;
    const out = new Float64Array(this.frames * m * TRANSFORM_SIZE);
    const next = new Int32Array(m);
    for (let t = 0; t < this.frames; t++) {
      const worlds: Float64Array[] = [];
      for (let j = 0; j < m; j++) {
        while (keys[j][next[j]] < t) next[j]++;
        const to = keys[j][next[j]];
        const from = to === t ? t : keys[j][next[j] - 1];
        const parent = this.#parents[j];
        worlds[j] = this.between(j, t, from, to, how, parent < 0 ? undefined : worlds[parent]);
        out.set(this.fromWorld(j, worlds[j]), (t * m + j) * TRANSFORM_SIZE);
      }
    }
    return out;
  }

  #at(t: number, j: number): Float64Array {
    const at = (t * this.bones + j) * JOINT_SIZE;
    return this.values.subarray(at, at + JOINT_SIZE);
  }

  #interpolated(j: number, t: number, from: number, to: number, how: Interpolation): Float64Array {
    const a = this.#at(from, j);
    if (from === to) return a;
    const b = this.#at(to, j);
    const share = (this.times[t] - this.times[from]) / (this.times[to] - this.times[from]);
    const out = a.map((value, k) => value + share * (b[k] - value));
    if (how === 'slerp') slerp(a, 3, b, 3, share, out, 3);
    else {
      const length = Math.hypot(out[3], out[4], out[5], out[6]) || 1;
      for (let k = 3; k < 7; k++) out[k] /= length;
    }
    return out;
  }

  #store(local: Float64Array, t: number, j: number): void {
    const out = this.#at(t, j);
    const [linear, rotation, stretch] = [new Float64Array(9), new Float64Array(9), new Float64Array(9)];
    linearPart(local, 0, linear, 0);
    polarDecomposition(linear, 0, rotation, 0, stretch, 0);
    out.set([local[3], local[7], local[11]]);
    quaternionFromRotation(rotation, 0, out, 3);
    out.set([stretch[0], stretch[4], stretch[8]], 7);
    if (t === 0) return;
    // q and −q are the same rotation; take the one nearer to the previous frame's.
    const last = this.#at(t - 1, j);
    const dot = out[3] * last[3] + out[4] * last[4] + out[5] * last[5] + out[6] * last[6];
    if (dot < 0) for (let k = 3; k < 7; k++) out[k] = -out[k];
  }
}

function composed(values: Float64Array): Float64Array {
  const r = new Float64Array(9);
  rotationFromQuaternion(values, 3, r, 0);
  const [sx, sy, sz] = values.subarray(7, 10);
  return Float64Array.of(
    ...[r[0] * sx, r[1] * sy, r[2] * sz, values[0]],
    ...[r[3] * sx, r[4] * sy, r[5] * sz, values[1]],
    ...[r[6] * sx, r[7] * sy, r[8] * sz, values[2]],
  );
}

/** Product of two 3 × 4 transforms. */
function product(a: Float64Array, b: Float64Array): Float64Array {
  const out = new Float64Array(TRANSFORM_SIZE);
  composeTransforms(a, 0, b, 0, out, 0);
  return out;
}

/** Inverse of an affine transform; for a singular one the transpose of its linear part is used. */
function inverseOf(a: Float64Array): Float64Array {
  const linear = new Float64Array(9);
  const determinant = adjugate3(a, 0, linear, 0, 4);
  const out = new Float64Array(TRANSFORM_SIZE);
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) out[4 * r + c] = determinant === 0 ? a[4 * c + r] : linear[3 * r + c] / determinant;
    for (let k = 0; k < 3; k++) out[4 * r + 3] -= out[4 * r + k] * a[4 * k + 3];
  }
  return out;
}
