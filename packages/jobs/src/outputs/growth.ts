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

/** Files that grow by this are announced before they are written. */
const TENFOLD = 10;

/** Says that a file will be many times as large as what it is made of, before it is written. */
export function warnOfSize(job: Pick<Job, 'warn'>, { meshes: [file] }: Source, expected: number, baked: boolean): void {
  if (!(expected > TENFOLD * file.bytes)) return;
  const cure = baked ? 'leave out --bake to keep the skin' : '--sample and --fps take fewer frames';
  const times = Math.round(expected / file.bytes);
  job.warn(`every frame is stored: about ${kilobytes(expected)}, ${times} times the input; ${cure}`);
}

export function kilobytes(bytes: number): string {
  return bytes < 999_500 ? `${Number((bytes / 1000).toPrecision(3))} KB` : `${(bytes / 1e6).toPrecision(3)} MB`;
}
