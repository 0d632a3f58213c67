/** `pelt convert --compress meshopt` of a glTF: the file as it is, in fewer bytes. No frame of it is played for that. */
import { compressGlb, GltfMotion, readGltf } from '@pelt/io';
import { InputError, triangleCount, vertexCount } from '@pelt/model';
import { gltfFile } from '../input/load-sequence.ts';
import type { Source } from '../input/source-files.ts';
import { type Job, timed } from '../job.ts';
import { warnOfGrowth } from '../outputs/growth.ts';
import type { ConvertReport } from './convert.ts';

/** Skins, morph targets, nodes and names stay. */
export async function packFile(source: Source, output: string, job: Job): Promise<ConvertReport> {
  const [file] = source.meshes;
  job.context.onProgress?.({ stage: 'reading', fraction: 0, detail: source.label });
  job.outputs.claim([output]);
  const [{ bytes, resolve, asset }, read] = await timed(async () => {
    const found = await gltfFile(file, job);
    const options = { name: file.path, onWarning: job.warn, resolve: found.resolve };
    return { ...found, asset: await readGltf(found.bytes, options) };
  });
  const { mesh, animations } = asset;
  if (vertexCount(mesh) === 0) throw new InputError(`'${source.label}' has no vertices`);
  job.context.onProgress?.({ stage: 'packing', fraction: 0.2 });
  const [packed, write] = await timed(async () => {
    const found = await compressGlb(bytes, { resolve });
    job.outputs.write(output, found.bytes);
    return found;
  });
  warnOfGrowth(job, source, packed.bytes.length, 'keep the input');
  const clips = animations.map((_, clip) => new GltfMotion(asset, { clip }).times.length);
  const frames = clips.reduce((sum, count) => sum + count, 0) || 1;
  return {
    clips: animations.map(({ name }, k) => name || `clip-${k}`),
    input: {
      name: source.label,
      bytes: file.bytes,
      vertices: vertexCount(mesh),
      triangles: triangleCount(mesh),
      frames,
    },
    output: {
      file: output,
      bytes: packed.bytes.length,
      frames,
      files: [{ file: output, bytes: packed.bytes.length }],
    },
    rmsePercent: 100 * packed.error,
    seconds: { read, write },
  };
}
