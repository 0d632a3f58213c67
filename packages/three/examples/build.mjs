// @ts-check
/** The examples as a site: built as an application would build them, with their models beside them. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, defaultClientConditions } from 'vite';
import { exampleModels } from './example-models.mjs';

export const EXAMPLES = fileURLToPath(new URL('.', import.meta.url));

/** @returns {string[]} */
export function exampleNames() {
  return readdirSync(EXAMPLES)
    .filter((name) => name.endsWith('.html'))
    .map((name) => name.slice(0, -'.html'.length));
}

/**
 * Paths and contents of all pages.
 *
 * @param {{ scale?: number, conditions?: string[] }} [options]  of the models; and how packages are resolved
 * @returns {Promise<Map<string, string | Uint8Array>>}
 */
export async function buildExamples({ scale = 1, conditions = [] } = {}) {
  const [models, result] = await Promise.all([
    exampleModels(scale),
    build({
      configFile: false,
      logLevel: 'error',
      root: EXAMPLES,
      publicDir: false,
      resolve: { conditions: [...conditions, ...defaultClientConditions] },
      worker: { format: 'es' },
      build: {
        write: false,
        minify: false,
        target: 'esnext',
        modulePreload: false,
        assetsInlineLimit: 0,
        rollupOptions: { input: Object.fromEntries(exampleNames().map((name) => [name, `${EXAMPLES}${name}.html`])) },
      },
    }),
  ]);
  const [output] = Array.isArray(result) ? result : [result];
  if (!('output' in output)) throw new Error('the bundler watches instead of building');
  /** @type {Map<string, string | Uint8Array>} */
  const files = new Map();
  for (const file of output.output) files.set(`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source);
  for (const [name, bytes] of models) files.set(`/models/${name}.glb`, bytes);
  return files;
}
