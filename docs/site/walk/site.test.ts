/**
 * The built site in a browser: `npm run docs` has made docs/site/dist. It is served under a folder, as it may be hosted
 * anywhere.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, openPage } from '../../../scripts/browser/launch.mjs';
import { serve } from '../../../scripts/browser/serve.mjs';
import { ROOT } from '../../../scripts/packages/public-packages.mjs';
import { LIVE } from '../generator/live.mjs';

const DIST = join(ROOT, 'docs/site/dist');
/** Compressed bytes that a page may load before its example starts. */
const FIRST_LOAD = 400 * 1024;
const PAGES = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.html') && !path.startsWith('files/'));
const COMPRESSED = /\.(?:html|js|css|json)$/;

let browser: Browser;
let server: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), serve({ folders: { '/some/folder/': DIST } })]);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

/** Opens a page of the site; `requests` is what it asks for. */
async function open(path: string, options: Parameters<typeof openPage>[1] = {}) {
  const opened = await openPage(browser, options);
  const requests: Response[] = [];
  opened.page.on('response', (response) => requests.push(response));
  await opened.page.goto(`${server.origin}/some/folder/${path}`, { waitUntil: 'networkidle' });
  return { ...opened, requests };
}

/** What a server that compresses would send. */
async function transferred(responses: readonly Response[]): Promise<number> {
  const sizes = responses.map(async (response) => {
    const { pathname } = new URL(response.url());
    const bytes = readFileSync(join(DIST, decodeURIComponent(pathname).replace('/some/folder/', '')));
    return COMPRESSED.test(pathname) ? gzipSync(bytes).length : bytes.length;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

describe('every page', () => {
  it('loads little, from here alone, without errors', async () => {
    const heaviest = { path: '', bytes: 0 };
    for (const path of PAGES) {
      const { page, errors, requests } = await open(path, { viewport: { width: 1280, height: 900 } });
      expect(errors, path).toEqual([]);
      const elsewhere = requests.filter(
        (response) => !response.url().startsWith(server.origin) && !response.url().startsWith('data:'),
      );
      expect(
        elsewhere.map((response) => response.url()),
        path,
      ).toEqual([]);
      const bytes = await transferred(requests.filter((response) => response.url().startsWith(server.origin)));
      expect(bytes, path).toBeLessThanOrEqual(FIRST_LOAD);
      if (bytes > heaviest.bytes) Object.assign(heaviest, { path, bytes });
      await page.close();
    }
    console.log(
      `${PAGES.length} pages; the heaviest is ${heaviest.path} with ${(heaviest.bytes / 1024).toFixed(0)} KB`,
    );
  });

  it('fits a phone: nothing but tables and code scrolls sideways', async () => {
    for (const path of ['index.html', 'guide/fit.html', 'guide/studio.html', 'benchmarks.html', 'api/model.html']) {
      const { page } = await open(path, { viewport: { width: 390, height: 800 } });
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, path).toBeLessThanOrEqual(390);
      await page.close();
    }
  });
});

describe('the frame', () => {
  it('finds a page by a word, and goes there', async () => {
    const { page, errors } = await open('guide/recipes/../fit.html');
    await page.keyboard.press('/');
    await page.getByRole('combobox').fill('dual quat');
    await page.locator('.search li').first().waitFor();
    const hits = await page
      .locator('.search li a')
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).pathname));
    expect(hits).toContain('/some/folder/guide/volume.html');
    await page.getByRole('combobox').fill('createPoseSession');
    await page.locator('.search li', { hasText: 'createPoseSession' }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/api\/skin\/pose\.html#createPoseSession$/);
    expect(errors).toEqual([]);
    await page.close();
  });

  it('is dark or light as the system says, or as it is told, and remembers', async () => {
    const { page } = await open('index.html', { colorScheme: 'dark' });
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await background();
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await background();
    expect(light).not.toBe(dark);
    await page.getByRole('button', { name: 'Theme' }).click();
    expect(await background()).toBe(dark);
    await page.reload();
    expect(await background()).toBe(dark);
    await page.close();
  });

  it('has a menu on a phone', async () => {
    const { page } = await open('index.html', { viewport: { width: 390, height: 800 } });
    const link = page.locator('#navigation').getByRole('link', { name: 'Fit', exact: true });
    expect(await link.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    await link.click();
    await page.waitForURL(/guide\/fit\.html$/);
    await page.close();
  });
});

describe('live examples', () => {
  const section = (page: Page) => page.locator('.live');

  async function start(name: string, options: Parameters<typeof openPage>[1] = {}) {
    const opened = await open(`guide/${name}.html`, { viewport: { width: 900, height: 700 }, ...options });
    await opened.page.locator('.live-start').click();
    return opened;
  }

  /** Until so many more pictures were drawn. */
  async function frames(page: Page, count: number): Promise<void> {
    const before = Number(await section(page).getAttribute('data-frames'));
    await page.waitForFunction(
      (least) => Number(document.querySelector<HTMLElement>('.live')?.dataset.frames ?? 0) >= least,
      before + count,
      { timeout: 120_000 },
    );
  }

  it.each(Object.keys(LIVE))('%s starts, moves by a slider, and logs no error', async (name) => {
    // With less motion nothing moves by itself, so that what moves is the slider's doing.
    const { page, errors } = await start(name, { reducedMotion: 'reduce' });
    await frames(page, 3);
    if (name === 'skeleton') await page.getByText('Pose by hand').click();
    const picture = section(page).locator('canvas').first();
    const sliders = section(page).getByRole('slider');
    const control = (await sliders.count()) > 0 ? sliders.first() : section(page).getByText('2', { exact: true });
    await frames(page, 3);
    const before = await picture.screenshot();
    if ((await sliders.count()) > 0) {
      await control.focus();
      for (let k = 0; k < 12; k++) await page.keyboard.press('ArrowRight');
    } else await control.click();
    await expect.poll(async () => Buffer.compare(before, await picture.screenshot()), { timeout: 60_000 }).not.toBe(0);
    expect(await section(page).getAttribute('class')).toBe('live');
    expect(errors).toEqual([]);
    await page.close();
  });

  it('pose follows the pointer', async () => {
    const { page, errors } = await start('pose', { reducedMotion: 'reduce' });
    await frames(page, 3);
    const picture = section(page).locator('canvas').first();
    const box = await picture.boundingBox();
    if (!box) throw new Error('the example has no picture');
    const before = await picture.screenshot();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + 0.3 * box.height, { steps: 6 });
    await frames(page, 4);
    await expect.poll(async () => Buffer.compare(before, await picture.screenshot()), { timeout: 60_000 }).not.toBe(0);
    await page.mouse.up();
    expect(errors).toEqual([]);
    await page.close();
  });

  it('move by themselves, and stop out of view', async () => {
    const { page } = await start('envelope');
    await frames(page, 3);
    const slider = section(page).getByRole('slider');
    const at = await slider.inputValue();
    await expect.poll(() => slider.inputValue(), { timeout: 60_000 }).not.toBe(at);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.waitForTimeout(1000);
    const drawn = await section(page).getAttribute('data-frames');
    await page.waitForTimeout(1500);
    expect(await section(page).getAttribute('data-frames')).toBe(drawn);
    await page.close();
  });

  it('start when they are scrolled to, unless less motion is wanted', async () => {
    for (const [reducedMotion, starts] of [
      ['no-preference', true],
      ['reduce', false],
    ] as const) {
      const { page } = await open('guide/envelope.html', { viewport: { width: 900, height: 700 }, reducedMotion });
      expect(await section(page).getAttribute('data-frames')).toBeNull();
      await section(page).scrollIntoViewIfNeeded();
      await page.mouse.wheel(0, 60);
      if (starts) await frames(page, 1);
      else {
        await page.waitForTimeout(1500);
        expect(await section(page).locator('.live-start').isVisible()).toBe(true);
      }
      await page.close();
    }
  });

  it('say so where there is no WebGL', async () => {
    const { page, errors } = await openPage(browser);
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
      Object.defineProperty(Navigator.prototype, 'gpu', { get: () => undefined });
    });
    await page.goto(`${server.origin}/some/folder/guide/fit.html`);
    await page.locator('.live-start').click();
    await expect.poll(() => page.locator('.live-status').first().textContent()).toMatch(/needs WebGL 2 or WebGPU/);
    expect(errors).toEqual([]);
    await page.close();
  });
});
