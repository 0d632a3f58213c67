/** Examples for the tests of posing: the walking creature with its own bones as controls, and what is asked of a pose. */
import { type Clip, type MeshSequence, poseAt, type Rig } from '@pelt/model';
import { type CreatureOptions, creatureScene } from '@pelt/testkit';

export interface Examples {
  readonly rig: Rig;
  readonly clip: Clip;
  readonly sequence: MeshSequence;
}

/** Every `every`-th frame of the creature's walk. */
export function creatureExamples(
  every: number,
  options?: Partial<CreatureOptions>,
): Examples & { readonly walk: Examples } {
  const scene = creatureScene({ frames: 24, detail: 0.05, ...options });
  const { rig, clip, sequence } = scene;
  const chosen = Array.from(clip.times.keys()).filter((t) => t % every === 0);
  const times = Float64Array.from(chosen.keys());
  const transforms = chosen.flatMap((t) => [...poseAt(clip, t, rig.bones.length).transforms]);
  const size = rig.mesh.positions.length;
  const frames = new Float32Array(size * chosen.length);
  chosen.forEach((t, e) => {
    frames.set(sequence.frames.subarray(t * size, (t + 1) * size), e * size);
  });
  return {
    rig,
    clip: { name: 'examples', times, transforms: Float64Array.from(transforms) },
    sequence: { ...sequence, frames, times },
    walk: { rig, clip, sequence },
  };
}

export function pointOf(positions: ArrayLike<number>, vertex: number): number[] {
  return [positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]];
}

/** Root mean square distance of two poses. */
export function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += (a[k] - b[k]) ** 2;
  return Math.sqrt(sum / (a.length / 3));
}

/** The most that any edge grows. */
export function mostStretch(rest: Float32Array, posed: Float32Array, triangles: Uint32Array): number {
  let most = 0;
  for (let k = 0; k < triangles.length; k++) {
    const [a, b] = [3 * triangles[k], 3 * triangles[k % 3 === 2 ? k - 2 : k + 1]];
    const length = (x: Float32Array) => Math.hypot(x[a] - x[b], x[a + 1] - x[b + 1], x[a + 2] - x[b + 2]);
    most = Math.max(most, length(posed) / length(rest));
  }
  return most;
}
