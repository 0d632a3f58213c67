/** The distance between what two assets show, over all of their animations, vertex by vertex. */
import { FrameBaker, type GltfAsset, STILL, sampleTimes } from '@pelt/io/internal';
import { TRANSFORM_SIZE } from '@pelt/model';
import { blendLinear } from '@pelt/model/internal';
import { NO_VERTEX } from './vertex-maps.ts';

/** Moments at which two assets are compared, unless there are fewer; of each clip at least some. */
const [MOST_FRAMES, CLIP_FRAMES] = [60, 6];

export interface SurfaceError {
  /** Root mean square distance of corresponding vertices over the frames of all clips. */
  readonly rms: number;
  /** That of each clip, or of the rest pose where there are none. */
  readonly clips: readonly number[];
}

/**
 * @param places  vertex of `after` for each vertex of `before`
 * @param poses   P × m × 12: further poses of the bones, whose error counts in every clip
 */
export function surfaceError(
  before: GltfAsset,
  after: GltfAsset,
  places: Uint32Array,
  poses?: Float64Array,
): SurfaceError {
  const found = clipErrors(before, after, places);
  if (!poses || poses.length === 0) return found;
  const posed = poseError(before, after, places, poses);
  return { rms: Math.max(found.rms, posed), clips: found.clips.map((error) => Math.max(error, posed)) };
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

function clipErrors(before: GltfAsset, after: GltfAsset, places: Uint32Array): SurfaceError {
  const [a, b] = [new Float32Array(before.mesh.positions.length), new Float32Array(after.mesh.positions.length)];
  const [own, other] = [new FrameBaker(before), new FrameBaker(after)];
  const squares = () => meanSquare(a, b, places);
  if (before.animations.length === 0) {
    own.bake(STILL, 0, a);
    other.bake(STILL, 0, b);
    const rms = Math.sqrt(squares());
    return { rms, clips: [rms] };
  }
  const times = before.animations.map((animation) => sampleTimes(before.scene, animation, undefined));
  const all = times.reduce((sum, { length }) => sum + length, 0);
  let mean = 0;
  const clips = times.map((moments, clip) => {
    const count = Math.min(moments.length, Math.max(Math.round((MOST_FRAMES * moments.length) / all), CLIP_FRAMES));
    let sum = 0;
    for (let k = 0; k < count; k++) {
      const time = moments[Math.floor(((k + 0.5) * moments.length) / count)];
      own.bake(before.animations[clip], time, a);
      other.bake(after.animations[clip], time, b);
      sum += squares() / count;
    }
    mean += (sum * moments.length) / all;
    return Math.sqrt(sum);
  });
  return { rms: Math.sqrt(mean), clips };
}
