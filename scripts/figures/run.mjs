// @ts-check
/**
 * `npm run figures [-- name…]`: renders the pictures of README and guide into docs/images. Each is made by a script
 * `NAME.figure.mjs` beside this file, whose default export returns the figure's description.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBrowser } from '../browser/install.mjs';
import { openRenderer } from './render.mjs';
import { BUDGET_BYTES, shrink } from './shrink.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const target = resolve(here, '../../docs/images');
const SUFFIX = '.figure.mjs';

const known = readdirSync(here)
  .filter((file) => file.endsWith(SUFFIX))
  .map((file) => file.slice(0, -SUFFIX.length))
  .sort();
const wanted = process.argv.length > 2 ? process.argv.slice(2) : known;
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`error: no figure '${unknown.join("', '")}'; there are ${known.join(', ')}`);
  process.exit(1);
}

ensureBrowser();
mkdirSync(target, { recursive: true });
const renderer = await openRenderer();
try {
  for (const name of wanted) {
    const started = performance.now();
    const { default: describe } = await import(new URL(name + SUFFIX, import.meta.url).href);
    const bytes = shrink(await renderer.render(await describe()));
    writeFileSync(join(target, `${name}.png`), bytes);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`docs/images/${name}.png  ${Math.round(bytes.length / 1000)} KB  ${seconds} s`);
    if (bytes.length > BUDGET_BYTES) {
      console.error(`error: ${name} is over ${BUDGET_BYTES / 1000} KB; give it fewer or smaller panels`);
      process.exitCode = 1;
    }
  }
} finally {
  await renderer.close();
}
