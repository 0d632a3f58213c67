import type { Source } from '../input/source-files.ts';
import type { Job } from '../job.ts';

/** Says that a file grew, with the figures; of an animation in several files there is nothing to compare. */
export function warnOfGrowth(
  job: Pick<Job, 'warn'>,
  { meshes, cache }: Source,
  bytes: number,
  cure = '--compress meshopt makes it smaller',
): void {
  const [file, ...others] = meshes;
  if (cache || !file || others.length > 0 || !/^(glb|gltf|fbx)$/.test(file.format) || bytes <= file.bytes) return;
  job.warn(`the file grew from ${kilobytes(file.bytes)} to ${kilobytes(bytes)}; ${cure}`);
}

export function kilobytes(bytes: number): string {
  return bytes < 999_500 ? `${Number((bytes / 1000).toPrecision(3))} KB` : `${(bytes / 1e6).toPrecision(3)} MB`;
}
