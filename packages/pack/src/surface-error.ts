/** The distance between what two assets show, over all of their animations, vertex by vertex. */
import { FrameBaker, type GltfAsset, STILL, sampleTimes } from '@pelt/io/internal';
import { TRANSFORM_SIZE } from '@pelt/model';
import { blendLinear } from '@pelt/model/internal';
import { NO_VERTEX } from './vertex-maps.ts';

/** Moments at which two assets are compared, unless there are fewer; of each clip at least some. */
const [MOST_FRAMES, CLIP_FRAMES] = [60, 6];

/** Positions that are kept of the input, in floats: what is compared again with another file is not played again. */
const MOST_KEPT = 1 << 24;

export interface SurfaceError {
  /** Root mean square distance of corresponding vertices over the frames of all clips. */
  readonly rms: number;
  /** That of each clip, or of the rest pose where there are none. */
  readonly clips: readonly number[];
}

/** Compares files with one input. */
export class SurfaceComparison {
  readonly #before: GltfAsset;
  readonly #poses: Float64Array | undefined;
  readonly #moments: readonly (readonly number[])[];
  readonly #lengths: readonly number[];
  /** Positions of the input, moment by moment. */
  readonly #kept: Float32Array[] = [];
  #own: FrameBaker | undefined;

  /** @param poses  P × m × 12: further poses of the bones, whose error counts in every clip */
  constructor(before: GltfAsset, poses?: Float64Array) {
    this.#before = before;
    this.#poses = poses && poses.length > 0 ? poses : undefined;
    const times = before.animations.map((animation) => sampleTimes(before.scene, animation, undefined));
    const all = times.reduce((sum, { length }) => sum + length, 0);
    this.#lengths = times.map(({ length }) => length / all);
    this.#moments = times.map((moments) => {
      const count = Math.min(moments.length, Math.max(Math.round((MOST_FRAMES * moments.length) / all), CLIP_FRAMES));
      return Array.from({ length: count }, (_, k) => moments[Math.floor(((k + 0.5) * moments.length) / count)]);
    });
  }

  /** @param places  vertex of `after` for each vertex of the input */
  of(after: GltfAsset, places: Uint32Array): SurfaceError {
    const found = this.#clipErrors(after, places);
    if (!this.#poses) return found;
    const posed = poseError(this.#before, after, places, this.#poses);
    return { rms: Math.max(found.rms, posed), clips: found.clips.map((error) => Math.max(error, posed)) };
  }

  #clipErrors(after: GltfAsset, places: Uint32Array): SurfaceError {
    const other = new FrameBaker(after);
    const b = new Float32Array(after.mesh.positions.length);
    let at = 0;
    if (this.#moments.length === 0) {
      other.bake(STILL, 0, b);
      const rms = Math.sqrt(meanSquare(this.#played(STILL, 0, at), b, places));
      return { rms, clips: [rms] };
    }
    let mean = 0;
    const clips = this.#moments.map((moments, clip) => {
      let sum = 0;
      for (const time of moments) {
        const a = this.#played(this.#before.animations[clip], time, at++);
        other.bake(after.animations[clip], time, b);
        sum += meanSquare(a, b, places) / moments.length;
      }
      mean += sum * this.#lengths[clip];
      return Math.sqrt(sum);
    });
    return { rms: Math.sqrt(mean), clips };
  }

  #played(animation: GltfAsset['animations'][number], time: number, at: number): Float32Array {
    const known = this.#kept[at];
    if (known) return known;
    this.#own ??= new FrameBaker(this.#before);
    const n = this.#before.mesh.positions.length;
    const keeps = this.#kept.length === at && n * (at + 1) <= MOST_KEPT;
    const out = new Float32Array(n);
    this.#own.bake(animation, time, out);
    if (keeps) this.#kept.push(out);
    return out;
  }
}

/** Root mean square distance over poses of the bones. */
function poseError(before: GltfAsset, after: GltfAsset, places: Uint32Array, poses: Float64Array): number {
  const size = TRANSFORM_SIZE * before.scene.bones.length;
  const [a, b] = [new Float32Array(before.mesh.positions.length), new Float32Array(after.mesh.positions.length)];
  let sum = 0;
  for (let first = 0; first < poses.length; first += size) {
    const bones = poses.subarray(first, first + size);
    blendLinear(before.mesh.positions, before.scene.weights, bones, a);
    blendLinear(after.mesh.positions, after.scene.weights, bones, b);
    sum += meanSquare(a, b, places);
  }
  return Math.sqrt((sum * size) / poses.length);
}

/** Mean squared distance of corresponding vertices. */
function meanSquare(a: Float32Array, b: Float32Array, places: Uint32Array): number {
  let [sum, count] = [0, 0];
  for (let i = 0; i < places.length; i++) {
    if (places[i] === NO_VERTEX) continue;
    for (let c = 0; c < 3; c++) sum += (a[3 * i + c] - b[3 * places[i] + c]) ** 2;
    count++;
  }
  return sum / (count || 1);
}
