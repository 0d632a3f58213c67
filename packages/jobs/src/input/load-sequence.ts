/** From the files of an animation to a MeshSequence; and to the rig that moves it, where the files hold one. */
import {
  AlembicAnimation,
  type AlembicArchive,
  animationFromCache,
  evenFrames,
  FrameFiles,
  type FrameSource,
  type GltfAsset,
  type GltfRig,
  openAlembic,
  openMdd,
  openPc2,
  openUsdAnimation,
  type PointCacheFile,
  readObj,
  readPly,
  readRig,
} from '@pelt/io';
import {
  type Clip,
  checkCancelled,
  frameCount,
  InputError,
  type Mesh,
  type MeshSequence,
  type Rig,
  type RunContext,
  TRANSFORM_SIZE,
  triangleCount,
  UsageError,
  uniformTimes,
  validateMeshSequence,
  vertexCount,
} from '@pelt/model';
import { besides } from '../files/besides.ts';
import { byteSource } from '../files/byte-source.ts';
import type { Job } from '../job.ts';
import type { AnimationFile } from './animation-file.ts';
import { clipIndex } from './clip-index.ts';
import { namedMesh, namedSequence } from './names.ts';
import { OpenedFiles } from './opened-files.ts';
import { readAnimation } from './read-animation.ts';
import { isAlembic, isGltf, isUsdCache, type Source, type SourceFile, sourceFile } from './source-files.ts';

/** How an Alembic archive is to be taken. */
export interface SceneOptions {
  /** Names or paths of its meshes, or of groups that contain them; absent: all visible ones. */
  readonly mesh?: readonly string[];
  /** Its up axis; absent: y. */
  readonly up?: 'y' | 'z';
  /** What its lengths are multiplied by; absent: 1. */
  readonly scale?: number;
}

/** How the files are to be taken; the same for every command. */
export interface InputOptions extends SceneOptions {
  /** The rest pose; absent: the first frame, or what the file says. */
  readonly rest?: string;
  /** Frames a second: of files that don't say, and at which glTF and Alembic animations are sampled. */
  readonly fps?: number;
  /** Which animation of a glTF, by name or number; absent: the first. */
  readonly clip?: string;
  /** Seconds at which a glTF animation is sampled, in place of its keys. */
  readonly times?: Float64Array;
  /** Most frames to read, an even sample; absent: all. */
  readonly sample?: number;
}

export interface LoadedSequence {
  readonly sequence: MeshSequence;
  readonly label: string;
  readonly bytes: number;
  /** Where a glTF with a skin gave the sequence: what moved it. */
  readonly skinned?: { readonly rig: Rig; readonly clip: Clip };
  /** What it was read from, which may have more frames. */
  readonly opened: OpenedSequence;
}

/** What a report says of an animation that was read. */
export interface InputFigures {
  readonly name: string;
  readonly bytes: number;
  readonly vertices: number;
  readonly triangles: number;
  readonly frames: number;
}

export function inputFigures({ label, bytes, sequence }: Omit<LoadedSequence, 'opened'>): InputFigures {
  const { rest } = sequence;
  const [vertices, triangles] = [vertexCount(rest), triangleCount(rest)];
  return { name: label, bytes, vertices, triangles, frames: frameCount(sequence) };
}

/** What reading takes of a job. */
export type Reader = Pick<Job, 'files' | 'warn' | 'scanFrames'> & Partial<Pick<Job, 'expectFrames' | 'opened'>>;

/** An animation that was opened, and of which no frame has been read. */
export interface OpenedSequence {
  readonly source: FrameSource;
  /** Numbers of the frames to be read, where it is not all of them. */
  readonly frames: Uint32Array | undefined;
  /** S, frames to be read */
  readonly count: number;
  readonly label: string;
  readonly bytes: number;
  /** Its files, one for each frame where it has such. */
  readonly meshes: readonly SourceFile[];
  /** The animation's name in its file, where it has one. */
  readonly animation: string | undefined;
  readonly skinned: { readonly rig: Rig; readonly clip: Clip } | undefined;
}

export async function openSequence(
  source: Source,
  options: InputOptions,
  reader: Reader,
  context?: RunContext,
): Promise<OpenedSequence> {
  checkCancelled(context);
  context?.onProgress?.({ stage: 'reading', fraction: 0, detail: source.label });
  const restFile = options.rest === undefined ? undefined : sourceFile(reader.files, options.rest);
  const rest = restFile && (await readMesh(restFile, reader));
  const files = [...source.meshes, ...(source.cache ? [source.cache] : []), ...(restFile ? [restFile] : [])];
  const { source: found, animation, skinned } = await open(source, rest, options, reader);
  if (vertexCount(found.rest) === 0) throw new InputError(`'${source.label}' has no vertices`);
  const S = found.times.length;
  const frames = options.sample !== undefined && options.sample < S ? evenFrames(S, options.sample) : undefined;
  return {
    source: rest && rest !== found.rest ? withRest(found, rest, source.label) : found,
    frames,
    count: frames?.length ?? S,
    label: source.label,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    meshes: source.meshes,
    animation,
    skinned,
  };
}

export async function loadSequence(
  source: Source,
  options: InputOptions,
  reader: Reader,
  context?: RunContext,
): Promise<LoadedSequence> {
  return readOpened(await openSequence(source, options, reader, context), reader, context);
}

/** The frames of an animation that was opened. */
export async function readOpened(
  opened: OpenedSequence,
  reader: Reader,
  context?: RunContext,
): Promise<LoadedSequence> {
  const { frames, label, bytes, skinned } = opened;
  reader.expectFrames?.(vertexCount(opened.source.rest), opened.count);
  const sequence = await readAnimation(opened.source, frames, opened.meshes, reader, context);
  validateMeshSequence(sequence);
  return {
    ...(skinned && { skinned: frames ? sampledClip(skinned, frames) : skinned }),
    sequence: namedSequence(sequence, opened.animation),
    label,
    bytes,
    opened,
  };
}

/** A single mesh, at rest. */
export async function loadMesh(file: SourceFile, reader: Reader): Promise<Mesh> {
  return namedMesh(await readMesh(file, reader));
}

/** By the name of its file, for messages about it. */
async function readMesh(file: SourceFile, reader: Reader): Promise<Mesh> {
  const { files, warn } = reader;
  const common = { name: file.path, onWarning: warn };
  switch (file.format) {
    case 'obj':
      return readObj(files.read(file.path), { ...common, resolve: besides(files, file.path, warn) });
    case 'ply':
      return readPly(files.read(file.path), common);
    case 'glb':
    case 'gltf':
    case 'fbx':
    case 'usd':
      return isUsdCache(file)
        ? (await loadUsdCache(file, undefined, reader)).rest
        : (await loadGltf(file, reader)).mesh;
    case 'abc':
      return new AlembicAnimation(loadAlembic(file, reader), { onWarning: warn }).rest;
    default:
      throw new UsageError(`'${file.path}' is a cache of points without a mesh; give a mesh as --rest`);
  }
}

/** The bytes of a glTF, and how to find the files that it names. */
export type GltfFile = Pick<AnimationFile, 'bytes' | 'resolve'>;

/** A glTF, or an FBX as one, which is read and parsed once. */
export async function gltfFile(file: SourceFile, reader: Reader): Promise<AnimationFile> {
  return (reader.opened ?? new OpenedFiles()).open(file, reader);
}

export async function loadGltf(file: SourceFile, reader: Reader): Promise<GltfAsset> {
  return (await gltfFile(file, reader)).asset;
}

/** A USD file whose points have samples; only what a frame needs is read of a crate. */
export function loadUsdCache(
  { path }: SourceFile,
  fps: number | undefined,
  { files, warn }: Reader,
): Promise<FrameSource> {
  const resolve = besides(files, path, warn);
  return openUsdAnimation(byteSource(files, path), { name: path, fps, resolve, onWarning: warn });
}

export function loadAlembic({ path }: SourceFile, { files }: Reader): AlembicArchive {
  return openAlembic(byteSource(files, path), { name: path });
}

export function loadCache(file: SourceFile, fps: number | undefined, { files, warn }: Reader): PointCacheFile {
  const source = byteSource(files, file.path);
  const options = { name: file.path, onWarning: warn };
  return file.format === 'pc2' ? openPc2(source, { ...options, fps }) : openMdd(source, options);
}

type Opened = Pick<OpenedSequence, 'source'> & Partial<Pick<OpenedSequence, 'animation' | 'skinned'>>;

async function open(
  { meshes, cache, label }: Source,
  rest: Mesh | undefined,
  { fps, clip, mesh, up, scale, times }: InputOptions,
  reader: Reader,
): Promise<Opened> {
  requireAlembic(cache ?? meshes[0], { mesh, up, scale });
  if (cache) {
    if (rest && meshes.length > 0) {
      throw new UsageError(`the mesh of '${label}' is given twice; leave out --rest or '${meshes[0].path}'`);
    }
    if (!rest && meshes.length === 0) {
      throw new UsageError(
        `'${cache.path}' holds points without a mesh; name its mesh before it: rest.obj ${cache.path}`,
      );
    }
    const source = animationFromCache(rest ?? (await readMesh(meshes[0], reader)), loadCache(cache, fps, reader));
    const times = cache.format === 'mdd' && fps !== undefined ? uniformTimes(source.times.length, fps) : source.times;
    return { source: { ...source, times } };
  }
  if (meshes.length === 0) throw new UsageError('there is no frame beside the rest pose');
  if (clip !== undefined && !isGltf(meshes[0])) {
    throw new UsageError(
      `--clip chooses an animation of a glTF, FBX or USD scene; '${meshes[0].path}' has none to choose`,
    );
  }
  if (isAlembic(meshes[0])) {
    return {
      source: new AlembicAnimation(loadAlembic(meshes[0], reader), { mesh, up, scale, fps, onWarning: reader.warn }),
    };
  }
  if (isUsdCache(meshes[0])) return { source: await loadUsdCache(meshes[0], fps, reader) };
  if (!isGltf(meshes[0])) {
    const { files, warn } = reader;
    const resolve = besides(files, meshes[0].path, warn);
    const frames = meshes.map(({ path }) => ({ name: path, bytes: () => files.read(path) }));
    return { source: new FrameFiles(frames, { rest, fps, resolve, onWarning: warn }) };
  }
  const file = await gltfFile(meshes[0], reader);
  const { asset } = file;
  const chosen = clip === undefined ? undefined : clipIndex(asset.animations, clip);
  const wantsRig = rest === undefined && asset.skinned && asset.animations.length > 0;
  const rigged = wantsRig ? readRig(asset, { fps, times }) : undefined;
  return openAnimation(asset, chosen, await file.frames(chosen, { fps, times }), rigged);
}

/** One animation of a glTF, with what moves it. */
function openAnimation(
  { animations }: GltfAsset,
  chosen: number | undefined,
  source: FrameSource,
  rigged: GltfRig | undefined,
): Opened {
  const animation = animations[chosen ?? 0]?.name;
  // With morph targets beside the skin the bones alone don't give the frames.
  if (!rigged || rigged.morphs) return { source, animation };
  return { source, animation, skinned: { rig: rigged.rig, clip: rigged.clips[chosen ?? 0] } };
}

/**
 * All animations of a glTF that has several, each opened by itself; undefined for any other file.
 *
 * @param sample  most frames of all together, an even sample; absent: all
 */
export async function openAllAnimations(
  source: Source,
  { fps, sample }: Pick<InputOptions, 'fps' | 'sample'>,
  reader: Reader,
): Promise<{ readonly name: string; readonly opened: OpenedSequence }[] | undefined> {
  const { meshes, cache, label } = source;
  if (cache || meshes.length !== 1 || !isGltf(meshes[0])) return undefined;
  const warnings: string[] = [];
  const file = await gltfFile(meshes[0], { ...reader, warn: (message) => warnings.push(message) });
  const { asset } = file;
  if (asset.animations.length < 2) return undefined;
  for (const message of warnings) reader.warn(message);
  const opened: Opened[] = [];
  const rigged = asset.skinned ? readRig(asset, { fps }) : undefined;
  for (const clip of asset.animations.keys()) {
    opened.push(openAnimation(asset, clip, await file.frames(clip, { fps }), rigged));
  }
  const total = opened.reduce((sum, { source: { times } }) => sum + times.length, 0);
  const taken = new Set<string>();
  return opened.map(({ source: found, skinned }, k) => {
    let name = asset.animations[k].name || `clip-${k}`;
    while (taken.has(name)) name = `${name}-${k}`;
    taken.add(name);
    const S = found.times.length;
    // Every clip is there, by its share of the frames.
    const share = sample === undefined ? S : Math.min(S, Math.max(1, Math.round((sample * S) / total)));
    const frames = share < S ? evenFrames(S, share) : undefined;
    const common = { label, bytes: k === 0 ? meshes[0].bytes : 0, meshes, animation: name, skinned };
    return { name, opened: { ...common, source: found, frames, count: share } };
  });
}

/** The clip at some of its frames. */
function sampledClip({ rig, clip }: { readonly rig: Rig; readonly clip: Clip }, frames: Uint32Array) {
  const size = rig.bones.length * TRANSFORM_SIZE;
  const transforms = new Float64Array(frames.length * size);
  frames.forEach((t, k) => {
    transforms.set(clip.transforms.subarray(t * size, (t + 1) * size), k * size);
  });
  const times = Float64Array.from(frames, (t) => clip.times[t] - clip.times[frames[0]]);
  return { rig, clip: { ...clip, times, transforms } };
}

/** The options that only an archive has a use for are refused with any other file. */
export function requireAlembic(file: SourceFile | undefined, options: SceneOptions): void {
  const given = Object.entries(options).find(([, value]) => value !== undefined);
  if (!given || !file || isAlembic(file)) return;
  throw new UsageError(`--${given[0]} is for Alembic archives; '${file.path}' is not one`);
}

function withRest(source: FrameSource, rest: Mesh, label: string): FrameSource {
  if (vertexCount(rest) !== vertexCount(source.rest)) {
    throw new InputError(
      `the rest pose '${rest.name}' has ${vertexCount(rest)} vertices, but '${label}' has ${vertexCount(source.rest)}; ` +
        'give the same mesh in its rest pose',
    );
  }
  const { name, label: ownLabel, times, start = 0 } = source;
  return { name, label: ownLabel, rest, times, start, readFrame: (t, out, chosen) => source.readFrame(t, out, chosen) };
}
