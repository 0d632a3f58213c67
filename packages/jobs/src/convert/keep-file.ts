/** `pelt convert` of a glTF to a GLB: the file as it is, with everything that it has, packed where that is wanted. */
import {
  DUAL_QUATERNION_EXTENSION,
  dualQuaternionExtension,
  evenFrames,
  type GltfAsset,
  type GltfChanges,
  readRig,
  withKhrMeshopt,
} from '@pelt/io';
import { InputError, triangleCount, UnsupportedError, UsageError, vertexCount } from '@pelt/model';
import { clipIndex } from '../input/clip-index.ts';
import { gltfFile } from '../input/load-sequence.ts';
import { encodeCharacter, type OpenedCharacter, skinName } from '../input/open-character.ts';
import { rewriteCharacter, transportOf } from '../input/pack-character.ts';
import type { Source } from '../input/source-files.ts';
import { type Job, timed } from '../job.ts';
import { warnOfGrowth } from '../outputs/growth.ts';
import type { Checked } from '../request/table.ts';
import type { ConvertReport } from './convert.ts';
import type { CONVERT } from './table.ts';

type ConvertOptions = Checked<typeof CONVERT>['options'];

/** A GLB with all that it has, packed. @param path  what messages call it */
export async function packGlb(
  bytes: Uint8Array,
  { compress, for: transport }: Pick<ConvertOptions, 'compress' | 'for'>,
  path: string,
) {
  const packing = { compress: 'meshopt', ...transportOf(transport) } as const;
  const packed = await rewriteCharacter({ bytes, resolve: undefined }, {}, packing, path);
  return compress === 'khr' ? { ...packed, bytes: withKhrMeshopt(packed.bytes) } : packed;
}

/** Skins, morph targets, nodes, names and whatever else a file has stay. No frame of it is played for that. */
export async function keepFile(
  source: Source,
  output: string,
  options: ConvertOptions,
  job: Job,
): Promise<ConvertReport> {
  const [file] = source.meshes;
  job.context.onProgress?.({ stage: 'reading', fraction: 0, detail: source.label });
  job.outputs.claim([output]);
  const [opened, read] = await timed(async (): Promise<OpenedCharacter> => {
    const stored = await gltfFile(file, job);
    return { path: file.path, bytes: file.bytes, file: stored, asset: stored.asset, character: stored.character() };
  });
  const { asset } = opened;
  const { mesh, animations } = asset;
  if (vertexCount(mesh) === 0) throw new InputError(`'${source.label}' has no vertices`);
  const kept = options.clip === undefined ? [...animations.keys()] : [clipIndex(animations, options.clip)];
  const moments = momentsOf(asset, kept, options);
  const [written, write] = await timed(async () => {
    const changes: GltfChanges = {
      keep: kept,
      ...(options.name !== undefined && { name: options.name }),
      ...(moments && { moments }),
      ...blendingOf(opened, options.blending),
    };
    const bytes = await encodeCharacter(opened, changes, job.warn);
    if (options.compress === 'none') return { bytes, error: undefined };
    job.context.onProgress?.({ stage: 'packing', fraction: 0.2 });
    return packGlb(bytes, options, file.path);
  });
  job.outputs.write(output, written.bytes);
  const cure = options.compress === 'none' ? undefined : 'keep the input';
  warnOfGrowth(job, source, written.bytes.length, cure);
  const counts = kept.map((clip) => moments?.[clip]?.length ?? opened.character.clips[clip].times.length);
  const frames = counts.reduce((sum, count) => sum + count, 0) || 1;
  return {
    clips: kept.map((k) => animations[k].name || `clip-${k}`),
    input: {
      name: source.label,
      bytes: file.bytes,
      vertices: vertexCount(mesh),
      triangles: triangleCount(mesh),
      frames,
    },
    output: {
      file: output,
      bytes: written.bytes.length,
      frames,
      files: [{ file: output, bytes: written.bytes.length }],
    },
    ...(written.error !== undefined && { rmsePercent: 100 * written.error }),
    seconds: { read, write },
  };
}

/** For each animation the seconds at which it is sampled, by its own clock; undefined where its keys stay. */
function momentsOf(
  asset: GltfAsset,
  kept: readonly number[],
  { fps, sample }: ConvertOptions,
): readonly Float64Array[] | undefined {
  if (fps === undefined && sample === undefined) return undefined;
  const { clips, starts } = readRig(asset, { fps });
  const all = clips.map(({ times }, c) => times.map((time) => time + starts[c]));
  const total = kept.reduce((sum, clip) => sum + all[clip].length, 0);
  if (sample === undefined || sample >= total) return all;
  return all.map((times) => {
    const share = Math.min(times.length, Math.max(1, Math.round((sample * times.length) / total)));
    return Float64Array.from(evenFrames(times.length, share), (t) => times[t]);
  });
}

function blendingOf(opened: OpenedCharacter, blending: ConvertOptions['blending']): GltfChanges {
  const { kind } = opened.character.skin;
  if (blending === undefined || blending === kind) return {};
  if (kind !== 'linear' && kind !== 'dual-quaternion') {
    throw new UnsupportedError(
      `'${opened.path}' has ${skinName(opened.character)}, which blends in its own way; leave out --blending`,
    );
  }
  if (!opened.asset.skinned) throw new UsageError(`--blending is for skins; '${opened.path}' has none`);
  return blending === 'linear' ? { without: [DUAL_QUATERNION_EXTENSION] } : { extensions: [dualQuaternionExtension()] };
}
