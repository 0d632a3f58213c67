// @ts-check
/** Gathers the licences of the packages of others that a build contains, workers included, into one file beside it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @type {Set<string>} */
const folders = new Set();

/** Folders of packages whose files are copied beside the page. @param {readonly string[]} copied */
export function addLicences(copied) {
  for (const folder of copied) folders.add(folder);
}

/**
 * @param {string} [file]  where to write, when the last of the builds is done; absent in those of workers
 * @returns {import('vite').Plugin}
 */
export function licences(file) {
  return {
    name: 'pelt-licences',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        for (const id of chunk.moduleIds) {
          const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0];
          if (folder) folders.add(folder);
        }
      }
    },
    writeBundle() {
      if (file)
        writeFileSync(
          file,
          [...folders]
            .map(licenceOf)
            .sort()
            .join(`\n${'-'.repeat(80)}\n\n`),
        );
    },
  };
}

/** @param {string} folder */
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const found = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = found ? readFileSync(join(folder, found), 'utf8').trim() : `Licence: ${license}`;
  return `${name} ${version}\n\n${text}\n`;
}
