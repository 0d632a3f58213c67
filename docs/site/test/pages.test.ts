import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { decodePng, encodeTrueColour } from '../../../scripts/figures/png.mjs';
import { brokenLinks } from '../generator/check-links.mjs';
import { relativeUrl, type SiteMap, siteHref } from '../generator/links.mjs';
import { renderArticle } from '../generator/markdown.mjs';
import { findPages, navigation } from '../generator/pages.mjs';
import { sitePages } from '../generator/site-pages.mjs';
import { thumbnail } from '../generator/thumbnail.mjs';

const root = mkdtempSync(join(tmpdir(), 'pelt-docs-'));
afterAll(() => rmSync(root, { recursive: true }));

/** A small repository. */
const FILES = {
  'README.md':
    '# small\n\nSee [the guide](docs/guide/README.md), [code](src/code.ts) and [more](docs/guide/recipes).\n',
  'docs/guide/README.md': '# Guide\n\n- [Zebra](zebra.md)\n- [Apple](apple.md)\n',
  'docs/guide/apple.md': '# Apple: a fruit\n\n## Core\n\nThe pips of an apple are bitter. [Up](#core)\n',
  'docs/guide/zebra.md': '# Zebra\n\n[core](apple.md#core) [schema](../extensions/schema/x.json)\n',
  'docs/guide/unlisted.md': '# Unlisted\n',
  'docs/guide/recipes/README.md': '# Recipes\n',
  'docs/guide/recipes/cloth.md': '# Cloth\n\n[back](../apple.md)\n',
  'docs/extensions/schema/x.json': '{}',
  'src/code.ts': 'export {}',
  'packages/skin/package.json': '{ "repository": { "url": "github:someone/small" } }',
};
for (const [path, text] of Object.entries(FILES)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
/** Scripts and sheets, which this build leaves to the bundler. */
const ASSETS = ['assets/main.js', 'assets/theme.js', 'assets/site.css'].map((path) => [path, ''] as const);

describe('pages', () => {
  const urls = findPages(root);

  it('are all Markdown files of the guide, folders included', () => {
    expect(urls.get('docs/guide/recipes/cloth.md')).toBe('guide/recipes/cloth.html');
    expect(urls.get('docs/guide/README.md')).toBe('guide/index.html');
    expect(urls.get('README.md')).toBe('index.html');
  });

  it('are listed in the order of the README, others after, folders as groups', () => {
    const [guide, recipes] = navigation(root, urls);
    expect(guide.items.map(({ title }) => title)).toEqual(['Guide', 'Zebra', 'Apple', 'Unlisted']);
    expect(recipes.title).toBe('Recipes');
    expect(recipes.items.map(({ url }) => url)).toEqual(['guide/recipes/index.html', 'guide/recipes/cloth.html']);
  });
});

describe('links', () => {
  const site: SiteMap = {
    root,
    repository: 'https://host/small',
    urls: findPages(root),
    copied: new Map(),
    thumbnails: new Map(),
  };

  it('lead to pages, copied files, or the repository', () => {
    expect(siteHref(site, 'docs/guide/zebra.md', 'apple.md#core')).toBe('apple.html#core');
    expect(siteHref(site, 'README.md', 'docs/guide/recipes')).toBe('guide/recipes/index.html');
    expect(siteHref(site, 'README.md', 'src/code.ts')).toBe('https://host/small/blob/main/src/code.ts');
    expect(siteHref(site, 'README.md', 'src')).toBe('https://host/small/tree/main/src');
    expect(siteHref(site, 'docs/guide/zebra.md', '../extensions/schema/x.json')).toBe('../extensions/schema/x.json');
    expect([...site.copied]).toEqual([['docs/extensions/schema/x.json', 'extensions/schema/x.json']]);
  });

  it('are refused where nothing is, and outside of the repository', () => {
    expect(() => siteHref(site, 'README.md', 'docs/nowhere.md')).toThrow(/README.md links to docs\/nowhere.md/);
    expect(() => siteHref(site, 'README.md', '../../etc/passwd')).toThrow(/does not exist/);
  });

  it('are relative, so that the site works in any folder', () => {
    expect(relativeUrl('guide/recipes/a.html', 'assets/main.js')).toBe('../../assets/main.js');
    expect(relativeUrl('index.html', 'index.html')).toBe('index.html');
  });
});

describe('pictures in tables', () => {
  it('are small, of half the size, and lead to the whole', () => {
    const picture = { width: 2, height: 4, rgb: Uint8Array.from([...Array(12).fill(10), ...Array(12).fill(200)]) };
    const small = decodePng(thumbnail(encodeTrueColour(picture)));
    expect(small).toEqual({ width: 1, height: 2, rgb: Uint8Array.from([10, 10, 10, 200, 200, 200]) });
    const html = renderArticle('| a | dark |\n|---|---|\n| ![x](p.png) | b |\n', (href) => href, {
      smaller: () => 's.png',
    }).html;
    expect(html).toContain('<td><a href="p.png"><img src="s.png" alt="x"');
    expect(html).toContain('<th class="only-dark">dark</th>');
    expect(html).toContain('<td class="only-dark">b</td>');
  });

  it('have columns of figures at the right without styles', () => {
    const { html } = renderArticle('| a | b |\n|---|--:|\n| x | 1 |\n', (href) => href);
    expect(html).toContain('<td class="right">1</td>');
    expect(html).not.toContain('style=');
  });
});

describe('the small site', () => {
  const files = new Map([...sitePages(root), ...ASSETS]);

  it('has no broken link', () => {
    expect(brokenLinks(files)).toEqual([]);
  });

  it('has neither code nor styles in its pages, nor anything of another origin', () => {
    for (const [path, body] of files) {
      if (!path.endsWith('.html')) continue;
      expect(String(body)).not.toMatch(/<script(?![^>]* src=)|<style| style="| on[a-z]+="/);
      expect(String(body)).not.toMatch(/<(?:script|img|link)[^>]*(?:src|href)="(?:https?:)?\/\//);
    }
  });

  it('notices links to nowhere, to no place in a page, and pictures of other origins', () => {
    const broken = (html: string) =>
      brokenLinks(
        new Map([
          ['a.html', html],
          ['b.html', '<p id="x">'],
        ]),
      );
    expect(broken('<a href="c.html">')).toEqual(['a.html: c.html leads nowhere']);
    expect(broken('<a href="b.html#y">')).toEqual(['a.html: b.html#y: no such place']);
    expect(broken('<a href="#z">')).toEqual(['a.html: #z: no such place']);
    expect(broken('<img src="https://host/a.png">')).toEqual(['a.html: https://host/a.png is on another origin']);
    expect(broken('<a href="/b.html">')).toEqual(['a.html: /b.html is not relative']);
    expect(broken('<a href="b.html#x"><a href="https://host/">')).toEqual([]);
  });
});
