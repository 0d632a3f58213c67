/** Every example is short, builds, opens without an error and shows something; those of the reference check themselves. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, openPage } from '../../../../scripts/browser/launch.mjs';
import { serve } from '../../../../scripts/browser/serve.mjs';
import { SOURCE_CONDITION } from '../../../../scripts/packages/public-packages.mjs';
import { buildExamples, EXAMPLES, exampleNames } from '../../examples/build.mjs';
import { openLab, type TestPage } from './page.ts';

describe('examples', () => {
  let browser: Awaited<ReturnType<typeof launchBrowser>>;
  let server: Awaited<ReturnType<typeof serve>>;
  let lab: TestPage;

  beforeAll(async () => {
    const bodies = await buildExamples({ scale: 2.2, conditions: [SOURCE_CONDITION] });
    server = await serve({ bodies });
    browser = await launchBrowser();
    const models = [...bodies].filter(([path]) => path.startsWith('/models/'));
    const entry = fileURLToPath(new URL('lab/page-examples.ts', import.meta.url));
    lab = await openLab(new Map(models.map(([path, bytes]) => [path.slice(1), bytes as Uint8Array])), entry, browser);
  });
  afterAll(async () => {
    await lab?.close();
    await browser?.close();
    await server?.close();
  });

  it.each(exampleNames())('%s has fewer than 80 lines', (name) => {
    expect(readFileSync(`${EXAMPLES}${name}.html`, 'utf8').trimEnd().split('\n').length).toBeLessThan(80);
  });

  it.each(readdirSync(EXAMPLES).filter((name) => name.endsWith('.page.ts')))(
    '%s of the reference runs',
    async (name) => {
      const found = (await lab.call<string[]>('names')).find((path) => path.endsWith(`/${name}`));
      await lab.call('run', found);
      expect(lab.errors.filter((error) => !error.includes('net::ERR_ABORTED'))).toEqual([]);
    },
  );

  it.each(exampleNames())('%s opens and draws', async (name) => {
    const { page, errors } = await openPage(browser, { viewport: { width: 160, height: 120 } });
    try {
      await page.goto(`${server.origin}/${name}.html`);
      await page.waitForSelector('canvas');
      // A picture that is not of one colour: the model is there, or waiting ends with the test's own limit.
      await expect
        .poll(async () => new Set(await page.screenshot({ type: 'png' })).size, { timeout: 60_000, interval: 500 })
        .toBeGreaterThan(200);
      expect(errors.filter((error) => !error.includes('net::ERR_ABORTED'))).toEqual([]);
    } finally {
      await page.close();
    }
  });
});
