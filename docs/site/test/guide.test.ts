import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/packages/public-packages.mjs';
import { brokenLinks } from '../generator/check-links.mjs';
import { LIVE } from '../generator/live.mjs';
import { sitePages } from '../generator/site-pages.mjs';

const ASSETS = ['assets/main.js', 'assets/theme.js', 'assets/site.css'].map((path) => [path, ''] as const);

describe('the Markdown files of this repository', () => {
  const files = new Map([...sitePages(ROOT), ...ASSETS]);

  it('have no broken link or anchor', () => {
    expect(brokenLinks(files)).toEqual([]);
  });

  it('have every live example once', () => {
    const pages = [...files].filter(([path]) => path.endsWith('.html')).map(([, body]) => String(body));
    const found = pages.flatMap((html) => [...html.matchAll(/data-live="([\w-]+)"/g)].map(([, name]) => name));
    expect(found.sort()).toEqual(Object.keys(LIVE).sort());
  });
});
