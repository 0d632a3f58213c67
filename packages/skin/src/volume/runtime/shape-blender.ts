/**
 * Shapes that examples teach, blended by pose. For every tetrahedron each example has a stretch (in the rest frame); for
 * a new pose their logarithms are blended, so that stretches stay stretches, with weights that depend on what the bones
 * about the tetrahedron do.
 *
 * For each bone the examples are points in a space of poses, whose distance is the angle by which the bone's joint and
 * its children's differ; a pose's weights are those of radial interpolation with the kernel r: they sum to 1 and are 0
 * and 1 at the examples. A tetrahedron mixes the weights of its bones.
 *
 * References: Lewis, Cordner, Fong. Pose space deformation. 2000. Kurihara, Miyata. Modeling deformable human hands from
 * medical images. 2004 (distances weighted by the bones about a place). Arsigny, Fillard, Pennec, Ayache. Log-Euclidean
 * metrics for fast and simple calculus on diffusion tensors. 2006.
 */
import { acos, pseudoInverse } from '@pelt/math';
import { InputError, type SkinWeights, type TetMesh, TRANSFORM_SIZE } from '@pelt/model';
import { StretchLogs } from './stretch-log.ts';

/** What examples say of a body. */
export interface ShapeExamples {
  /** T example poses, m × 12 each; one of them may be the rest pose */
  readonly poses: Float64Array;
  /** m: parent of each bone, −1 for a root */
  readonly parents: Int32Array;
  /** T × e × 6: logarithms of the tetrahedra's stretches */
  readonly logs: Float32Array;
  /** T × fixed × 3: where the fixed vertices are, in the rest frame of their bones, relative to the rest pose */
  readonly offsets: Float32Array;
}

/** Shapes for one pose, as `VolumeDeformer.setShapes` takes them. */
export interface BlendedShapes {
  /** e × 6 */
  readonly stretches: Float64Array;
  /** fixed × 3 */
  readonly offsets: Float64Array;
}

/** Share of the distance between whole poses in that of a bone: examples that differ only elsewhere stay apart. */
const ELSEWHERE = 0.1;
/** Examples nearer to each other than this share of the farthest two count as one. */
const SAME = 1e-6;

export class ShapeBlender {
  readonly #examples: ShapeExamples;
  readonly #logs = new StretchLogs();
  readonly #T: number;
  readonly #m: number;
  /** m matrices (T + 1)²: the inverse of each bone's interpolation matrix */
  readonly #inverses: Float64Array[];
  /** Bones of each tetrahedron and of each fixed vertex, with their shares. */
  readonly #ofTetrahedra: Shares;
  readonly #ofFixed: Shares;

  constructor(examples: ShapeExamples, body: TetMesh, skin: SkinWeights, fixed: Uint32Array) {
    this.#examples = examples;
    this.#m = examples.parents.length;
    this.#T = examples.poses.length / (TRANSFORM_SIZE * this.#m);
    const e = body.tetrahedra.length / 4;
    if (this.#T < 1 || examples.logs.length !== 6 * e * this.#T) {
      throw new InputError(`shapes: ${this.#T} examples of ${e} tetrahedra do not fit ${examples.logs.length} numbers`);
    }
    this.#ofTetrahedra = sharesOf(body.tetrahedra, 4, skin);
    this.#ofFixed = sharesOf(fixed, 1, skin);
    this.#inverses = Array.from({ length: this.#m }, (_, j) => this.#inverseFor(j));
  }

  blend(transforms: Float64Array): BlendedShapes {
    const T = this.#T;
    const weights = new Float64Array(this.#m * T);
    for (let j = 0; j < this.#m; j++) weights.set(this.#weightsFor(j, transforms), j * T);
    const { logs, offsets } = this.#examples;
    const mixedLogs = mix(logs, 6, T, this.#ofTetrahedra, weights);
    const stretches = new Float64Array(mixedLogs.length);
    for (let k = 0; k < mixedLogs.length; k += 6) this.#logs.exp(mixedLogs, k, stretches, k);
    return { stretches, offsets: mix(offsets, 3, T, this.#ofFixed, weights) };
  }

  #pose(t: number): Float64Array {
    const size = TRANSFORM_SIZE * this.#m;
    return this.#examples.poses.subarray(t * size, (t + 1) * size);
  }

  /** The inverse of [Φ 1; 1ᵀ 0], Φ the distances between the examples for bone j. */
  #inverseFor(j: number): Float64Array {
    const T = this.#T;
    const size = T + 1;
    const matrix = new Float64Array(size * size);
    for (let s = 0; s < T; s++) {
      for (let t = 0; t < T; t++) matrix[s * size + t] = this.#distance(j, this.#pose(s), this.#pose(t));
      matrix[s * size + T] = 1;
      matrix[T * size + s] = 1;
    }
    return pseudoInverse(matrix, size, size, { relativeTolerance: SAME }).inverse;
  }

  #weightsFor(j: number, transforms: Float64Array): Float64Array {
    const T = this.#T;
    const size = T + 1;
    const right = new Float64Array(size);
    for (let t = 0; t < T; t++) right[t] = this.#distance(j, transforms, this.#pose(t));
    right[T] = 1;
    const inverse = this.#inverses[j];
    const weights = new Float64Array(T);
    for (let t = 0; t < T; t++) for (let k = 0; k < size; k++) weights[t] += inverse[t * size + k] * right[k];
    return weights;
  }

  /** How far two poses are apart about bone j, in radians. */
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

/** The angle of the rotation by which joint k, relative to its parent p, differs between two poses. */
function angleBetween(a: Float64Array, b: Float64Array, k: number, p: number): number {
  // tr((Aₚᵀ Aₖ)ᵀ (Bₚᵀ Bₖ)) = 1 + 2 cos
  let trace = 0;
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      let [x, y] = [0, 0];
      for (let i = 0; i < 3; i++) {
        const [parent, child] = [TRANSFORM_SIZE * p + 4 * i + r, TRANSFORM_SIZE * k + 4 * i + c];
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

/** For each item of `size` vertices its bones and their mean weights. */
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
 * Σ_t weight_t value_t for each item, with the weights of its bones by their shares.
 *
 * @param values   T × items × size
 * @param weights  m × T
 */
function mix(values: Float32Array, size: number, T: number, items: Shares, weights: Float64Array): Float64Array {
  const count = items.starts.length - 1;
  const result = new Float64Array(size * count);
  for (let item = 0; item < count; item++) {
    for (let t = 0; t < T; t++) {
      let weight = 0;
      for (let k = items.starts[item]; k < items.starts[item + 1]; k++) {
        weight += items.shares[k] * weights[items.bones[k] * T + t];
      }
      const at = size * (t * count + item);
      for (let c = 0; c < size; c++) result[size * item + c] += weight * values[at + c];
    }
  }
  return result;
}
