/** The studio as `pelt studio` serves it, built from the sources, in a real browser. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { serveStudio } from '../../../../packages/cli/src/studio/serve-studio.ts';
import { launchBrowser } from '../../../../scripts/browser/launch.mjs';
import { SOURCE_CONDITION } from '../../../../scripts/packages/public-packages.mjs';
import { buildStudio } from '../../scripts/build-studio.mjs';
import { type Act, fakePerformer } from '../../scripts/fake-performer.mjs';

export interface TestStudio {
  readonly browser: Browser;
  readonly folder: string;
  /** A page on a browser profile of its own, with what went wrong in it and what it asked for. */
  open(query?: string, options?: BrowserContextOptions): Promise<TestPage>;
  /** Puts somebody before the camera, who does this again and again. */
  performing(acts: readonly Act[]): Promise<void>;
  close(): Promise<void>;
}

export interface TestPage {
  readonly page: Page;
  readonly errors: string[];
  readonly requests: string[];
}

export async function startStudio(): Promise<TestStudio> {
  const folder = mkdtempSync(join(tmpdir(), 'pelt-studio-'));
  await buildStudio(folder, { scale: 1.9, conditions: [SOURCE_CONDITION], tracker: true });
  const film = join(folder, 'film.y4m');
  const camera = [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${film}`,
  ];
  const [server, browser] = await Promise.all([serveStudio({ inputs: [] }, 0, folder), launchBrowser(camera)]);
  return {
    browser,
    folder,
    performing: async (acts) => {
      const page = await browser.newPage();
      writeFileSync(film, await fakePerformer(page, acts));
      await page.close();
    },
    open: async (query = '', options = {}) => {
      const viewport = { width: 900, height: 560 };
      const context = await browser.newContext({ viewport, acceptDownloads: true, ...options });
      return watched(await context.newPage(), `${server.address}${query}`);
    },
    close: async () => {
      await browser.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Opens an address and waits for the first picture. */
export async function watched(page: Page, address: string): Promise<TestPage> {
  const [errors, requests]: [string[], string[]] = [[], []];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  page.setDefaultTimeout(90_000);
  await page.goto(address);
  await page.locator('.tag.result').waitFor();
  return { page, errors, requests };
}

export async function runCount(page: Page, count: number): Promise<void> {
  await expect.poll(() => page.locator('section[aria-label=Runs] li').count(), { timeout: 120_000 }).toBe(count);
}

/** Drops files on the page, as a hand would. */
export async function drop(page: Page, files: Readonly<Record<string, Uint8Array>>): Promise<void> {
  const sent = Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')] as const);
  await page.evaluate((list) => {
    const transfer = new DataTransfer();
    for (const [name, base64] of list) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name));
    }
    const view = document.querySelector('.view');
    view?.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, sent);
}

/** The bytes of what an action downloads, and their name. */
export async function downloaded(page: Page, action: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), action()]);
  const parts: Buffer[] = [];
  for await (const part of await download.createReadStream()) parts.push(part as Buffer);
  return { name: download.suggestedFilename(), bytes: Buffer.concat(parts) };
}
