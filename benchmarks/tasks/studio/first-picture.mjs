/** A cold load: seconds to the first picture of the fitted example, and the JavaScript that came before it. */
import { gzipSync } from 'node:zlib';
import { median } from '../../harness/measure.mjs';

const LOADS = 5;

export async function firstPicture({ browser, address, log }) {
  const [times, sizes] = [[], []];
  for (let k = 0; k < LOADS; k++) {
    log(`cold load ${k + 1} of ${LOADS}`);
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    const page = await context.newPage();
    const scripts = [];
    context.on('response', (response) => {
      if (/\.js$/.test(new URL(response.url()).pathname)) scripts.push(response.body().catch(() => Buffer.alloc(0)));
    });
    await page.goto(address);
    await page.waitForFunction(() => performance.getEntriesByName('first-picture').length > 0);
    const before = [...scripts];
    times.push(await page.evaluate(() => performance.getEntriesByName('first-picture')[0].startTime / 1000));
    const bodies = await Promise.all(before);
    sizes.push(bodies.reduce((sum, body) => sum + gzipSync(body).length, 0) / 1000);
    await context.close();
  }
  return [
    { case: 'cold load', metric: 'first picture', value: median(times), unit: 's', target: 'value <= 3' },
    {
      case: 'cold load',
      metric: 'JavaScript before it, gzip',
      value: median(sizes),
      unit: 'KB',
      target: 'value <= 600',
    },
  ];
}
