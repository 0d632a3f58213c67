/**
 * Weighted pose space deformation of stretches. Every example has a stretch per tetrahedron, in the rest frame; for a new
 * pose their logarithms are blended, so that the result is positive definite, with weights that depend on the bones near
 * the tetrahedron.
 *
 * For each bone the examples are points in a pose space, whose distance is the angle between the rotations of the bone's
 * joint and its children's. The weights of a pose are those of radial basis functions with the kernel r: they sum to 1,
 * and are 0 and 1 at the examples. A tetrahedron blends the weights of its bones.
 *
 * References: Lewis, Cordner, Fong. Pose space deformation. 2000. Kurihara, Miyata. Modeling deformable human hands from
 * medical images. 2004 (distances weighted by bone). Arsigny, Fillard, Pennec, Ayache. Log-Euclidean metrics for fast and
 * simple calculus on diffusion tensors. 2006.
 */
import { acos, pseudoInverse } from '@pelt/math';
import { InputError, type SkinWeights, TRANSFORM_SIZE, UsageError } from '@pelt/model';
import { StretchLogs } from './stretch-log.ts';
import type { VolumeBinding } from './volume-deformer.ts';

/** Shapes of a body in example poses, as `learnShapes` returns them. */
export interface ShapeExamples {
  /** T example poses, m × 12 each; one of them may be the rest pose */
  readonly poses: Float64Array;
  /** m: parent of each bone, −1 for a root */
  readonly parents: Int32Array;
  /** T × e × 6 logarithms of the tetrahedra's stretches: xx, xy, xz, yy, yz, zz */
  readonly logs: Float32Array;
  /** T × fixed × 3 displacements of the fixed vertices, in the rest frames of their bones */
  readonly offsets: Float32Array;
}

/** The shape of a body in one pose, as `VolumeDeformer.setShapes` takes it. */
export interface BlendedShapes {
  /** e × 6 stretches of the tetrahedra */
  readonly stretches: Float64Array;
  /** fixed × 3 displacements of the fixed vertices */
  readonly offsets: Float64Array;
}

/** Weight of the other joints in the distance of a bone, so that examples that differ only there stay distinct. */
const ELSEWHERE = 0.1;
/** Examples nearer to each other than this fraction of the largest distance count as one. */
const SAME = 1e-6;

/**
 * Prepares the interpolation of example shapes.
 *
 * @param data  shapes that `learnShapes` found for the binding
 *
 * @example
 * {@includeCode ../../../examples/create-shape-blender.ts}
 */
export function createShapeBlender(data: {
  readonly shapes: ShapeExamples;
  readonly binding: VolumeBinding;
}): ShapeBlender {
  return new ShapeBlender(data.shapes, data.binding);
}

/** Interpolates example shapes pose by pose; a call allocates nothing. */
export class ShapeBlender {
  readonly #examples: ShapeExamples;
  readonly #logs = new StretchLogs();
  readonly #T: number;
  readonly #m: number;
  /** T poses, m × 12 each */
  readonly #poses: readonly Float64Array[];
  /** m × T */
  readonly #weights: Float64Array;
  readonly #kernel: Float64Array;
  readonly #mixedLogs: Float64Array;
  readonly #blended: BlendedShapes;
  /** m matrices (T + 1)²: the inverse of each bone's interpolation matrix */
  readonly #inverses: Float64Array[];
  /** Bones of each tetrahedron and of each fixed vertex, with their mean weights. */
  readonly #ofTetrahedra: Shares;
  readonly #ofFixed: Shares;

  constructor(examples: ShapeExamples, { body, skin, fixed }: VolumeBinding) {
    this.#examples = examples;
    this.#m = examples.parents.length;
    const size = TRANSFORM_SIZE * this.#m;
    this.#T = examples.poses.length / size;
    const e = body.tetrahedra.length / 4;
    if (this.#T < 1 || examples.logs.length !== 6 * e * this.#T) {
      throw new InputError(
        `createShapeBlender: ${examples.logs.length} numbers are not ${this.#T} examples of ${e} tetrahedra; ` +
          'give the binding that the shapes were learnt with',
      );
    }
    this.#poses = Array.from({ length: this.#T }, (_, t) => examples.poses.subarray(t * size, (t + 1) * size));
    this.#weights = new Float64Array(this.#m * this.#T);
    this.#kernel = new Float64Array(this.#T + 1);
    this.#mixedLogs = new Float64Array(6 * e);
    this.#blended = { stretches: new Float64Array(6 * e), offsets: new Float64Array(3 * fixed.length) };
    this.#ofTetrahedra = sharesOf(body.tetrahedra, 4, skin);
    this.#ofFixed = sharesOf(fixed, 1, skin);
    this.#inverses = Array.from({ length: this.#m }, (_, j) => this.#inverseFor(j));
  }

  /**
   * The shape for a pose: the same object every time.
   *
   * @param transforms  m × 12, rest → pose
   */
  blend(transforms: Float64Array): BlendedShapes {
    if (transforms.length !== TRANSFORM_SIZE * this.#m) {
      throw new UsageError(
        `blend: ${transforms.length} numbers are not ${this.#m} transforms; give 12 for each bone of the skeleton`,
      );
    }
    const T = this.#T;
    for (let j = 0; j < this.#m; j++) this.#setWeights(j, transforms);
    const { logs, offsets } = this.#examples;
    const { stretches } = this.#blended;
    const mixed = mix(logs, 6, T, this.#ofTetrahedra, this.#weights, this.#mixedLogs);
    for (let k = 0; k < mixed.length; k += 6) this.#logs.exp(mixed, k, stretches, k);
    mix(offsets, 3, T, this.#ofFixed, this.#weights, this.#blended.offsets);
    return this.#blended;
  }

  /** The inverse of [Φ 1; 1ᵀ 0], where Φ has the distances between the examples for bone j. */
  #inverseFor(j: number): Float64Array {
    const T = this.#T;
    const size = T + 1;
    const matrix = new Float64Array(size * size);
    for (let s = 0; s < T; s++) {
      for (let t = 0; t < T; t++) matrix[s * size + t] = this.#distance(j, this.#poses[s], this.#poses[t]);
      matrix[s * size + T] = 1;
      matrix[T * size + s] = 1;
    }
    return pseudoInverse(matrix, size, size, { relativeTolerance: SAME }).inverse;
  }

  #setWeights(j: number, transforms: Float64Array): void {
    const T = this.#T;
    const kernel = this.#kernel;
    for (let t = 0; t < T; t++) kernel[t] = this.#distance(j, transforms, this.#poses[t]);
    kernel[T] = 1;
    const inverse = this.#inverses[j];
    for (let t = 0; t < T; t++) {
      let sum = 0;
      for (let k = 0; k <= T; k++) sum += inverse[t * (T + 1) + k] * kernel[k];
      this.#weights[j * T + t] = sum;
    }
  }

  /** Distance of two poses for bone j, in radians. */
  #distance(j: number, a: Float64Array, b: Float64Array): number {
    const { parents } = this.#examples;
    let near = 0;
    let all = 0;
    for (let k = 0; k < this.#m; k++) {
      const p = parents[k];
      if (p < 0) continue;
      const angle = angleBetween(a, b, k, p);
      all += angle * angle;
      if (k === j || p === j) near += angle * angle;
    }
    return Math.sqrt(near + ELSEWHERE * ELSEWHERE * all);
  }
}

/** The angle between the rotations of joint k, relative to its parent p, in two poses. */
function angleBetween(a: Float64Array, b: Float64Array, k: number, p: number): number {
  // tr((Aₚᵀ Aₖ)ᵀ (Bₚᵀ Bₖ)) = 1 + 2 cos
  let trace = 0;
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      let x = 0;
      let y = 0;
      for (let i = 0; i < 3; i++) {
        const parent = TRANSFORM_SIZE * p + 4 * i + r;
        const child = TRANSFORM_SIZE * k + 4 * i + c;
        x += a[parent] * a[child];
        y += b[parent] * b[child];
      }
      trace += x * y;
    }
  }
  return acos(Math.max(-1, Math.min(1, 0.5 * (trace - 1))));
}

interface Shares {
  /** items + 1 */
  readonly starts: Int32Array;
  readonly bones: Uint16Array;
  readonly shares: Float64Array;
}

/** The bones of each item of `size` vertices, with their mean weights. */
function sharesOf(vertices: Uint32Array, size: number, skin: SkinWeights): Shares {
  const items = vertices.length / size;
  const starts = new Int32Array(items + 1);
  const bones: number[] = [];
  const shares: number[] = [];
  const sums = new Map<number, number>();
  for (let item = 0; item < items; item++) {
    sums.clear();
    for (let k = item * size; k < (item + 1) * size; k++) {
      for (let s = vertices[k] * skin.slots; s < (vertices[k] + 1) * skin.slots; s++) {
        if (skin.weights[s] > 0) sums.set(skin.bones[s], (sums.get(skin.bones[s]) ?? 0) + skin.weights[s] / size);
      }
    }
    for (const [bone, share] of sums) {
      bones.push(bone);
      shares.push(share);
    }
    starts[item + 1] = bones.length;
  }
  return { starts, bones: Uint16Array.from(bones), shares: Float64Array.from(shares) };
}

/**
 * Σ_t weight_t value_t for each item, where the weights of its bones are blended by their shares.
 *
 * @param values   T × items × size
 * @param weights  m × T
 * @param out      items × size; overwritten
 */
function mix(
  values: Float32Array,
  size: number,
  T: number,
  items: Shares,
  weights: Float64Array,
  out: Float64Array,
): Float64Array {
  const count = items.starts.length - 1;
  out.fill(0);
  for (let item = 0; item < count; item++) {
    for (let t = 0; t < T; t++) {
      let weight = 0;
      for (let k = items.starts[item]; k < items.starts[item + 1]; k++) {
        weight += items.shares[k] * weights[items.bones[k] * T + t];
      }
      const at = size * (t * count + item);
      for (let c = 0; c < size; c++) out[size * item + c] += weight * values[at + c];
    }
  }
  return out;
}
