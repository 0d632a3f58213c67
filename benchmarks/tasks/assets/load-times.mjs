/** How long three.js takes to load a GLB, in headless Chromium: median milliseconds of two rivals in alternation. */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { launchBrowser, openPage } from '../../../scripts/browser/launch.mjs';
import { serve } from '../../../scripts/browser/serve.mjs';

const HTML = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>';

export async function openLoader() {
  const bodies = new Map([['/load.html', HTML], ...(await bundle())]);
  const server = await serve({ bodies });
  const browser = await launchBrowser();
  const { page, errors } = await openPage(browser);
  await page.goto(`${server.origin}/load.html`);
  await page.waitForFunction('globalThis.compareLoads !== undefined');
  return {
    async compare(a, b, rounds) {
      bodies.set('/a.glb', a);
      bodies.set('/b.glb', b);
      const medians = await page.evaluate((count) => globalThis.compareLoads('/a.glb', '/b.glb', count), rounds);
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
