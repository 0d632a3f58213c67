/** Inputs that guided fuzzing has found on its way into the readers, kept for the next run and for the tests. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export function corpusPath(name: string): string {
  return fileURLToPath(new URL(`./corpus/${name.replaceAll(' ', '-')}.json`, import.meta.url));
}

export function corpusOf(name: string): Uint8Array[] {
  const path = corpusPath(name);
  if (!existsSync(path)) return [];
  return (JSON.parse(readFileSync(path, 'utf8')) as string[]).map(
    (text) => new Uint8Array(Buffer.from(text, 'base64')),
  );
}
