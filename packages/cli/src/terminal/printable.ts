/**
 * Names come from files, and files from anywhere: a control character in one could move the cursor, change the
 * terminal's title or hide what is printed. Everything that goes to a terminal passes through here.
 */

/** C0, DEL, C1, line and paragraph separators, marks that change the direction of text, and the byte order mark. */
const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to find
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** One line of text with every such character shown as an escape, `\n` or `\u{1b}`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\t') return ' ';
    return `\\u{${character.charCodeAt(0).toString(16)}}`;
  });
}

/** JSON whose strings hold no such character raw; it parses to the same value. */
export function printableJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent);
  const lines = text
    .split('\n')
    .map((line) =>
      line.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
    );
  return lines.join('\n');
}
