/** Vertices by their numbers, from 0: digits with blanks, commas or lines between them, so a JSON array is one too. */
import { InputError } from '@pelt/model';
import type { Files } from '../files/files.ts';

/** @param count  how many vertices there are */
export function readVertexList(path: string, count: number, files: Files): Uint32Array {
  const text = new TextDecoder().decode(files.read(path));
  const words = text.split(/[\s,[\]]+/).filter((word) => word !== '');
  if (words.length === 0) throw new InputError(`'${path}' names no vertices; write their numbers, from 0`);
  return Uint32Array.from(words, (word) => {
    const vertex = Number(word);
    if (!/^\d+$/.test(word) || vertex >= count) {
      throw new InputError(`'${path}': '${word}' is not a vertex; they are numbered from 0 to ${count - 1}`);
    }
    return vertex;
  });
}
