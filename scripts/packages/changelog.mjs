// @ts-check
/** The changelog as text: what a version says, and how the unreleased changes become one. */

/**
 * @param {string} text  of CHANGELOG.md
 * @param {string} version
 * @returns {string} the section of the version, without its heading
 */
export function notesOf(text, version) {
  const section = sectionOf(text, version);
  if (!section) throw new Error(`CHANGELOG.md has no section for ${version}; run npm run bump -- ${version}`);
  return `${section.body.trim()}\n`;
}

/**
 * The unreleased changes under a version, and an empty section for the next. A version that has a section already, because it
 * was written down and not published yet, takes them in: lists of the same heading are joined, the newer entries last.
 *
 * @param {string} text  of CHANGELOG.md
 * @param {string} version
 * @param {string} day  as 2026-11-18
 */
export function released(text, version, day) {
  const { before, fresh, older } = partsOf(text);
  if (fresh.trim() === '') throw new Error('nothing is unreleased');
  const known = sectionOf(older, version);
  if (!known) return `${before}\n## ${version} – ${day}\n${fresh}${older}`;
  const joined = joinLists(known.body, fresh);
  return `${before}\n${older.slice(0, known.start)}## ${version} – ${day}\n\n${joined}\n${older.slice(known.end)}`;
}

/** Whether there are changes that no version has. @param {string} text  of CHANGELOG.md */
export function hasUnreleased(text) {
  return partsOf(text).fresh.trim() !== '';
}

/** What comes before the unreleased changes, they themselves, and what is older. @param {string} text */
function partsOf(text) {
  const unreleased = '## Unreleased\n';
  const start = text.indexOf(unreleased);
  if (start < 0) throw new Error('CHANGELOG.md has no section called Unreleased');
  const from = start + unreleased.length;
  const rest = text.slice(from);
  const next = rest.search(/^## /m);
  const before = text.slice(0, from);
  return next < 0
    ? { before, fresh: rest, older: '' }
    : { before, fresh: rest.slice(0, next), older: rest.slice(next) };
}

/** Where a version is in a changelog. @param {string} text @param {string} version */
function sectionOf(text, version) {
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')} – \\d{4}-\\d\\d-\\d\\d\\n`, 'm').exec(text);
  if (!heading) return undefined;
  const from = heading.index + heading[0].length;
  const length = text.slice(from).search(/^## /m);
  const end = length < 0 ? text.length : from + length;
  return { start: heading.index, end, body: text.slice(from, end) };
}

/** Lists under the headings of both, in the order of the first. @param {string} one @param {string} other */
function joinLists(one, other) {
  /** @type {Map<string, string[]>} */
  const lists = new Map();
  for (const text of [one, other]) {
    for (const part of text.split(/^### /m).slice(1)) {
      const [title, ...lines] = part.split('\n');
      lists.set(title, [
        ...(lists.get(title) ?? []),
        lines
          .join('\n')
          .replace(/\n{2,}/g, '\n')
          .trim(),
      ]);
    }
  }
  return [...lists].map(([title, entries]) => `### ${title}\n\n${entries.join('\n')}\n`).join('\n');
}
