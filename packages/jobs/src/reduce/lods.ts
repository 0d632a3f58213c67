/** `--lods`: files with fewer and fewer triangles, each with the skin, the clips and the materials of the first. */
import { readGltf } from '@pelt/io';
import { triangleCount } from '@pelt/model';
import { surfaceDistance } from '@pelt/pack';
import { rewriteCharacter, transportOf } from '../input/pack-character.ts';
import type { Job } from '../job.ts';
import { kilobytes } from '../outputs/growth.ts';
import type { EncodedRig } from './encode-rig.ts';
import type { PackedAs } from './encode-within.ts';
import type { ReductionSource } from './reduction-source.ts';

export interface LodFigures {
  readonly file: string;
  readonly triangles: number;
  readonly bytes: number;
  /** Distance of the input's surface to this one over the poses of all clips, in % of the diagonal. */
  readonly rmsePercent: number;
  readonly maxPercent: number;
}

/** Triangles of a level over those that it was asked for, above which that is said. */
const MORE = 1.1;

/** `near.glb` → `near-lod1.glb`, `near-lod2.glb` */
export function lodPaths(output: string, count: number): string[] {
  return Array.from({ length: count }, (_, k) => output.replace(/\.glb$/i, `-lod${k + 1}.glb`));
}

export async function writeLods(
  { asset, name }: ReductionSource,
  { bytes, asset: full }: EncodedRig,
  paths: readonly string[],
  { compress, transport }: PackedAs,
  job: Job,
): Promise<LodFigures[]> {
  const out: LodFigures[] = [];
  for (const [k, file] of paths.entries()) {
    const share = 2 ** -(k + 1);
    const packing = { compress: compress === 'none' ? undefined : compress, ...transportOf(transport) };
    const level = await rewriteCharacter({ bytes, resolve: undefined }, { triangles: share }, packing, name);
    const read = await readGltf(level.bytes, { name: file });
    const { rms, max } = surfaceDistance(asset, read);
    const [triangles, wanted] = [triangleCount(read.mesh), share * triangleCount(full.mesh)];
    if (triangles > MORE * wanted) {
      job.warn(`'${file}' has ${triangles} triangles, not ${Math.round(wanted)}: no others could be left out`);
    }
    job.outputs.write(file, level.bytes);
    out.push({ file, triangles, bytes: level.bytes.length, rmsePercent: 100 * rms, maxPercent: 100 * max });
    job.context.onProgress?.({ stage: 'levels of detail', fraction: 0.95, detail: kilobytes(level.bytes.length) });
  }
  return out;
}
