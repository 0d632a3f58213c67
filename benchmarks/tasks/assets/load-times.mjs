/** How long three.js and Babylon.js take to load a GLB, in headless Chromium: two rivals in turn, pair by pair. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { launchBrowser, openPage } from '../../../scripts/browser/launch.mjs';
import { serve } from '../../../scripts/browser/serve.mjs';
import { measurePairs } from '../../harness/paired.mjs';

const HTML =
  '<!doctype html><link rel="icon" href="data:,"><script src="/babylon.js"></script>' +
  '<script src="/babylon-loaders.js"></script><script type="module" src="/main.js"></script>';

/** Scripts of packages that the page takes as they are. */
const SCRIPTS = {
  '/babylon.js': 'babylonjs/babylon.js',
  '/babylon-loaders.js': 'babylonjs-loaders/babylonjs.loaders.min.js',
  '/meshopt_decoder.js': 'meshoptimizer/meshopt_decoder.cjs',
};
/** To one per cent on either side: some of the files are two per cent faster than their rivals. */
const PAIRS = { width: 0.02, fewest: 40, most: 240, batch: 20 };
const MODULES = new URL('../../../node_modules/', import.meta.url);

export async function openLoader() {
  const scripts = Object.entries(SCRIPTS).map(([path, file]) => [path, readFileSync(new URL(file, MODULES))]);
  const bodies = new Map([['/load.html', HTML], ...scripts, ...(await bundle())]);
  const server = await serve({ bodies });
  const browser = await launchBrowser(['--js-flags=--expose-gc']);
  const { page, errors } = await openPage(browser);
  await page.goto(`${server.origin}/load.html`);
  await page.waitForFunction('globalThis.comparePairs !== undefined');
  return {
    /**
     * @param engine  three or babylon
     * @returns as `measurePairs`, in milliseconds
     */
    async compare(engine, a, b) {
      bodies.set('/a.glb', a);
      bodies.set('/b.glb', b);
      await page.evaluate((name) => globalThis.startComparison(name, ['/a.glb', '/b.glb']), engine);
      const found = await measurePairs((count) => page.evaluate((n) => globalThis.comparePairs(n), count), PAIRS);
      if (errors.length > 0) throw new Error(errors.join('\n'));
      return found;
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

async function bundle() {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    root: fileURLToPath(new URL('.', import.meta.url)),
    build: {
      write: false,
      target: 'esnext',
      modulePreload: false,
      chunkSizeWarningLimit: 10_000,
      rollupOptions: {
        input: { main: fileURLToPath(new URL('load-page.mjs', import.meta.url)) },
        output: { entryFileNames: '[name].js' },
      },
    },
  });
  const [{ output }] = Array.isArray(result) ? result : [result];
  return output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source]);
}
