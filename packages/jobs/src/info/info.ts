/** `pelt info`: what is in a file, or in the files of a sequence. */
import {
  AlembicAnimation,
  ENVELOPE_EXTENSION,
  type GltfAnimation,
  type GltfAsset,
  POSER_EXTENSION,
  PUPPET_EXTENSION,
  readBvh,
  readTwoLayer,
} from '@pelt/io';
import {
  type Bounds,
  boundsOf,
  CancelledError,
  type CharacterSkin,
  exitCodeOf,
  frameCount,
  type Mesh,
  mostWeights,
  PeltError,
  type TwoLayerSkin,
  triangleCount,
  vertexCount,
  virtualCount,
} from '@pelt/model';
import { characterOf } from '../input/asset-motion.ts';
import {
  loadAlembic,
  loadCache,
  loadGltf,
  loadMesh,
  loadSequence,
  loadUsdCache,
  type Reader,
} from '../input/load-sequence.ts';
import { isAlembic, isCache, isGltf, isUsdCache, type SourceFile, sourceOf } from '../input/source-files.ts';
import type { Job } from '../job.ts';
import type { Checked } from '../request/table.ts';
import type { INFO } from './table.ts';

export interface ClipInfo {
  readonly name: string;
  /** Distinct times at which anything has a key. */
  readonly frames: number;
  readonly seconds: number;
}

/** What is found; a field is absent where the format has no such thing. */
export interface FileInfo {
  readonly file: string;
  readonly format: string;
  readonly bytes: number;
  readonly vertices?: number;
  readonly triangles?: number;
  readonly frames: number;
  readonly seconds?: number;
  readonly joints?: number;
  readonly weightsPerVertex?: number;
  /** How the surface follows the joints: `linear`, `dual-quaternion`, `two-layer`, `envelope` or `eigenskin`. */
  readonly skin?: CharacterSkin['kind'];
  readonly morphTargets?: number;
  readonly clips?: readonly ClipInfo[];
  readonly parts?: readonly string[];
  readonly materials?: readonly string[];
  readonly images?: number;
  /** What pelt has learnt and kept in it: a poser, an envelope. */
  readonly learnt?: readonly string[];
  /** Where skinning is in two layers: virtual bones that vertices follow, and the bones that they are blends of. */
  readonly layers?: { readonly virtualBones: number; readonly masters: number; readonly mastersPerVirtual: number };
  readonly attributes?: readonly string[];
  /** Of the rest pose, or of the first frame where there is no other; of a motion, its joints at rest. */
  readonly bounds: Bounds;
  readonly warnings: readonly string[];
}

/** A file that could not be read, beside others that could. */
export interface FailedFile {
  readonly file: string;
  readonly message: string;
  readonly exitCode: number;
}

export interface InfoReport {
  readonly files: readonly FileInfo[];
  readonly failed?: readonly FailedFile[];
}

export async function info({ inputs }: Checked<typeof INFO>, job: Job): Promise<InfoReport> {
  const found: FileInfo[] = [];
  const failed: FailedFile[] = [];
  for (const [k, path] of inputs.entries()) {
    job.context.onProgress?.({ stage: 'reading', fraction: k / inputs.length, detail: path });
    const warnings: string[] = [];
    const warn = (message: string) => {
      warnings.push(message);
      job.warn(message);
    };
    try {
      found.push({ file: path, ...(await describe(path, { ...job, warn })), warnings });
    } catch (error) {
      const isOfOne = error instanceof PeltError && !(error instanceof CancelledError) && inputs.length > 1;
      if (!isOfOne) throw error;
      failed.push({ file: path, message: error.message, exitCode: exitCodeOf(error) });
    }
  }
  return { files: found, ...(failed.length > 0 && { failed }) };
}

type Description = Omit<FileInfo, 'file' | 'warnings'>;

async function describe(path: string, job: Job): Promise<Description> {
  if (/\.bvh$/i.test(path)) return describeBvh(path, job);
  const source = sourceOf(job.files, [path]);
  const [first] = source.meshes;
  if (source.meshes.length + (source.cache ? 1 : 0) > 1) {
    const { sequence, bytes } = await loadSequence(source, {}, job, job.context);
    const { times } = sequence;
    const format = `${first.format}${source.cache ? ` + ${source.cache.format}` : ' frames'}`;
    const seconds = times[times.length - 1] - times[0];
    return { format, bytes, ...describeMesh(sequence.rest), frames: frameCount(sequence), seconds };
  }
  if (source.cache) return describeCache(source.cache, job);
  const { format, bytes } = first;
  if (isGltf(first)) return { format, bytes, ...describeGltf(await loadGltf(first, job), path) };
  if (isAlembic(first)) return { format, bytes, ...describeAlembic(first, job) };
  if (isUsdCache(first)) {
    const { rest, times } = await loadUsdCache(first, undefined, job);
    return { format, bytes, ...describeMesh(rest), frames: times.length, seconds: times[times.length - 1] };
  }
  return { format, bytes, ...describeMesh(await loadMesh(first, job)), frames: 1 };
}

function describeCache(file: SourceFile, reader: Reader): Description {
  const cache = loadCache(file, undefined, reader);
  const { points, times } = cache;
  const first = new Float32Array(3 * points);
  cache.readFrame(0, first);
  return {
    format: file.format,
    bytes: file.bytes,
    vertices: points,
    frames: times.length,
    // A PC2 counts frames; its seconds would be an assumption.
    ...(isCache(file) && file.format === 'mdd' && { seconds: times[times.length - 1] }),
    bounds: boundsOf(first),
  };
}

/** Without its frames but the first. */
function describeAlembic(file: SourceFile, reader: Reader) {
  const animation = new AlembicAnimation(loadAlembic(file, reader), { onWarning: reader.warn });
  const { rest, times } = animation;
  // Other commands refuse it when they come to that frame.
  const changed = animation.changedTopology();
  if (changed !== undefined) reader.warn(changed);
  return { ...describeMesh(rest), frames: times.length, seconds: times[times.length - 1] };
}

function describeBvh(path: string, { files, warn }: Reader): Description {
  const bytes = files.read(path);
  const { joints, times } = readBvh(bytes, { name: path, onWarning: warn });
  const places = new Float32Array(3 * joints.length);
  joints.forEach(({ parent, offset }, j) => {
    for (let c = 0; c < 3; c++) places[3 * j + c] = offset[c] + (parent < 0 ? 0 : places[3 * parent + c]);
  });
  const [frames, seconds] = [times.length, times[times.length - 1]];
  return { format: 'bvh', bytes: bytes.length, frames, seconds, joints: joints.length, bounds: boundsOf(places) };
}

/** The extensions of pelt's own, by what they make of a character. */
const LEARNT = new Map([
  [POSER_EXTENSION, 'poser'],
  [ENVELOPE_EXTENSION, 'envelope'],
  [PUPPET_EXTENSION, 'puppet'],
]);

function describeGltf(asset: GltfAsset, path: string) {
  const { mesh, skinned, scene, animations, extensions } = asset;
  const layers = readTwoLayer(asset);
  const learnt = extensions.flatMap(({ name }) => LEARNT.get(name) ?? []);
  const clips = animations.map(describeClip);
  const morphTargets = scene.morphs.reduce((most, { targets }) => Math.max(most, targets.length), 0);
  return {
    ...describeMesh(mesh),
    // Of all clips, as other commands take them.
    frames: clips.reduce((sum, { frames }) => sum + frames, 0) || 1,
    seconds: clips.reduce((sum, { seconds }) => sum + seconds, 0),
    joints: skinned ? scene.bones.length : 0,
    ...(skinned && { weightsPerVertex: scene.weights.slots, skin: characterOf(asset, path).skin.kind }),
    morphTargets,
    ...(layers && { layers: describeLayers(layers, scene.bones.length) }),
    ...(learnt.length > 0 && { learnt }),
    clips,
  };
}

function describeLayers(layers: TwoLayerSkin, bones: number) {
  const virtualBones = virtualCount(layers);
  return { virtualBones, masters: bones - virtualBones, mastersPerVirtual: mostWeights(layers.masters) };
}

function describeClip({ name, channels, start, end }: GltfAnimation, k: number): ClipInfo {
  const keys = new Set<number>();
  for (const times of new Set(channels.map((channel) => channel.times))) for (const time of times) keys.add(time);
  return { name: name || String(k), frames: keys.size, seconds: end - start };
}

function describeMesh(mesh: Mesh) {
  const attributes = (['normals', 'uvs', 'uvs2', 'colors'] as const).filter((key) => mesh[key]);
  return {
    vertices: vertexCount(mesh),
    triangles: triangleCount(mesh),
    ...(mesh.parts && { parts: mesh.parts.map(({ name }) => name) }),
    ...(mesh.materials && { materials: mesh.materials.map(({ name }) => name) }),
    ...(mesh.images && { images: mesh.images.length }),
    attributes,
    bounds: boundsOf(mesh.positions),
  };
}
