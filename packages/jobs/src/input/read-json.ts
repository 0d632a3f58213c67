import { InputError } from '@pelt/model';
import type * as z from 'zod/mini';
import { pointSchema } from '../request/kinds.ts';
import { PARTS } from '../request/schema-parts.ts';
import type { Reader } from './load-sequence.ts';

export const point = pointSchema(PARTS);

/**
 * A file of JSON that must have a form.
 *
 * @param form  how the file should look, for the message
 */
export function readJson<T>(path: string, { files }: Pick<Reader, 'files'>, schema: z.ZodMiniType<T>, form: string): T {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(files.read(path)));
  } catch (error) {
    if (error instanceof InputError) throw error;
    // The message quotes the file, line breaks and all.
    const reason = (error as Error).message.replaceAll(/\s+/g, ' ');
    throw new InputError(`'${path}' is not JSON: ${reason}`, { cause: error });
  }
  const { data, error } = schema.safeParse(parsed);
  if (data !== undefined) return data;
  const where = (error?.issues[0].path ?? [])
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('');
  throw new InputError(`'${path}': ${where.replace(/^\./, '') || 'it'} is not as it should be: ${form}`);
}
