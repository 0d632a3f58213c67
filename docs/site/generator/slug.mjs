// @ts-check
/** Anchors of headings as GitHub makes them, so that one link works there and in the site. */

/** @param {string} text  of a heading, without markup */
export function slugOf(text) {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** Gives every heading of a page an anchor of its own: a second 'Limits' is 'limits-1'. */
export class Slugger {
  /** @type {Map<string, number>} */
  #seen = new Map();

  /** @param {string} text */
  next(text) {
    const slug = slugOf(text);
    const count = this.#seen.get(slug) ?? 0;
    this.#seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  }
}
