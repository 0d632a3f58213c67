// @ts-check
/** The studio as static files: the page, its workers, the examples, and the licences of what is inside. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, defaultClientConditions } from 'vite';
import { exampleFiles } from './examples.mjs';
import { addLicences, licences } from './licences.mjs';
import { TRACKER_FOLDERS, trackerFiles } from './tracker/tracker-files.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Readers that also run in Node name its modules; in a browser those are empty, and never called. */
const EXPECTED = /externalized for browser compatibility/;

/** @type {NonNullable<import('rolldown').InputOptions['onLog']>} */
const onLog = (level, log, handle) => {
  if (!EXPECTED.test(log.message)) handle(level, log);
};

/**
 * @param {string} out  folder; what was in it goes
 * @param {{ scale?: number, conditions?: readonly string[] }} [options]  of the examples; and how packages are resolved
 */
export async function buildStudio(out, { scale = 1, conditions = [] } = {}) {
  addLicences(TRACKER_FOLDERS);
  await build({
    configFile: false,
    root: ROOT,
    base: './',
    logLevel: 'warn',
    resolve: { conditions: [...conditions, ...defaultClientConditions] },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [licences(join(out, 'LICENSES.txt'))],
    worker: { format: 'es', plugins: () => [licences()], rolldownOptions: { onLog, checks: { pluginTimings: false } } },
    build: {
      outDir: out,
      emptyOutDir: true,
      target: 'esnext',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 2000,
      rolldownOptions: { onLog, checks: { pluginTimings: false } },
    },
  });
  for (const [folder, files] of /** @type {const} */ ([
    ['examples', await exampleFiles(scale)],
    ['tracker', trackerFiles()],
  ])) {
    mkdirSync(join(out, folder), { recursive: true });
    for (const [name, content] of files) writeFileSync(join(out, folder, name), content);
  }
}
