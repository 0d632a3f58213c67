/**
 * The vertex positions of an OBJ and nothing else: what a frame of a sequence adds to the rest pose. Everything but `v`
 * is passed over, and the text of the faces is hashed on the way, so that a sequence whose faces are spelt the same in
 * every file is known to have one connectivity without parsing them again.
 */
import { InputError } from '@pelt/model';
import { fileLabel } from '../read-options.ts';
import { TextScanner } from '../text-scanner.ts';
import { endsKeyword, objTextStart, readCoordinate } from './obj-text.ts';

const LETTER_F = 102;
const LETTER_V = 118;
const LINE_END = 10;

/** FNV-1a over 32 bits. */
const HASH_START = 0x811c9dc5;
const HASH_PRIME = 0x01000193;

/**
 * Reads the positions of an OBJ file and hashes its faces, without making a mesh.
 *
 * @param bytes          of the file
 * @param expectedCount  n, vertices of the rest pose; another number in the file is an error
 * @param name           the file's name, for messages
 * @param out            n × 3, overwritten
 * @returns the hash of the faces' text, 0 where there are no faces
 * @example
 * {@includeCode ../../examples/frame-source.ts}
 */
export function scanObjFrame(bytes: Uint8Array, expectedCount: number, name: string, out: Float32Array): number {
  const label = fileLabel('OBJ', name);
  const scanner = new TextScanner(bytes, objTextStart(bytes, label));
  let count = 0;
  let hash = HASH_START;
  for (; !scanner.atEnd; scanner.nextLine()) {
    if (!scanner.moreOnLine()) continue;
    const p = scanner.position;
    if (!endsKeyword(bytes, p + 1)) continue;
    if (bytes[p] === LETTER_V) {
      scanner.position = p + 1;
      const o = count * 3;
      for (let d = 0; d < 3; d++) {
        const value = readCoordinate(scanner, label);
        if (count < expectedCount) out[o + d] = value;
      }
      count++;
    } else if (bytes[p] === LETTER_F) {
      scanner.toLineEnd();
      for (let q = p; q < scanner.position; q++) hash = Math.imul(hash ^ bytes[q], HASH_PRIME);
      hash = Math.imul(hash ^ LINE_END, HASH_PRIME);
    }
  }
  if (count !== expectedCount) {
    throw new InputError(
      `${label}: ${count} vertices, but the rest pose has ${expectedCount}; ` +
        'all frames need the same vertices in the same order',
    );
  }
  return hash === HASH_START ? 0 : hash >>> 0;
}
