/** The pose space of a character: learnt from shapes of its mesh, from its morph targets, or from its own clips. */
import {
  type Character,
  type Clip,
  frameCount,
  linearRigOf,
  type MeshSequence,
  type Poser,
  type Run,
  stageOf,
  UsageError,
  vertexCount,
} from '@pelt/model';
import { decompose } from '@pelt/skin/decompose';
import { type BuildPoserOptions, buildPoser } from '@pelt/skin/pose';
import { areSame } from '../files/files.ts';
import type { Job } from '../job.ts';
import { joinedTimes } from './load-clips.ts';
import { loadSequence } from './load-sequence.ts';
import { namedRig } from './names.ts';
import type { OpenedCharacter } from './open-character.ts';
import { sourceOf } from './source-files.ts';

export interface LoadedPoser {
  readonly poser: Poser;
  /** Every file that was asked for by name. */
  readonly bytes: number;
  /** The character that it belongs to; absent where it was learnt from shapes. */
  readonly opened?: OpenedCharacter;
  /** What the first examples are called where they are files, which is not kept in results. */
  readonly labels?: readonly string[];
}

export interface LearnPoserOptions extends Pick<BuildPoserOptions, 'proxies' | 'details' | 'mirror' | 'regions'> {
  readonly controls: number;
}

/** Affine controls and a pose space from shapes of a mesh. */
export async function learnFromFiles(
  model: string,
  examples: readonly string[],
  options: LearnPoserOptions,
  run: Run,
  job: Job,
): Promise<LoadedPoser> {
  const learning = stageOf(run, 0, 0.9);
  // A file that moves by itself may be its own rest pose.
  const isOwn = examples.length === 1 && areSame(job.files, examples[0], model);
  const source = sourceOf(job.files, examples, isOwn ? undefined : model);
  const { sequence, bytes } = await loadSequence(source, { rest: model }, job, stageOf(learning, 0, 0.05));
  const consecutive = examples.length === 1 && frameCount(sequence) > 1;
  const poser = learnFromShapes(sequence, { ...options, consecutive }, stageOf(learning, 0.05, 1));
  const perFrame = source.meshes.length === frameCount(sequence);
  return { poser, bytes, ...(perFrame && { labels: source.meshes.map(({ path }) => stemOf(path)) }) };
}

/** @param sequence  the mesh at rest, and its shapes as frames */
export function learnFromShapes(
  sequence: MeshSequence,
  options: LearnPoserOptions & Partial<Pick<BuildPoserOptions, 'consecutive' | 'names'>>,
  run: Run,
): Poser {
  // Callers hand on all that their command takes.
  const { controls, proxies, details, regions, mirror, consecutive = false, names } = options;
  const building = { proxies, details, regions, mirror, consecutive, names };
  const fitting = {
    method: 'affine',
    bones: controls,
    weights: 4,
    // Handles are given on the user's own mesh: its rest pose stays.
    restPose: 'keep',
  } as const;
  const { rig, clip } = decompose(sequence, fitting, stageOf(run, 0, 0.9));
  return buildPoser({ rig: namedRig(rig), clip, examples: sequence }, building, stageOf(run, 0.9, 1));
}

/** The pose space of a character's joints that its own clips span. */
export function learnFromClips(
  { path, character, asset }: OpenedCharacter,
  options: Partial<Omit<LearnPoserOptions, 'controls'>>,
  run: Run,
  job: Job,
): Poser {
  if (!asset.skinned || character.clips.length === 0) {
    throw new UsageError(`'${path}' has neither a poser nor a skinned animation; give --examples to learn from`);
  }
  const rig = linearRigOf(character);
  const clip = allClips(character);
  job.expectFrames(vertexCount(rig.mesh), clip.times.length);
  return buildPoser({ rig, clip }, { ...options, consecutive: true }, run);
}

/** Every morph target of a mesh, fully on, as a shape; targets of several objects with one name are one. */
export function morphShapes({ mesh, morphs }: Character): {
  readonly sequence: MeshSequence;
  readonly names: string[];
} {
  const names = [...new Set(morphs.map(({ name }, r) => name || `target ${r}`))];
  const n3 = mesh.positions.length;
  const frames = new Float32Array(names.length * n3);
  names.forEach((_, e) => {
    frames.set(mesh.positions, e * n3);
  });
  morphs.forEach(({ name, deltas }, r) => {
    const at = names.indexOf(name || `target ${r}`) * n3;
    for (let k = 0; k < n3; k++) frames[at + k] += deltas[k];
  });
  const times = Float64Array.from(names.keys());
  return { sequence: { name: mesh.name, rest: mesh, times, frames }, names };
}

/** All clips behind each other: each of them shows poses that the character can take. */
function allClips({ clips }: Character): Clip {
  if (clips.length === 1) return clips[0];
  const transforms = new Float64Array(clips.reduce((sum, clip) => sum + clip.transforms.length, 0));
  let at = 0;
  for (const clip of clips) {
    transforms.set(clip.transforms, at);
    at += clip.transforms.length;
  }
  return { name: clips[0].name, times: joinedTimes(clips), transforms };
}

/** The name of a file without its folder and its ending. */
function stemOf(path: string): string {
  return path.replace(/^.*[/\\]/, '').replace(/\.[^.]*$/, '');
}
