import { fileURLToPath } from 'node:url';
import { defaultClientConditions, defineConfig } from 'vite';

/** The studio as static files beside the command that serves them; `PELT_SOURCE=1` bundles the packages' sources. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  resolve: { conditions: [...(process.env.PELT_SOURCE ? ['@pelt/source'] : []), ...defaultClientConditions] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es' },
  build: {
    outDir: fileURLToPath(new URL('../../packages/cli/studio/', import.meta.url)),
    emptyOutDir: true,
    target: 'esnext',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
  },
});
