// @ts-check
/** The whole site as a map from paths to contents. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest } from '../../../scripts/packages/public-packages.mjs';
import { readReference } from '../../api/reference.mjs';
import { bundleClient } from './bundle.mjs';
import { brokenLinks } from './check-links.mjs';
import { layout } from './layout.mjs';
import { renderFile } from './markdown.mjs';
import { StyleClasses } from './maths.mjs';
import { mathsFiles } from './maths-files.mjs';
import { liveModels } from './models.mjs';
import { findPages, navigation, titleOf } from './pages.mjs';
import { referencePages } from './reference-pages.mjs';
import { searchIndex, sectionsOf } from './search-index.mjs';

/**
 * @typedef {Map<string, string | Uint8Array>} SiteFiles
 * @typedef {import('./layout.mjs').PageParts} PageParts
 */

/**
 * @param {string} root  folder of the repository
 * @param {(message: string) => void} [log]
 * @returns {Promise<SiteFiles>} throws where a link leads nowhere
 */
export async function buildSite(root, log = () => {}) {
  /** @type {SiteFiles} */
  const files = new Map();
  const step = async (
    /** @type {string} */ name,
    /** @type {() => Promise<Iterable<[string, string | Uint8Array]>>} */ make,
  ) => {
    const start = performance.now();
    for (const [path, body] of await make()) files.set(path, body);
    log(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  };
  await step('scripts', bundleClient);
  await step('models of the live examples', liveModels);
  await step('pages', async () => pagesAndAssets(root, (await readReference()).project));
  const broken = brokenLinks(files);
  if (broken.length > 0) throw new Error(`docs: ${broken.length} broken links\n${broken.join('\n')}`);
  return files;
}

/**
 * Everything made of Markdown and comments: pages, what they link to, the search index.
 *
 * @param {string} root
 * @param {import('../../api/reference.mjs').ProjectReflection} [project]  absent: no reference
 * @returns {SiteFiles}
 */
export function pagesAndAssets(root, project) {
  const urls = findPages(root);
  /** @type {import('./links.mjs').SiteMap} */
  const site = { root, repository: repositoryOf(root), urls, copied: new Map() };
  const pages = [...urls].map(([source, url]) => pageOf(site, source, url));
  const reference = project ? referencePages(project).map(pageOfModule) : [];
  const groups = navigation(root, urls);
  const overview = { title: 'Overview', url: 'api/index.html' };
  const modules = { title: 'API', items: [...(urls.has('docs/api/README.md') ? [overview] : []), ...reference] };
  if (reference.length > 0) groups.splice(-1, 0, modules);

  const all = [...pages, ...reference];
  const styles = new StyleClasses();
  /** @type {SiteFiles} */
  const files = new Map();
  for (const page of all) files.set(page.url, styles.hoist(layout(page, groups, neighboursOf(page.url, groups))));
  for (const [source, path] of site.copied) files.set(path, readFileSync(join(root, source)));
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
  return repository.url.replace(/^github:/, 'https://github.com/');
}
