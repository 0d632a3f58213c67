// @ts-check
/** The changelog as text: what a version says, and how the unreleased changes become one. */

/**
 * @param {string} text  of CHANGELOG.md
 * @param {string} version
 * @returns {string} the section of the version, without its heading
 */
export function notesOf(text, version) {
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')} – \\d{4}-\\d\\d-\\d\\d\\n`, 'm').exec(text);
  if (!heading) throw new Error(`CHANGELOG.md has no section for ${version}; run npm run bump -- ${version}`);
  const rest = text.slice(heading.index + heading[0].length);
  const end = rest.search(/^## /m);
  return `${(end < 0 ? rest : rest.slice(0, end)).trim()}\n`;
}

/**
 * @param {string} text  of CHANGELOG.md
 * @param {string} version  the new one
 * @param {string} day  as 2026-11-18
 * @returns {string} with the unreleased changes under the version, and an empty section for the next
 */
export function released(text, version, day) {
  const unreleased = '## Unreleased\n';
  const start = text.indexOf(unreleased);
  if (start < 0) throw new Error('CHANGELOG.md has no section called Unreleased');
  const rest = text.slice(start + unreleased.length);
  const next = rest.search(/^## /m);
  if ((next < 0 ? rest : rest.slice(0, next)).trim() === '') throw new Error('nothing is unreleased');
  return `${text.slice(0, start)}${unreleased}\n## ${version} – ${day}\n${rest}`;
}
