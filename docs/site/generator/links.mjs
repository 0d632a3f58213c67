// @ts-check
/**
 * Where a link of a Markdown file leads in the site. The files are those that GitHub shows, so links are relative paths in
 * the repository: to other Markdown files, which are pages; to pictures and data, which are copied; to anything else of
 * the repository, which is shown by its host.
 */
import { existsSync, statSync } from 'node:fs';
import { dirname, extname, join, posix } from 'node:path';

const COPIED = new Set(['.png', '.gif', '.svg', '.jpg', '.webp', '.json', '.yml', '.yaml', '.zip', '.html']);

/**
 * @typedef {object} SiteMap
 * @property {string} root  folder of the repository
 * @property {string} repository  address of the repository's pages, without a slash at the end
 * @property {ReadonlyMap<string, string>} urls  path of a Markdown file → path of its page
 * @property {Map<string, string>} copied  path of a file in the repository → path in the site; grows
 * @property {Map<string, string>} thumbnails  the same for small versions of pictures
 */

/**
 * @param {SiteMap} site
 * @param {string} source  path of the file that has the link, from the root of the repository
 * @param {string} href
 * @returns {string} for the page of that file; throws where nothing is there
 */
export function siteHref(site, source, href) {
  if (/^[a-z][a-z+.-]*:/i.test(href) || href.startsWith('#')) return href;
  const from = site.urls.get(source);
  if (from === undefined) throw new Error(`docs: ${source} is not a page`);
  const [path, hash] = splitHash(href);
  const target = posix.normalize(posix.join(dirname(source), decodeURI(path))).replace(/\/$/, '');
  const file = join(site.root, target);
  if (target.startsWith('..') || !existsSync(file))
    throw new Error(`docs: ${source} links to ${href}, which does not exist`);
  const isFolder = statSync(file).isDirectory();
  const page = site.urls.get(isFolder ? posix.join(target, 'README.md') : target);
  if (page !== undefined) return relativeUrl(from, page) + hash;
  if (isFolder) return `${site.repository}/tree/main/${target}${hash}`;
  if (!COPIED.has(extname(target))) return `${site.repository}/blob/main/${target}${hash}`;
  const copy = target.startsWith('docs/') ? target.slice('docs/'.length) : posix.join('files', target);
  site.copied.set(target, copy);
  return relativeUrl(from, copy) + hash;
}

/**
 * Where the small version of a picture is; the picture itself where it is not a PNG of the repository.
 *
 * @param {SiteMap} site
 * @param {string} source  path of the file that shows it
 * @param {string} src
 */
export function thumbnailHref(site, source, src) {
  const whole = siteHref(site, source, src);
  const file = posix.normalize(posix.join(dirname(source), src));
  const copy = site.copied.get(file);
  if (!copy?.endsWith('.png')) return whole;
  site.thumbnails.set(file, copy.replace(/\.png$/, '-small.png'));
  return whole.replace(/\.png$/, '-small.png');
}

/** @param {string} href @returns {[path: string, hash: string]} */
export function splitHash(href) {
  const at = href.indexOf('#');
  return at < 0 ? [href, ''] : [href.slice(0, at), href.slice(at)];
}

/**
 * From one path of the site to another, so that it works in any folder of any host.
 *
 * @param {string} from  of a page
 * @param {string} to
 */
export function relativeUrl(from, to) {
  const path = posix.relative(dirname(from), to);
  return path === '' ? posix.basename(to) : path;
}
