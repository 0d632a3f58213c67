// @ts-check
/**
 * `npm run release`: builds, checks and publishes every public package, those first on which others depend. With --dry-run,
 * nothing leaves the machine. `--tag v1.2.3` must be the version of the packages. Leaves in out/release: the tarballs, the bill of
 * materials, a table of sizes, and the notes of the version.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hasUnreleased, notesOf } from './changelog.mjs';
import { checkPackage } from './check-package.mjs';
import { packAll } from './install.mjs';
import { inOrder, ROOT } from './public-packages.mjs';
import { entrySizes, sizeTable } from './sizes.mjs';

const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false }, tag: { type: 'string' } },
});
const OUT = join(ROOT, 'out/release');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
if (values.tag !== undefined && values.tag !== `v${version}`) {
  throw new Error(`the tag is ${values.tag}, but the packages are ${version}; run npm run bump -- ${values.tag}`);
}

const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
if (hasUnreleased(changelog)) {
  const message = `CHANGELOG.md has changes that ${version} does not name; run npm run bump -- ${version}`;
  if (!values['dry-run']) throw new Error(message);
  console.warn(message);
}

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
npm('run', '--silent', 'build');
const packed = await packAll(join(OUT, 'tarballs'));
const problems = [];
for (const each of packed) problems.push(...(await checkPackage(each.package, readFileSync(each.tarball))));
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
writeFileSync(join(OUT, 'sizes.md'), sizeTable(packed, await entrySizes(packed.map((each) => each.package))));
writeFileSync(join(OUT, 'notes.md'), notesOf(changelog, version));
const bill = npm('sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only');
writeFileSync(join(OUT, 'sbom.cdx.json'), bill);
for (const each of inOrder(packed.map((one) => one.package))) {
  const { tarball, size } = /** @type {import('./install.mjs').Packed} */ (
    packed.find((one) => one.package.manifest.name === each.manifest.name)
  );
  npm('publish', tarball, ...(values['dry-run'] ? ['--dry-run'] : ['--provenance']), '--access', 'public');
  console.log(`${values['dry-run'] ? 'would publish' : 'published'} ${each.manifest.name}@${version} (${size} bytes)`);
}

/** @param {string[]} args */
function npm(...args) {
  /** @type {import('node:child_process').StdioOptions} */
  const stdio = ['ignore', 'pipe', 'inherit'];
  return execFileSync('npm', args, { cwd: ROOT, stdio, maxBuffer: 1 << 28, shell: process.platform === 'win32' });
}
