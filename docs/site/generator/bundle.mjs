// @ts-check
/** Scripts and sheets of the site, bundled as any application would bundle them; paths are relative to the files. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, defaultClientConditions } from 'vite';
import { SOURCE_CONDITION } from '../../../scripts/packages/public-packages.mjs';

const SITE = fileURLToPath(new URL('..', import.meta.url));

/** @returns {Promise<Map<string, string | Uint8Array>>} */
export async function bundleClient() {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    root: SITE,
    base: './',
    publicDir: false,
    resolve: { conditions: [SOURCE_CONDITION, ...defaultClientConditions] },
    worker: { format: 'es' },
    build: {
      write: false,
      target: 'es2023',
      modulePreload: false,
      assetsInlineLimit: 0,
      cssCodeSplit: false,
      chunkSizeWarningLimit: 2000,
      rollupOptions: {
        input: { main: `${SITE}client/main.ts` },
        output: {
          entryFileNames: 'assets/[name].js',
          chunkFileNames: 'assets/[name]-[hash].js',
          assetFileNames: ({ names }) =>
            names.some((name) => name.endsWith('.css')) ? 'assets/site.css' : 'assets/[name]-[hash][extname]',
        },
      },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (!('output' in output)) throw new Error('docs: the bundler watches instead of building');
  /** @type {Map<string, string | Uint8Array>} */
  const files = new Map([['assets/theme.js', readFileSync(`${SITE}client/theme.js`, 'utf8')]]);
  for (const file of output.output) files.set(file.fileName, file.type === 'chunk' ? file.code : file.source);
  return files;
}
