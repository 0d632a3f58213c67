import { fileURLToPath } from 'node:url';
import { defaultClientConditions, defineConfig } from 'vite';
import { licences } from './scripts/licences.mjs';

const OUT = fileURLToPath(new URL('../../packages/cli/studio/', import.meta.url));

/** The studio as static files beside the command that serves them; `PELT_SOURCE=1` bundles the packages' sources. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  resolve: { conditions: [...(process.env.PELT_SOURCE ? ['@pelt/source'] : []), ...defaultClientConditions] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [licences(`${OUT}LICENSES.txt`)],
  worker: { format: 'es', plugins: () => [licences()] },
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: 'esnext',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
  },
});
