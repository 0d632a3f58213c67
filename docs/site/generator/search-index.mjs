// @ts-check
/** The search index: one document per section of a page, so that a hit leads to the place. */
import MiniSearch from 'minisearch';

/**
 * @typedef {object} Section
 * @property {string} id  address: the page and the anchor
 * @property {string} title  of the section
 * @property {string} page  title of the page
 * @property {string} text
 */

/** What index and query must agree on; the client has the same. */
export const INDEX_OPTIONS = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page'],
};

/**
 * @param {string} url  of the page
 * @param {string} page  its title
 * @param {string} html  of its article
 * @returns {Section[]}
 */
export function sectionsOf(url, page, html) {
  const parts = html.split(/(?=<h[1-4] id=")/);
  return parts.flatMap((part) => {
    const heading = /^<h(\d) id="([^"]*)">([\s\S]*?)<\/h\1>/.exec(part);
    const text = textOf(heading ? part.slice(heading[0].length) : part);
    if (!heading && text === '') return [];
    const level = Number(heading?.[1] ?? 1);
    const title = heading ? textOf(heading[3].replace(/<a class="anchor".*?<\/a>/, '')) : page;
    return [{ id: level === 1 || !heading ? url : `${url}#${heading[2]}`, title, page, text }];
  });
}

/** @param {string} html */
function textOf(html) {
  return html
    .replaceAll(/<annotation[\s\S]*?<\/annotation>|<section class="live"[\s\S]*?<\/section>/g, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** @param {readonly Section[]} sections @returns {string} JSON */
export function searchIndex(sections) {
  const index = new MiniSearch(INDEX_OPTIONS);
  // A page whose sections share an address is found once.
  const seen = new Map(sections.map((section) => [section.id, section]));
  index.addAll([...seen.values()]);
  return JSON.stringify(index);
}
