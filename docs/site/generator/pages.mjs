// @ts-check
/** Which Markdown files are pages, where they are in the site, and how the navigation lists them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';

/**
 * @typedef {object} NavItem
 * @property {string} title
 * @property {string} url
 *
 * @typedef {object} NavGroup
 * @property {string} title
 * @property {NavItem[]} items
 */

/** Files outside of the folders that are taken whole. */
const SINGLE = [
  ['README.md', 'index.html'],
  ['docs/benchmarks.md', 'benchmarks.html'],
  ['docs/beside.md', 'beside.html'],
  ['docs/api/README.md', 'api/index.html'],
  ['docs/DESIGN.md', 'design.html'],
  ['CONTRIBUTING.md', 'contributing.html'],
  ['CHANGELOG.md', 'changelog.html'],
  ['apps/studio/README.md', 'studio.html'],
];
/** Folders whose Markdown files are pages, with the folders inside. */
const WHOLE = ['docs/guide', 'docs/extensions'];
/** Folders with one README for each of their folders. */
const READMES = ['packages', 'integrations'];

/**
 * @param {string} root  folder of the repository
 * @returns {Map<string, string>} path of the file → path of the page
 */
export function findPages(root) {
  /** @type {Map<string, string>} */
  const urls = new Map();
  for (const [source, url] of SINGLE) if (existsSync(join(root, source))) urls.set(source, url);
  for (const folder of WHOLE) {
    for (const source of markdownIn(root, folder)) {
      urls.set(
        source,
        source
          .slice('docs/'.length)
          .replace(/README\.md$/, 'index.md')
          .replace(/\.md$/, '.html'),
      );
    }
  }
  for (const group of READMES) {
    for (const name of existsSync(join(root, group)) ? readdirSync(join(root, group)).sort() : []) {
      const source = `${group}/${name}/README.md`;
      if (existsSync(join(root, source))) urls.set(source, `${group}/${name}.html`);
    }
  }
  return urls;
}

/** @param {string} root @param {string} folder @returns {string[]} */
function markdownIn(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory()) return markdownIn(root, path);
      return entry.name.endsWith('.md') ? [path] : [];
    });
}

/** The first heading of a file, without markup. @param {string} text @param {string} fallback */
export function titleOf(text, fallback) {
  const heading = /^# (.+)$/m.exec(text)?.[1];
  return heading?.replaceAll(/[`*]/g, '') ?? fallback;
}

/**
 * Pages of the guide in the order in which its README lists them, then all others by name; a folder is a group of its
 * own.
 *
 * @param {string} root
 * @param {ReadonlyMap<string, string>} urls
 * @returns {NavGroup[]}
 */
export function navigation(root, urls) {
  /** @param {string} source @returns {NavItem} */
  const item = (source) => {
    const title = titleOf(readFileSync(join(root, source), 'utf8'), basename(source, '.md'));
    // 'Fit: bones and weights from …' is 'Fit' in a list.
    return { title: title.split(':')[0], url: /** @type {string} */ (urls.get(source)) };
  };
  const all = [...urls.keys()];
  const guide = all.filter((source) => /^docs\/guide\/[^/]+$/.test(source));
  const listed = guideOrder(root).filter((source) => guide.includes(source));
  const ordered = [...new Set(['docs/guide/README.md', ...listed, ...guide])].filter((source) =>
    guide.includes(source),
  );
  const folders = [...new Set(all.flatMap((source) => /^docs\/guide\/([^/]+)\//.exec(source)?.[1] ?? []))];
  const inside = (/** @type {string} */ prefix) => all.filter((source) => source.startsWith(prefix)).map(item);
  const some = (/** @type {string[]} */ sources) => sources.filter((source) => urls.has(source)).map(item);
  const groups = [
    { title: 'Guide', items: ordered.map(item) },
    ...folders.map((folder) => ({ title: capitalised(folder), items: inside(`docs/guide/${folder}/`) })),
    { title: 'Measured', items: some(['docs/benchmarks.md', 'docs/beside.md']) },
    { title: 'Extensions', items: inside('docs/extensions/') },
    { title: 'Packages', items: inside('packages/') },
    { title: 'Integrations', items: inside('integrations/') },
    {
      title: 'Project',
      items: some(['docs/DESIGN.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'apps/studio/README.md']),
    },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

/** Links of the guide's README, in order. @param {string} root */
function guideOrder(root) {
  const readme = join(root, 'docs/guide/README.md');
  const text = existsSync(readme) ? readFileSync(readme, 'utf8') : '';
  return [...text.matchAll(/\]\(([^)#]+\.md)/g)].map(([, path]) => posix.normalize(posix.join('docs/guide', path)));
}

/** @param {string} name */
function capitalised(name) {
  const words = name.replaceAll('-', ' ');
  return words[0].toUpperCase() + words.slice(1);
}
