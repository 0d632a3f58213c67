// @ts-check
/**
 * `npm run site`: the documentation and the studio as static files in out/site, for any host. Hosts that read `_headers`
 * isolate the pages by it; on others a service worker of the studio does, after the first visit. Nothing is loaded from
 * elsewhere.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildStudio } from '../../apps/studio/scripts/build-studio.mjs';
import { buildAddon } from '../../integrations/blender/zip.mjs';
import { HEADERS_FILE } from './headers.mjs';
import { isolated } from './isolation.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const OUT = join(ROOT, 'out/site');

execFileSync('npm', ['run', '--silent', 'docs'], { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32' });
rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
cpSync(join(ROOT, 'docs/site/dist'), OUT, { recursive: true });
await buildStudio(join(OUT, 'studio'), { tracker: true });
const page = join(OUT, 'studio/index.html');
writeFileSync(page, isolated(readFileSync(page, 'utf8')));
cpSync(fileURLToPath(new URL('isolation-worker.js', import.meta.url)), join(OUT, 'studio/isolation-worker.js'));
cpSync(fileURLToPath(new URL('isolate.js', import.meta.url)), join(OUT, 'studio/isolate.js'));
// The add-on for Blender, with the index that makes a repository of its folder.
execFileSync(process.execPath, [join(ROOT, 'packages/cli/scripts/bundle.mjs')], { stdio: 'inherit' });
cpSync(dirname(buildAddon()), join(OUT, 'blender'), { recursive: true });
writeFileSync(join(OUT, '_headers'), HEADERS_FILE);
// Hosts that would leave out files whose names begin with an underscore are told not to.
writeFileSync(join(OUT, '.nojekyll'), '');
console.log(OUT);
