/** The files of the jobs' tests, on a disk. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bodyFiles } from '../../jobs/test/body-files.ts';
import { chainFiles } from '../../jobs/test/chain-files.ts';
import { dogFiles } from '../../jobs/test/dog-files.ts';
import { faceFiles } from '../../jobs/test/face-files.ts';

type Write = (folder: string) => Promise<void>;

const writing =
  (make: () => Promise<Readonly<Record<string, Uint8Array>>>): Write =>
  async (folder) => {
    for (const [path, bytes] of Object.entries(await make())) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes);
    }
  };

export const writeChainFiles = writing(chainFiles);
/** The chain, and a humanoid. */
export const writeConvertFiles = writing(async () => ({ ...(await dogFiles()), ...(await chainFiles()) }));
export const writeDogFiles = writing(dogFiles);
export const writeBodyFiles = writing(bodyFiles);
export const writeFaceFiles = writing(faceFiles);
