// @ts-check
/**
 * `npm run bump -- 1.2.3`: gives all packages, what they need of each other, the add-on for Blender and CITATION.cff
 * one version, and the unreleased changes its heading. Commit what it changed, tag it v1.2.3, and push the tag.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { released } from './changelog.mjs';
import { ROOT } from './public-packages.mjs';
import { versionFiles, withVersion } from './version-files.mjs';

const [version] = process.argv.slice(2).map((word) => word.replace(/^v/, ''));
if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version ?? '')) {
  console.error('usage: npm run bump -- 1.2.3');
  process.exit(1);
}
const day = new Date().toISOString().slice(0, 10);
for (const path of versionFiles(ROOT)) {
  const file = join(ROOT, path);
  writeFileSync(file, withVersion(path, readFileSync(file, 'utf8'), version, day));
}
const changelog = join(ROOT, 'CHANGELOG.md');
writeFileSync(changelog, released(readFileSync(changelog, 'utf8'), version, day));
execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], { cwd: ROOT, stdio: 'inherit' });
