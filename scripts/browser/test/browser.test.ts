import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findBrowser, requireBrowser } from '../find.mjs';
import { serve } from '../serve.mjs';

describe('finding the browser', () => {
  it('gives a program that can be run', () => {
    expect(requireBrowser()).toMatch(/chrom|edge/i);
  });

  it('takes the one that is named', () => {
    expect(findBrowser({ PELT_BROWSER: process.execPath })).toBe(process.execPath);
  });

  it('refuses a name that is none, with advice', () => {
    expect(() => findBrowser({ PELT_BROWSER: '/nowhere/chromium' })).toThrow(/nowhere.*PELT_BROWSER/);
  });
});

describe('serving', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pelt-serve-'));
  writeFileSync(join(folder, 'page.html'), '<p>page</p>');
  writeFileSync(`${folder}.secret`, 'secret');
  afterAll(() => {
    rmSync(folder, { recursive: true });
    rmSync(`${folder}.secret`);
  });

  it('answers files of a folder and bodies by name, with types', async () => {
    const server = await serve({ folders: { '/files/': folder }, bodies: new Map([['/made.mjs', 'export {}']]) });
    const page = await fetch(`${server.origin}/files/page.html?x=1`);
    expect([page.status, page.headers.get('content-type'), await page.text()]).toEqual([
      200,
      'text/html; charset=utf-8',
      '<p>page</p>',
    ]);
    expect((await fetch(`${server.origin}/made.mjs`)).headers.get('content-type')).toMatch(/javascript/);
    await server.close();
  });

  it('answers nothing else', async () => {
    const server = await serve({ folders: { '/files/': folder } });
    const secret = `${folder.slice(folder.lastIndexOf('/') + 1)}.secret`;
    for (const path of ['/', '/files/', '/files/none', `/files/..%2f${secret}`, '/files/%2e%2e/x', '/%ff']) {
      expect((await fetch(server.origin + path)).status).toBe(404);
    }
    await server.close();
  });

  it('isolates pages when asked', async () => {
    const bodies = new Map([['/a.html', '']]);
    const [plain, isolated] = await Promise.all([serve({ bodies }), serve({ bodies, isolated: true })]);
    expect((await fetch(`${plain.origin}/a.html`)).headers.get('cross-origin-opener-policy')).toBeNull();
    const { headers } = await fetch(`${isolated.origin}/a.html`);
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-embedder-policy')).toBe('require-corp');
    await Promise.all([plain.close(), isolated.close()]);
  });
});
