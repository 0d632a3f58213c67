/** Animations of the measured data as mesh sequences, each read once. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { naturalCompare, readObj, readPc2, sequenceFromCache, sequenceFromFrames } from '@pelt/io';

const loaded = new Map();

/** Files that must be there. */
export function dataNeeded(name) {
  return [`${name}/rest.obj`];
}

export function loadAnimation(context, name) {
  const found = loaded.get(name);
  if (found) return found;
  const file = context.data(`${name}/rest.obj`);
  const folder = dirname(file);
  const rest = readObj(readFileSync(file));
  const cache = join(folder, 'clip.pc2');
  const sequence = existsSync(cache)
    ? sequenceFromCache(rest, readPc2(readFileSync(cache)))
    : sequenceFromFrames(posesIn(folder), { rest });
  loaded.set(name, sequence);
  return sequence;
}

function posesIn(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.obj') && name !== 'rest.obj')
    .sort(naturalCompare)
    .map((name) => ({ name, bytes: () => readFileSync(join(folder, name)) }));
}
