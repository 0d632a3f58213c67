// @ts-check
/** The studio as static files: the page, its workers, the examples, and the licences of what is inside. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, defaultClientConditions } from 'vite';
import { writeTracker } from '../../../packages/tracker/scripts/tracker-files.mjs';
import { exampleFiles } from './examples.mjs';
import { licences } from './licences.mjs';
import { packExample } from './pack-example.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Readers that also run in Node name its modules; in a browser those are empty, and never called. */
const EXPECTED = /externalized for browser compatibility/;

/** @type {NonNullable<import('rolldown').InputOptions['onLog']>} */
const onLog = (level, log, handle) => {
  if (!EXPECTED.test(log.message)) handle(level, log);
};

/**
 * @param {string} out  folder; what was in it goes
 * @param {{ scale?: number, conditions?: readonly string[], tracker?: boolean }} [options]  of the examples; how packages
 *   are resolved; and whether the body tracker is beside the page, or another server's business
 */
export async function buildStudio(out, { scale = 1, conditions = [], tracker = false } = {}) {
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
  mkdirSync(join(out, 'examples'), { recursive: true });
  for (const [name, content] of await exampleFiles(scale)) {
    const [path, bytes] = packExample(name, content);
    writeFileSync(join(out, 'examples', path), bytes);
  }
  if (tracker) writeTracker(join(out, 'tracker'));
}
