import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/packages/public-packages.mjs';
import { aboutOf, llmsText } from '../generator/llms.mjs';
import { findPages } from '../generator/pages.mjs';

describe('llms.txt', () => {
  it('lists every page once, with its heading', () => {
    const text = llmsText(ROOT);
    const links = [...text.matchAll(/^- \[(.+?)\]\((.+?)\)/gm)].map(([, title, url]) => ({ title, url }));
    const urls = [...findPages(ROOT).values()].filter((url) => url !== 'index.html');
    expect(links.map(({ url }) => url).toSorted()).toEqual(urls.toSorted());
    expect(links.filter(({ title }) => title === '')).toEqual([]);
    expect(text).toMatch(/^# pelt\n\n> \w/);
  });

  it('takes the first sentence without marks', () => {
    const page = '# `A` page\n\n![picture](x.png)\n\n<!-- note -->\n\nOne [link](y.md) and\nmore. Two.';
    expect(aboutOf(page)).toEqual({ title: 'A page', about: 'One link and more.' });
    expect(aboutOf('')).toEqual({ title: '', about: '' });
  });
});
