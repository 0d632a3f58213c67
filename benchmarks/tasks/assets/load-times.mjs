/** How long three.js and Babylon.js take to load a GLB, in headless Chromium: median milliseconds of two rivals in alternation. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { launchBrowser, openPage } from '../../../scripts/browser/launch.mjs';
import { serve } from '../../../scripts/browser/serve.mjs';

const HTML =
  '<!doctype html><link rel="icon" href="data:,"><script src="/babylon.js"></script>' +
  '<script src="/babylon-loaders.js"></script><script type="module" src="/main.js"></script>';

/** Scripts of packages that the page takes as they are. */
const SCRIPTS = {
  '/babylon.js': 'babylonjs/babylon.js',
  '/babylon-loaders.js': 'babylonjs-loaders/babylonjs.loaders.min.js',
  '/meshopt_decoder.js': 'meshoptimizer/meshopt_decoder.cjs',
};
const MODULES = new URL('../../../node_modules/', import.meta.url);

export async function openLoader() {
  const scripts = Object.entries(SCRIPTS).map(([path, file]) => [path, readFileSync(new URL(file, MODULES))]);
  const bodies = new Map([['/load.html', HTML], ...scripts, ...(await bundle())]);
  const server = await serve({ bodies });
  const browser = await launchBrowser();
  const { page, errors } = await openPage(browser);
  await page.goto(`${server.origin}/load.html`);
  await page.waitForFunction('globalThis.compareLoads !== undefined');
  return {
    /** @param engine  three or babylon */
    async compare(engine, a, b, rounds) {
      bodies.set('/a.glb', a);
      bodies.set('/b.glb', b);
      const medians = await page.evaluate(
        ([name, count]) => globalThis.compareLoads(name, '/a.glb', '/b.glb', count),
        [engine, rounds],
      );
      if (errors.length > 0) throw new Error(errors.join('\n'));
      return medians;
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
