/**
 * The motion of a rig over all frames of an animation of which only a sample was fitted: weights and rest pose stay as
 * they are, and the bones of the frames are solved for in parts, so that the animation may be larger than memory.
 */
import {
  type Clip,
  frameCount,
  type Mesh,
  type Rig,
  type Run,
  SequenceErrorMeter,
  type SequenceErrors,
} from '@pelt/model';
import { deformLinear } from '@pelt/skin/blending';
import { decompose } from '@pelt/skin/decompose';
import type { NamedOpened } from '../input/load-clips.ts';
import { readAnimation } from '../input/read-animation.ts';
import type { Job } from '../job.ts';

export interface PlayedFrames {
  readonly clips: readonly Clip[];
  /** Over all frames. */
  readonly error: SequenceErrors;
}

export interface PlayOptions {
  /** Whether the bones are affine. */
  readonly affine: boolean;
  /** Most frames in memory at a time. */
  readonly frames: number;
}

/**
 * @param rig   on the vertices of the animations
 * @param rest  the rest pose that was given, which errors are measured against
 */
export async function playAllFrames(
  { rig, rest }: { readonly rig: Rig; readonly rest: Mesh },
  animations: readonly NamedOpened[],
  { affine, frames }: PlayOptions,
  job: Job,
  run: Run,
): Promise<PlayedFrames> {
  const total = animations.reduce((sum, { opened }) => sum + opened.source.times.length, 0);
  const meter = new SequenceErrorMeter(rest, total);
  const posed = new Float32Array(rest.positions.length);
  const size = rig.bones.length * 12;
  const method = affine ? 'affine' : 'ssdr';
  const options = { method, locked: { part: 'weights', rig }, restPose: 'keep' } as const;
  const clips: Clip[] = [];
  let done = 0;
  for (const { name, opened } of animations) {
    const { source, meshes } = opened;
    const { times } = source;
    const transforms = new Float64Array(times.length * size);
    // Parts of equal length: a last one of a single frame would be solved no worse, but as slowly as a long one.
    const parts = Math.ceil(times.length / frames);
    for (let k = 0; k < parts; k++) {
      const [from, to] = [k, k + 1].map((part) => Math.floor((part * times.length) / parts));
      const chosen = Uint32Array.from({ length: to - from }, (_, t) => from + t);
      const read = await readAnimation(source, chosen, meshes, job, { signal: run.signal });
      const part = { ...read, rest: rig.mesh };
      const { clip } = decompose(part, options, { numerics: run.numerics, signal: run.signal });
      transforms.set(clip.transforms, from * size);
      for (let t = 0; t < frameCount(part); t++) {
        deformLinear(rig.mesh.positions, rig.weights, clip.transforms.subarray(t * size, (t + 1) * size), posed);
        meter.addFrame(part.frames.subarray(t * posed.length, (t + 1) * posed.length), posed);
      }
      done += to - from;
      run.onProgress?.({ stage: 'fitting the other frames', fraction: done / total });
    }
    clips.push({ name, times, transforms });
  }
  return { clips, error: meter.result() };
}
