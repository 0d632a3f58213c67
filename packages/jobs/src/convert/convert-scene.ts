/**
 * `pelt convert` to a format of scenes: FBX and the like. Whatever is read becomes a GLB first, as it would be written, and
 * that is converted; a glTF or FBX that is to be kept as it is goes straight on, with its skin and all of its clips.
 */
import {
  glbToFbx,
  glbToUsda,
  glbToUsdz,
  glbToVrma,
  type OutputFile,
  readCharacter,
  readGltf,
  skeletonFromClip,
  writeBvh,
} from '@pelt/io';
import { InputError, triangleCount, vertexCount } from '@pelt/model';
import { characterOf, hasOwnSkin } from '../input/asset-motion.ts';
import { type GltfFile, gltfFile } from '../input/load-sequence.ts';
import { skinName } from '../input/open-character.ts';
import { isGltf, type Source, sourceOf } from '../input/source-files.ts';
import { type Job, timed } from '../job.ts';
import type { JobOutputs } from '../outputs/file-guard.ts';
import { humanoidOf, vrmFile, type VrmFileOptions as WriteOptions } from '../outputs/vrm-file.ts';
import type { Checked } from '../request/table.ts';
import type { ConvertReport } from './convert.ts';
import { packGlb } from './keep-file.ts';
import type { CONVERT } from './table.ts';

type Request = Checked<typeof CONVERT>;

export const SCENE_FORMATS = ['fbx', 'usdz', 'usda', 'vrm', 'vrma', 'bvh'] as const;
export type SceneFormat = (typeof SCENE_FORMATS)[number];

/** The format of scenes that a name's extension says; `undefined` for any other. */
export function sceneFormat(path: string): SceneFormat | undefined {
  const extension = /\.([^./\\]*)$/.exec(path)?.[1].toLowerCase();
  return SCENE_FORMATS.find((known) => known === extension);
}

/** @param convertToGlb  the job as it is for a GLB */
export async function convertScene(
  request: Request,
  format: SceneFormat,
  job: Job,
  convertToGlb: (request: Request, job: Job) => Promise<ConvertReport>,
): Promise<ConvertReport> {
  const { inputs, output, options } = request;
  job.outputs.reserve(output);
  const source = sourceOf(job.files, inputs, options.rest);
  const { bytes, resolve, report } =
    isWhole(source) && keepsAll(options) && !options.bake
      ? await wholeFile(source, format, job)
      : await throughGlb(request, job, convertToGlb);
  job.context.onProgress?.({ stage: 'writing', fraction: 0.5 });
  const { compress } = options;
  const [written, write] = await timed(async () => {
    const made = await writers[format](bytes, { title: options.name ?? '', resolve, onWarning: job.warn });
    if (compress === 'none') return made;
    // A VRM is a GLB, and is packed as one.
    const packed = await Promise.all(made.map(({ bytes: own }) => packGlb(own, options, output)));
    return made.map(({ name }, k) => ({ name, bytes: packed[k].bytes }));
  });
  const folder = job.files.paths.dirname(output);
  const files = written.map(({ name, bytes: content }) => {
    const path = name === '' ? output : job.files.paths.join(folder, name);
    job.outputs.write(path, content);
    return { file: path, bytes: content.length };
  });
  return {
    ...report,
    output: { ...report.output, ...files[0], files },
    seconds: { read: report.seconds.read, write: report.seconds.write + write },
  };
}

async function writeVrm(glb: Uint8Array, options: WriteOptions): Promise<OutputFile[]> {
  return [{ name: '', bytes: await vrmFile(glb, options) }];
}

async function writeVrma(glb: Uint8Array, { title, resolve, onWarning }: WriteOptions): Promise<OutputFile[]> {
  const humanoid = await humanoidOf(glb, { title, resolve, onWarning });
  return [{ name: '', bytes: await glbToVrma(glb, { resolve, onWarning, humanoid }) }];
}

/** The motion of the joints alone. */
async function writeMotion(glb: Uint8Array, { onWarning }: WriteOptions): Promise<OutputFile[]> {
  const asset = await readGltf(glb);
  if (!asset.skinned)
    throw new InputError('a BVH holds the motion of joints, and the input has none; find them with pelt skeleton');
  const { joints, clips } = readCharacter(asset);
  const [first, ...others] = clips;
  if (!first) throw new InputError('a BVH holds a motion, and the input has no animation');
  if (others.length > 0)
    onWarning(`a BVH holds one motion: '${first.name}' of ${clips.length} clips; --clip chooses another`);
  return [{ name: '', bytes: writeBvh(skeletonFromClip(joints, first)) }];
}

/** The file itself comes first, without a name; others are beside it. */
const writers: Record<SceneFormat, (glb: Uint8Array, options: WriteOptions) => Promise<OutputFile[]>> = {
  fbx: async (glb, { title, ...options }) => [{ name: '', bytes: await glbToFbx(glb, options) }],
  usdz: async (glb, { title, ...options }) => [{ name: '', bytes: await glbToUsdz(glb, options) }],
  usda: (glb, { title, ...options }) => glbToUsda(glb, options),
  vrm: writeVrm,
  vrma: writeVrma,
  bvh: writeMotion,
};

function isWhole({ meshes, cache }: Source): boolean {
  return !cache && meshes.length === 1 && isGltf(meshes[0]);
}

function keepsAll({ clip, frame, fps, rest, name, sample }: Request['options']): boolean {
  return [clip, frame, fps, rest, name, sample].every((option) => option === undefined);
}

interface GlbOfJob extends GltfFile {
  readonly report: ConvertReport;
}

async function wholeFile(source: Source, format: SceneFormat, job: Job): Promise<GlbOfJob> {
  const [file] = source.meshes;
  job.context.onProgress?.({ stage: 'reading', fraction: 0, detail: source.label });
  const [{ bytes, resolve, asset }, read] = await timed(() => gltfFile(file, job));
  const { mesh, animations } = asset;
  // A BVH has no skin at all, and does not pretend to.
  if (hasOwnSkin(asset) && format !== 'bvh') {
    const skin = skinName(characterOf(asset, file.path));
    job.warn(`'${file.path}' has ${skin}, which only a glTF can hold; it blends linearly, and --bake keeps the shapes`);
  }
  const frames = animations.reduce((sum, { channels }) => sum + longest(channels), 0) || 1;
  const figures = { vertices: vertexCount(mesh), triangles: triangleCount(mesh), frames };
  return {
    bytes,
    resolve,
    report: {
      clips: animations.map(({ name }, k) => name || `clip-${k}`),
      input: { name: source.label, bytes: file.bytes, ...figures },
      output: { file: '', bytes: 0, frames, files: [] },
      seconds: { read, write: 0 },
    },
  };
}

function longest(channels: readonly { readonly times: Float32Array }[]): number {
  return channels.reduce((most, { times }) => Math.max(most, times.length), 0);
}

/** What the job writes as a GLB, kept in memory. */
async function throughGlb(
  request: Request,
  job: Job,
  convertToGlb: (request: Request, job: Job) => Promise<ConvertReport>,
): Promise<GlbOfJob> {
  let bytes: Uint8Array = new Uint8Array(0);
  const outputs: JobOutputs = {
    claim: () => {},
    probe: () => {},
    reserve: () => {},
    append: () => {},
    write: (_, written) => {
      bytes = written;
    },
    get written() {
      return [{ path: 'scene.glb', bytes: bytes.length }];
    },
  };
  // What is packed is the file that is written from it.
  const options = { ...request.options, compress: 'none' } as const;
  const report = await convertToGlb({ ...request, options, output: 'scene.glb' }, { ...job, outputs });
  return { bytes, resolve: undefined, report };
}
