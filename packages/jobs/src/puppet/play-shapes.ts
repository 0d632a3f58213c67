/** Plays a performance on a character without a skeleton: a projection onto the pairs gives the blend of its examples. */
import { puppetExtension } from '@pelt/io';
import {
  type Clip,
  type MeshSequence,
  type Motion,
  type Registration,
  type Run,
  type SavedPuppet,
  stageOf,
  UsageError,
} from '@pelt/model';
import { createPoseSpace, type PoseSpace } from '@pelt/skin/pose';
import { createPuppet, type Puppet, retargetMotion } from '@pelt/skin/puppet';
import type { LoadedPoser } from '../input/learn-poser.ts';
import { type Job, timed } from '../job.ts';
import { totalBytes } from '../outputs/outputs.ts';
import { outputFormat, outputPaths, writeSequence } from '../outputs/sequence-files.ts';
import { writePosable } from '../outputs/write-posable.ts';
import type { Checked } from '../request/table.ts';
import type { PUPPET } from './table.ts';

type PuppetRequest = Checked<typeof PUPPET>;

export interface PlayedShapes {
  readonly puppet: Puppet;
  readonly keys: number;
  readonly bytes: number;
  readonly perform: number;
  readonly write: number;
}

/** Files that hold a performance of shapes. */
const WRITTEN = ['glb', 'pc2', 'mdd', 'abc'] as const;

export function requireShapeOutput(output: string): void {
  const format = outputFormat(output);
  if ((WRITTEN as readonly string[]).includes(format)) return;
  throw new UsageError(`'${output}' does not hold a performance; give a .glb, .pc2, .mdd or .abc file`);
}

/** @param saved  the pairs, and how they are played */
export async function playShapes(
  { output, options }: PuppetRequest & { readonly output: string },
  loaded: LoadedPoser,
  space: PoseSpace,
  saved: SavedPuppet & { readonly pairs: Registration },
  motion: Motion,
  run: Run,
  job: Job,
): Promise<PlayedShapes> {
  const { delay, travel, turn } = options;
  const { poser } = loaded;
  const { rig } = poser;
  const isScene = outputFormat(output) === 'glb';
  const E = poser.exampleDetails.length;
  const blends: number[] = [];
  const frames: Float32Array[] = [];
  const [{ puppet, clip }, perform] = await timed(() => {
    space.setHandles(options.handle);
    const data = { character: rig, pairs: saved.pairs, performer: motion.joints, space };
    const puppet = createPuppet(data, { ...saved.settings, delay, travel, turn });
    const onKey = (_: number, transforms: Float64Array) => {
      blends.push(...space.blend.subarray(0, E));
      if (!isScene) frames.push(space.positions(transforms, new Float32Array(rig.mesh.positions.length)));
    };
    const clip = retargetMotion(
      { puppet, motion, onKey },
      { name: options.name, fps: options.keys },
      stageOf(run, 0.6, 0.9),
    );
    return { puppet, clip };
  });
  const [bytes, write] = await timed(async () => {
    job.context.onProgress?.({ stage: 'writing', fraction: 0.9 });
    if (!isScene) return writeFrames(output, clip, frames, loaded, job);
    const extensions = options.savePairs ? [puppetExtension(saved)] : [];
    const posed = { ...clip, blends: Float32Array.from(blends) };
    return (await writePosable(output, loaded, posed, job, extensions)).bytes;
  });
  return { puppet, keys: clip.times.length, bytes, perform, write };
}

async function writeFrames(
  output: string,
  { name, times }: Clip,
  each: readonly Float32Array[],
  { poser }: LoadedPoser,
  job: Job,
): Promise<number> {
  const size = poser.rig.mesh.positions.length;
  const frames = new Float32Array(each.length * size);
  each.forEach((frame, t) => {
    frames.set(frame, t * size);
  });
  const sequence: MeshSequence = { name, rest: poser.rig.mesh, times, frames };
  const before = totalBytes(job.outputs);
  job.outputs.claim(outputPaths(output, times.length));
  await writeSequence(output, sequence, job, {}, job.context);
  return totalBytes(job.outputs) - before;
}

/** The pose space of a character, freed afterwards. */
export async function withPoseSpace<T>(
  { poser }: LoadedPoser,
  run: Run,
  work: (space: PoseSpace) => Promise<T>,
): Promise<T> {
  const space = createPoseSpace(poser, run);
  try {
    return await work(space);
  } finally {
    space.dispose();
  }
}
