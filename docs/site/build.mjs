// @ts-check
/** `npm run docs`: the documentation as a static site in docs/site/dist, for any folder of any host. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from '../../scripts/packages/public-packages.mjs';
import { buildSite } from './generator/build-site.mjs';

const out = join(ROOT, 'docs/site/dist');
const start = performance.now();
const files = await buildSite(ROOT, (message) => console.log(message));
rmSync(out, { recursive: true, force: true });
for (const [path, body] of files) {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  writeFileSync(join(out, path), body);
}
const seconds = ((performance.now() - start) / 1000).toFixed(1);
console.log(
  `${files.size} files in ${relative(process.cwd(), out)}, ${seconds} s; open it with \`npm run docs -- --serve\``,
);
if (process.argv.includes('--serve')) {
  const { serve } = await import('../../scripts/browser/serve.mjs');
  const { origin } = await serve({ folders: { '/': out } });
  console.log(`${origin}/index.html`);
}
