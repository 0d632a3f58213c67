// @ts-check
/** Removes from every dist what the compiler made of sources that are gone: it never does, and npm would publish it. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './public-packages.mjs';

for (const name of readdirSync(join(ROOT, 'packages'))) {
  const [source, dist] = ['src', 'dist'].map((folder) => join(ROOT, 'packages', name, folder));
  if (!existsSync(dist)) continue;
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const module = /^(.*)\.(?:js|js\.map|d\.ts)$/.exec(file)?.[1];
    if (module !== undefined && !existsSync(join(source, `${module}.ts`))) rmSync(join(dist, file));
  }
}
