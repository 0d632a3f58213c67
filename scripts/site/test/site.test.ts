/** The studio on a host without headers: isolated by its worker after one visit. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { launchBrowser, openPage } from '../../browser/launch.mjs';
import { serve } from '../../browser/serve.mjs';
import { HEADERS_FILE, ISOLATION } from '../headers.mjs';
import { isolated } from '../isolation.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'pelt-site-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const source = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

describe('static hosting', () => {
  it('has the headers of isolation for all pages', () => {
    for (const [name, value] of Object.entries(ISOLATION)) expect(HEADERS_FILE).toContain(`\n  ${name}: ${value}\n`);
    expect(HEADERS_FILE.startsWith('/*\n')).toBe(true);
  });

  it('puts the fallback before the scripts of the page', () => {
    const page = isolated('<head><link><script type="module" src="a.js"></script></head>');
    expect(page.indexOf('isolate.js')).toBeLessThan(page.indexOf('a.js'));
    expect(() => isolated('<p>')).toThrow('no script');
  });

  it('isolates a page where the host does not, and leaves one alone where it does', async () => {
    const bodies = new Map([
      ['/index.html', isolated('<!doctype html><link rel="icon" href="data:,"><script>window.seen = true</script>')],
      ['/isolate.js', source('isolate.js')],
      ['/isolation-worker.js', source('isolation-worker.js')],
    ]);
    const browser = await launchBrowser();
    try {
      for (const byHost of [false, true]) {
        const server = await serve({ bodies, isolated: byHost });
        const { page, errors } = await openPage(browser);
        await page.goto(`${server.origin}/index.html`);
        await page.waitForFunction('globalThis.crossOriginIsolated === true');
        const workers = await page.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.length)');
        expect(workers).toBe(byHost ? 0 : 1);
        expect(await page.evaluate("typeof SharedArrayBuffer === 'function'")).toBe(true);
        expect(errors).toEqual([]);
        await page.close();
        await server.close();
      }
    } finally {
      await browser.close();
    }
  });
});
