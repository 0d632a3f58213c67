// @ts-check
/** Makes examples.png, the picture of the guide: three of the examples side by side, as a browser shows them. */
import { fileURLToPath } from 'node:url';
import { launchBrowser, openPage } from '../../../scripts/browser/launch.mjs';
import { serve } from '../../../scripts/browser/serve.mjs';
import { buildExamples } from './build.mjs';

const SHOWN = ['crowd', 'envelope', 'drag'];
const target = fileURLToPath(new URL('examples.png', import.meta.url));
const frames = SHOWN.map((name) => `<iframe src="/${name}.html"></iframe>`).join('');
const style = 'body { margin: 0; display: flex } iframe { flex: 1; height: 300px; border: 0 }';
const bodies = await buildExamples();
bodies.set('/all.html', `<!doctype html><style>${style}</style>${frames}`);
const server = await serve({ bodies });
const browser = await launchBrowser();
const { page } = await openPage(browser, { viewport: { width: 1200, height: 300 } });
await page.goto(`${server.origin}/all.html`);
for (const frame of page.frames().slice(1)) await frame.waitForSelector('canvas');
// Frames in software take their time; the arm is then well into its bend.
await page.waitForTimeout(25_000);
await page.screenshot({ path: target });
await browser.close();
await server.close();
