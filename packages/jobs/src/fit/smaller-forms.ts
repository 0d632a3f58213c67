/**
 * Whether bones were the right tool: a short clip as morph targets, or a glTF as it is, may be smaller and nearer once they
 * are packed as a fit is.
 */
import { writeMorphGlb } from '@pelt/io';
import { frameCount, vertexCount } from '@pelt/model';
import { compressGlb } from '@pelt/pack';
import type { LoadedClips } from '../input/load-clips.ts';
import { gltfFile } from '../input/load-sequence.ts';
import { isGltf, sourceOf } from '../input/source-files.ts';
import type { Job } from '../job.ts';
import { kilobytes } from '../outputs/growth.ts';

/** A form of the same animation: its packed size, and its error as a share of the diagonal. */
export interface PackedForm {
  readonly what: string;
  readonly how: string;
  readonly bytes: number;
  readonly error: number;
}

/** Vertices in all frames above which morph targets cannot compete with bones, and are not tried. */
const MOST_MORPHED = 100_000;

/** The best other form of an animation, packed as the fit is; undefined where there is none worth trying. */
export async function packedForm(loaded: LoadedClips, job: Job): Promise<PackedForm | undefined> {
  const { meshes, cache } = sourceOf(job.files, loaded.inputs);
  const [file] = meshes;
  if (!cache && meshes.length === 1 && isGltf(file)) {
    const { bytes, resolve } = await gltfFile(file, { ...job, warn: () => {} });
    const packed = await compressGlb(bytes, { resolve, rounds: 1 });
    const how = `pelt convert ${file.path} --compress meshopt`;
    return { what: 'the input as it is', how, bytes: packed.bytes.length, error: packed.error };
  }
  const { sequence, clips } = loaded;
  if (frameCount(sequence) * vertexCount(sequence.rest) > MOST_MORPHED) return undefined;
  const packed = await compressGlb((await writeMorphGlb(sequence, { clips })).bytes, { rounds: 1 });
  const how = `pelt convert ${loaded.inputs.join(' ')} --compress meshopt`;
  return { what: 'the frames as morph targets', how, bytes: packed.bytes.length, error: packed.error };
}

/** @param fitted  the fit, packed too */
export function sayIfSmaller(
  form: PackedForm | undefined,
  fitted: { readonly bytes: number; readonly error: number },
  { warn }: Pick<Job, 'warn'>,
): void {
  if (!form || form.bytes > fitted.bytes || form.error > fitted.error) return;
  const figures = ({ bytes, error }: { bytes: number; error: number }) =>
    `${kilobytes(bytes)} at ${(100 * error).toPrecision(2)} %`;
  warn(
    `${form.what}, packed, would have ${figures(form)}; this file, packed too, ${figures(fitted)}: ` +
      `${form.how} -o packed.glb`,
  );
}
