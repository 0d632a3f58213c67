/** Frames of a face with twenty sliders on, in headless Chromium: bones that follow them, and three's own morph targets. */
import { fileURLToPath } from 'node:url';
import { launchBrowser, openPage } from '../../../scripts/browser/launch.mjs';
import { serve } from '../../../scripts/browser/serve.mjs';
import { bundlePage } from '../../harness/bundle-page.mjs';

const PAGE = fileURLToPath(new URL('page.mjs', import.meta.url));
const HTML = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>';
const KINDS = ['webgpu', 'webgl2'];
const ROUNDS = 15;

/** @param files  { sliders, morphs }: bytes of two GLBs of one face */
export async function frameRows(name, files) {
  const bodies = new Map([['/bench.html', HTML], ...(await bundlePage(PAGE))]);
  for (const [file, bytes] of Object.entries(files)) bodies.set(`/${file}.glb`, bytes);
  const server = await serve({ bodies });
  const browser = await launchBrowser();
  try {
    const { page, errors } = await openPage(browser);
    await page.goto(`${server.origin}/bench.html`);
    await page.waitForFunction('globalThis.compareFaces !== undefined');
    const rows = [];
    for (const kind of KINDS) {
      const [own, morphs] = await page.evaluate(
        ([of, rounds]) => globalThis.compareFaces(of, ['/sliders.glb', '/morphs.glb'], rounds),
        [kind, ROUNDS],
      );
      const beside = { reference: morphs, referenceName: 'morph targets of three.js', target: 'ratio <= 0.5' };
      rows.push({ case: `${name}, ${kind}`, metric: 'frame of twenty sliders', value: own, unit: 'ms', ...beside });
    }
    if (errors.length > 0) throw new Error(errors.join('\n'));
    return rows;
  } finally {
    await browser.close();
    await server.close();
  }
}
