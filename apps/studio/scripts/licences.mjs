// @ts-check
/** Gathers the licences of the packages of others that a build contains, workers included, into one file beside it. */
import { writeFileSync } from 'node:fs';
import { licenceTexts } from '../../../scripts/packages/licences.mjs';

/** @type {Set<string>} */
const modules = new Set();

/**
 * @param {string} [file]  where to write, when the last of the builds is done; absent in those of workers
 * @returns {import('vite').Plugin}
 */
export function licences(file) {
  return {
    name: 'pelt-licences',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk') for (const id of chunk.moduleIds) modules.add(id);
      }
    },
    writeBundle() {
      if (file) writeFileSync(file, licenceTexts(modules));
    },
  };
}
