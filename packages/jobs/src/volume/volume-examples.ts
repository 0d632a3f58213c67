/** Shapes of a mesh in some frames of a motion, as `pelt volume` learns from them. */
import {
  type Clip,
  frameAt,
  frameCount,
  IDENTITY_TRANSFORM,
  type Mesh,
  poseAt,
  type RunContext,
  UsageError,
} from '@pelt/model';
import type { ShapeExample } from '@pelt/skin/volume';
import { type LoadedSequence, loadSequence, type Reader } from '../input/load-sequence.ts';
import { sourceOf } from '../input/source-files.ts';

/**
 * The rest pose, which every shape is relative to, and the examples.
 *
 * @param at    frames of the motion from 1, one an example; absent: all of them
 * @param rest  path of the mesh
 * @param clip  all frames of the motion
 */
export async function loadExamples(
  paths: readonly string[],
  at: readonly number[] | undefined,
  rest: string,
  mesh: Mesh,
  clip: Clip,
  bones: number,
  reader: Reader,
  context: RunContext,
): Promise<ShapeExample[]> {
  // One by one: the order in which they are given is that of the frames.
  const loaded: LoadedSequence[] = [];
  for (const path of paths) {
    loaded.push(await loadSequence(sourceOf(reader.files, [path], rest), { rest }, reader, context));
  }
  const shapes = loaded.flatMap(({ sequence }) => {
    return Array.from({ length: frameCount(sequence) }, (_, t) => frameAt(sequence, t));
  });
  const [count, S] = [shapes.length, clip.times.length];
  const frames = at ?? Array.from({ length: S }, (_, t) => t + 1);
  if (frames.length !== count) {
    const cure = at ? 'name one frame for each' : 'say with --at in which frames they are';
    throw new UsageError(`there are ${count} examples for ${frames.length} frames; ${cure}`);
  }
  const beyond = frames.find((frame) => frame > S);
  if (beyond !== undefined) throw new UsageError(`--at names frame ${beyond}; the motion has ${S}`);
  const still = Float64Array.from(Array.from({ length: bones }, () => IDENTITY_TRANSFORM).flat());
  return [
    { transforms: still, positions: mesh.positions },
    ...frames.map((frame, t) => ({
      transforms: poseAt(clip, frame - 1, bones).transforms,
      positions: shapes[t],
    })),
  ];
}
