import { UsageError } from '@pelt/model';

/** A clip by its name, else by its number from 0. */
export function clipIndex(clips: readonly { readonly name: string }[], wanted: string): number {
  const named = clips.findIndex(({ name }) => name === wanted);
  if (named >= 0) return named;
  if (/^\d+$/.test(wanted) && Number(wanted) < clips.length) return Number(wanted);
  const names = clips.map(({ name }, k) => `'${name || k}'`).join(', ');
  throw new UsageError(
    `there is no clip '${wanted}'; ${names ? `the file has ${names}` : 'the file has no animation'}`,
  );
}
