// @ts-check
/** Everything made of text: pages of Markdown files and of modules, what they link to, the search index. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest } from '../../../scripts/packages/public-packages.mjs';
import { layout } from './layout.mjs';
import { relativeUrl } from './links.mjs';
import { renderFile } from './markdown.mjs';
import { StyleClasses } from './maths.mjs';
import { mathsFiles } from './maths-files.mjs';
import { findPages, navigation, titleOf } from './pages.mjs';
import { searchIndex, sectionsOf } from './search-index.mjs';

/**
 * @typedef {Map<string, string | Uint8Array>} SiteFiles  path in the site → contents
 * @typedef {import('./layout.mjs').PageParts} PageParts
 */

/**
 * @param {string} root  folder of the repository
 * @param {readonly import('./reference-pages.mjs').ReferencePage[]} [modules]  of the reference
 * @param {(png: Uint8Array) => Uint8Array} [smaller]  makes the small version of a picture in a table
 * @returns {SiteFiles}
 */
export function sitePages(root, modules = [], smaller = (png) => png) {
  const urls = findPages(root);
  /** @type {import('./links.mjs').SiteMap} */
  const site = { root, repository: repositoryOf(root), urls, copied: new Map(), thumbnails: new Map() };
  const pages = [...urls].map(([source, url]) => pageOf(site, source, url));
  const groups = navigation(root, urls);
  if (modules.length > 0) {
    groups.splice(-1, 0, { title: 'API', items: [{ title: 'Overview', url: 'api/index.html' }, ...modules] });
    const overview = pages.find(({ url }) => url === 'api/index.html');
    if (overview) overview.html += moduleList(modules);
  }

  const all = [...pages, ...modules.map(pageOfModule)];
  const styles = new StyleClasses();
  /** @type {SiteFiles} */
  const files = new Map();
  for (const page of all) files.set(page.url, styles.hoist(layout(page, groups, neighboursOf(page.url, groups))));
  for (const [source, path] of site.copied) files.set(path, readFileSync(join(root, source)));
  for (const [source, path] of site.thumbnails) files.set(path, smaller(readFileSync(join(root, source))));
  for (const [path, body] of mathsFiles(styles.sheet)) files.set(path, body);
  files.set('assets/search.json', searchIndex(all.flatMap(({ url, title, html }) => sectionsOf(url, title, html))));
  return files;
}

/** @param {import('./links.mjs').SiteMap} site @param {string} source @param {string} url @returns {PageParts} */
function pageOf(site, source, url) {
  const text = readFileSync(join(site.root, source), 'utf8');
  const { html, headings, maths } = renderFile(site, source, text);
  const description = /^(?!#|!|<|\||`)\S.*(?:\n\S.*)*/m
    .exec(text)?.[0]
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[`*]|\[|\]\([^)]*\)/g, '');
  const kind = url === 'index.html' ? 'home' : 'text';
  return { url, title: titleOf(text, source), html, headings, maths, kind, description };
}

/** @param {import('./reference-pages.mjs').ReferencePage} page @returns {PageParts} */
function pageOfModule({ title, url, html }) {
  return { title, url, html, headings: [], maths: false, kind: 'reference' };
}

/** @param {readonly import('./reference-pages.mjs').ReferencePage[]} modules */
function moduleList(modules) {
  const items = modules.map(
    ({ title, url }) => `<li><a href="${relativeUrl('api/index.html', url)}">${title}</a></li>`,
  );
  return `<h2 id="modules">Modules</h2>\n<ul>${items.join('')}</ul>\n`;
}

/** @param {string} url @param {readonly import('./pages.mjs').NavGroup[]} groups */
function neighboursOf(url, groups) {
  const group = groups.find(({ items }) => items.some((item) => item.url === url));
  if (!group) return {};
  const k = group.items.findIndex((item) => item.url === url);
  return { previous: group.items[k - 1], next: group.items[k + 1] };
}

/** Address of the repository's pages, from the manifest of a package. @param {string} root */
function repositoryOf(root) {
  const { repository } = /** @type {{ repository: { url: string } }} */ (
    /** @type {unknown} */ (readManifest(join(root, 'packages/skin')))
  );
  return repository.url.replace(/^github:/, 'https://github.com/').replace(/^git\+(.*?)(?:\.git)?$/, '$1');
}
