// @ts-check
/** Puts the fallback for hosts without headers into a page, before its own scripts. */

/** @param {string} html */
export function isolated(html) {
  const first = html.indexOf('<script');
  if (first < 0) throw new Error('the page has no script');
  return `${html.slice(0, first)}<script src="./isolate.js"></script>\n    ${html.slice(first)}`;
}
