/** `pelt convert --vat`: frames as a vertex animation texture beside a GLB of the rest pose. */
import { writeVat } from '@pelt/io';
import { frameCount, stageOf, triangleCount, UsageError, vertexCount } from '@pelt/model';
import { loadClips } from '../input/load-clips.ts';
import { gltfFile } from '../input/load-sequence.ts';
import { namedMesh } from '../input/names.ts';
import { isGltf, sourceOf } from '../input/source-files.ts';
import { type Job, timed } from '../job.ts';
import type { Checked } from '../request/table.ts';
import type { ConvertReport } from './convert.ts';
import type { CONVERT } from './table.ts';

/** A share of a frame's length by which frames may be unevenly spaced. */
const UNEVEN = 0.01;
/** Of a texel of 16 bits per channel on the graphics card, which has no format of three. */
const TEXEL_BYTES = { png: 8, exr: 16 };

/** What a texture of all frames takes, and what the bones take that it stands for. */
export interface VatFigures {
  readonly width: number;
  readonly height: number;
  /** On the graphics card. */
  readonly textureMegabytes: number;
  /** Of a skinned input: its joints, and the bytes of the file that has skin and clips. */
  readonly bones?: { readonly count: number; readonly bytes: number };
}

export async function convertVat(
  { inputs, output, options }: Checked<typeof CONVERT>,
  encoding: 'png' | 'exr',
  job: Job,
): Promise<ConvertReport> {
  const { paths } = job.files;
  if (!/\.glb$/i.test(output)) {
    throw new UsageError(`--vat writes a .glb with its texture beside it; '${output}' is not one`);
  }
  const unused = (['frame', 'blending', 'bake', 'ascii'] as const).find((key) => options[key]);
  if (unused) throw new UsageError(`--${unused} has no effect on --vat; leave it out`);
  if (options.compress !== 'none') {
    throw new UsageError('--compress reorders vertices, which the texture of --vat addresses; leave it out');
  }
  const stem = paths.basename(output).replace(/\.glb$/i, '');
  const beside = [`${stem}_vat.${encoding}`, `${stem}-remap_info.json`];
  const files = [output, ...beside.map((name) => paths.join(paths.dirname(output), name))];
  job.outputs.claim(files);
  const [loaded, read] = await timed(() => loadClips(inputs, options, job, stageOf(job.context, 0, 0.5)));
  const { sequence, clips, label, bytes } = loaded;
  if (clips.some(({ times }) => isUneven(times))) {
    job.warn('its frames are not evenly spaced, but a texture plays them as if they were; --fps 30 samples evenly');
  }
  const mesh = namedMesh(sequence.rest);
  const rest = { ...mesh, name: options.name ?? mesh.name };
  job.context.onProgress?.({ stage: 'writing', fraction: 0.5 });
  const [vat, write] = await timed(() =>
    writeVat({ ...sequence, rest }, { encoding, name: stem, clips, onWarning: job.warn }),
  );
  const written = vat.files.map(({ bytes: content }, k) => {
    job.outputs.write(files[k], content);
    return { file: files[k], bytes: content.length };
  });
  const frames = frameCount(sequence);
  const bones = await bonesOf(inputs, options.rest, job);
  return {
    clips: clips.map(({ name }) => name),
    input: { name: label, bytes, vertices: vertexCount(rest), triangles: triangleCount(rest), frames },
    output: { file: output, bytes: written.reduce((sum, file) => sum + file.bytes, 0), frames, files: written },
    vat: {
      width: vat.width,
      height: vat.height,
      textureMegabytes: (TEXEL_BYTES[encoding] * vat.width * vat.height) / 1e6,
      ...(bones && { bones }),
    },
    seconds: { read, write },
  };
}

async function bonesOf(inputs: readonly string[], rest: string | undefined, job: Job): Promise<VatFigures['bones']> {
  const { meshes, cache } = sourceOf(job.files, inputs, rest);
  if (cache || meshes.length !== 1 || !isGltf(meshes[0])) return undefined;
  const { asset, bytes } = await gltfFile(meshes[0], { ...job, warn: () => {} });
  return asset.skinned ? { count: asset.scene.bones.length, bytes: bytes.length } : undefined;
}

function isUneven(times: Float64Array): boolean {
  const S = times.length;
  const step = S > 1 ? (times[S - 1] - times[0]) / (S - 1) : 0;
  return times.some((time, t) => Math.abs(time - times[0] - t * step) > UNEVEN * step);
}
