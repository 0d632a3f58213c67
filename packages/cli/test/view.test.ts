/** `pelt view` as users run it: pictures and films are decoded, and the page is opened, played and clicked. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, openPage } from '../../../scripts/browser/launch.mjs';
import { decodePng } from '../../../scripts/figures/png.mjs';
import { pelt } from './built-pelt.ts';
import { fixtureFolder } from './fixture-folder.ts';
import { writeChainFiles } from './fixtures.ts';
import { scratchFolder } from './scratch-folder.ts';

const { folder } = fixtureFolder(writeChainFiles);
const SMALL = ['--width', '96', '--samples', '1'];

/** A pyramid on its base: the tip is vertex 4. */
const PYRAMID = 'v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nv 0 1.5 0\nf 1 2 3 4\nf 1 5 2\nf 2 5 3\nf 3 5 4\nf 4 5 1\n';

async function view(...args: string[]) {
  const { code, stderr } = await pelt(['view', ...args], folder);
  expect([code, stderr]).toEqual([0, '']);
  return readFileSync(join(folder, args[args.indexOf('-o') + 1]));
}

describe('pictures', () => {
  it('show a subject on a light ground', async () => {
    const { width, height, rgb } = decodePng(await view('rest.obj', ...SMALL, '-o', 'rest.png'));
    expect(width).toBeGreaterThanOrEqual(96);
    expect(height).toBeGreaterThanOrEqual(96);
    const dark = rgb.filter((value, k) => k % 3 === 0 && value < 200).length;
    expect(dark).toBeGreaterThan(100);
    expect(dark).toBeLessThan(0.5 * width * height);
  });

  it('have a panel for each subject and frame, and the colours of an error', async () => {
    const plain = decodePng(await view('fitted.glb', '--frame', '1,6', ...SMALL, '-o', 'frames.png'));
    expect(plain.width).toBeGreaterThan(2 * 96);
    writeFileSync(
      join(folder, 'moved.obj'),
      readFileSync(join(folder, 'rest.obj'), 'utf8').replace(/^v (\S+)/m, 'v 9'),
    );
    const heat = decodePng(await view('moved.obj', '--original', 'rest.obj', ...SMALL, '-o', 'heat.png'));
    const red = (k: number) => heat.rgb[3 * k] > 1.5 * heat.rgb[3 * k + 2];
    expect(Array.from({ length: heat.rgb.length / 3 }, (_, k) => red(k)).filter(Boolean).length).toBeGreaterThan(50);
  });

  it('leave nothing behind', async () => {
    const { TMPDIR } = process.env;
    process.env.TMPDIR = scratchFolder();
    try {
      await view('rest.obj', ...SMALL, '-o', 'again.png');
      expect(readdirSync(process.env.TMPDIR)).toEqual([]);
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
    }
  });
});

describe('films', () => {
  it('are GIFs with a frame for each moment', async () => {
    const bytes = await view('rest.obj', '--seconds', '1', '--rate', '4', ...SMALL, '-o', 'turn.gif');
    expect(bytes.toString('latin1', 0, 6)).toBe('GIF89a');
    // Each frame has a graphic control extension with its delay, 25 hundredths.
    const control = Buffer.from([0x21, 0xf9, 4]);
    let [frames, at] = [0, bytes.indexOf(control)];
    for (; at >= 0; at = bytes.indexOf(control, at + 1)) {
      expect(bytes.readUInt16LE(at + 4)).toBe(25);
      frames++;
    }
    expect(frames).toBe(4);
  });
});

describe('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it('an MP4 plays for its length', async () => {
    await view('fitted.glb', '--turntable', '--seconds', '1', '--rate', '5', ...SMALL, '-o', 'film.mp4');
    const { page, errors } = await openPage(browser);
    await page.goto(pathToFileURL(join(folder, 'film.mp4')).href);
    await page.waitForFunction('document.querySelector("video")?.duration > 0');
    expect(await page.evaluate('document.querySelector("video").duration')).toBeCloseTo(1, 1);
    expect(await page.evaluate('document.querySelector("video").videoWidth')).toBeGreaterThanOrEqual(96);
    expect(errors).toEqual([]);
    await page.close();
  });

  async function open(...args: string[]): Promise<{ page: Page; errors: string[] }> {
    await view(...args, '-o', 'page.html');
    const opened = await openPage(browser, { viewport: { width: 900, height: 600 } });
    await opened.page.goto(pathToFileURL(join(folder, 'page.html')).href);
    await opened.page.waitForSelector('#look-edges');
    return opened;
  }

  it('a page names the vertex that is clicked, for a command line to take', async () => {
    writeFileSync(join(folder, 'pyramid.obj'), PYRAMID);
    const { page, errors } = await open('pyramid.obj', '--from', 'top');
    const box = await page.locator('#canvas').boundingBox();
    if (!box) throw new Error('there is no canvas');
    // Seen from above the tip is in the middle.
    await page.mouse.click(box.x + 0.5 * box.width + 6, box.y + 0.5 * box.height + 4);
    const said = await page.locator('#picks').textContent();
    expect(said).toContain('vertex 4');
    expect(said).toContain('--handle 4=0,1.5,0');
    expect(said).toContain('[0, 1.5, 0]');
    await page.mouse.click(box.x + 3, box.y + box.height - 3);
    expect(await page.locator('#picks article').count()).toBe(1);
    expect(await page.locator('#transport').isVisible()).toBe(false);
    expect(errors).toEqual([]);
    await page.close();
  });

  it('a page plays, steps, and shows heat, weights and bones', async () => {
    const { page, errors } = await open('fitted.glb', '--original', 'rest.obj', 'clip.pc2');
    expect(await page.locator('#frame').textContent()).toMatch(/^frame 1 of 12/);
    await page.locator('#canvas').focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('#frame').textContent()).toMatch(/^frame 2 of 12/);
    await page.locator('#play').click();
    await expect.poll(() => page.locator('#frame').textContent()).not.toMatch(/^frame 2 /);
    await page.locator('#play').click();
    expect(await page.locator('#legend').textContent()).toMatch(/rms of this frame .* %/);
    await page.locator('#look-heat').uncheck();
    expect(await page.locator('#legend').isVisible()).toBe(false);
    await page.locator('#look-weights').check();
    await page.locator('#look-bones').check();
    expect(errors).toEqual([]);
    await page.close();
  });
});

describe('without a browser', () => {
  it('pictures say what to install, and pages are written', async () => {
    const { PATH } = process.env;
    const run = async (output: string, environment: Record<string, string>) => {
      Object.assign(process.env, environment);
      try {
        return await pelt(['view', 'rest.obj', '-o', output], folder);
      } finally {
        process.env.PATH = PATH;
        delete process.env.PELT_BROWSER;
      }
    };
    if (process.platform === 'linux') {
      const none = await run('none.png', { PATH: '' });
      expect(none.stderr).toMatch(/^error: pictures are drawn by a browser, and none is found; install Chromium/);
      expect(none.code).not.toBe(0);
    }
    const wrong = await run('none.png', { PELT_BROWSER: '/nowhere/chrome' });
    expect(wrong.stderr).toMatch(/PELT_BROWSER: '\/nowhere\/chrome' is not a program/);
    expect((await run('page.html', { PATH: '' })).code).toBe(0);
    expect(readdirSync(folder)).not.toContain('none.png');
  });
});
