/** The poses of a lion among the measured data, whose errors were published for several methods. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { naturalCompare, readObj, sequenceFromFrames } from '@pelt/io';
import type { MeshSequence } from '@pelt/model';
import { realData } from '@pelt/testkit';

const REST = realData('lion-poses/rest.obj');

export const HAS_LION = REST !== undefined;

export function lionPoses(): MeshSequence {
  const rest = REST ?? '';
  const folder = dirname(rest);
  const poses = readdirSync(folder).filter((name) => name.startsWith('pose-'));
  const files = poses.sort(naturalCompare).map((name) => ({ name, bytes: () => readFileSync(join(folder, name)) }));
  return sequenceFromFrames(files, { rest: readObj(readFileSync(rest)) });
}
