// @ts-check
/** From a figure's description to a PNG: a page in headless Chromium draws it with three.js, served on the loopback. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodeScene } from '@pelt/jobs/view';
import { rolldown } from 'rolldown';
import { launchBrowser, openPage } from '../browser/launch.mjs';
import { serve } from '../browser/serve.mjs';

const here = dirname(fileURLToPath(import.meta.url));

/** The picture has twice the figure's size each way, for sharp screens and print. */
const PIXEL_RATIO = 2;

/**
 * Opens the browser once for any number of figures; close it when done.
 *
 * @returns {Promise<{ render(figure: import('./description.ts').Figure): Promise<Uint8Array>, close(): Promise<void> }>}
 */
export async function openRenderer() {
  /** @type {Map<string, string | Uint8Array>} */
  const bodies = new Map([['/page/main.js', await bundlePage()]]);
  const server = await serve({ folders: { '/page/': join(here, 'page') }, bodies });
  try {
    const browser = await launchBrowser();
    const { page, errors } = await openPage(browser, { deviceScaleFactor: PIXEL_RATIO });
    await page.goto(`${server.origin}/page/index.html`);
    await page.waitForFunction('window.renderFigure');
    return {
      async render(figure) {
        bodies.set('/figure', encodeScene(figure));
        await page.evaluate("renderFigure('/figure')");
        if (errors.length > 0) throw new Error(`figure: the page reported ${errors.splice(0).join('; ')}`);
        return page.locator('#figure').screenshot();
      },
      async close() {
        await browser.close();
        await server.close();
      },
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** The page's script with what it draws by, from the sources. */
async function bundlePage() {
  const bundle = await rolldown({
    input: join(here, 'page/main.mjs'),
    platform: 'browser',
    resolve: { conditionNames: ['@pelt/source', 'browser', 'import', 'module', 'default'] },
  });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  return output[0].code;
}
