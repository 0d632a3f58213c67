// @ts-check
/** Every link, picture, sheet and script of a built page has to lead to a file of the site, and every anchor to a place. */
import { posix } from 'node:path';
import { splitHash } from './links.mjs';

/**
 * @param {ReadonlyMap<string, string | Uint8Array>} files  path in the site → contents
 * @returns {string[]} what is wrong, one line each
 */
export function brokenLinks(files) {
  /** @type {Map<string, Set<string>>} */
  const anchors = new Map();
  for (const [path, body] of files) {
    if (path.endsWith('.html') && typeof body === 'string') anchors.set(path, idsOf(body));
  }
  /** @type {string[]} */
  const problems = [];
  for (const [path, ids] of anchors) {
    const html = /** @type {string} */ (files.get(path));
    for (const [, kind, href] of html.matchAll(/<(?:[^<>]*?)\s(href|src)="([^"]*)"/g)) {
      const problem = judge(path, ids, kind, href.replaceAll('&amp;', '&'));
      if (problem) problems.push(`${path}: ${problem}`);
    }
  }
  return problems;

  /** @param {string} page @param {Set<string>} ids @param {string} kind @param {string} href */
  function judge(page, ids, kind, href) {
    if (/^(?:https?:|mailto:)/.test(href)) return kind === 'src' ? `${href} is on another origin` : undefined;
    if (href.startsWith('data:')) return undefined;
    if (/^[a-z]+:|^\//i.test(href)) return `${href} is not relative`;
    const [path, hash] = splitHash(href);
    const target = path === '' ? page : posix.normalize(posix.join(posix.dirname(page), decodeURI(path)));
    if (!files.has(target)) return `${href} leads nowhere`;
    const known = target === page ? ids : anchors.get(target);
    if (hash.length > 1 && known && !known.has(decodeURIComponent(hash.slice(1)))) return `${href}: no such place`;
    return undefined;
  }
}

/** @param {string} html */
function idsOf(html) {
  return new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id));
}
