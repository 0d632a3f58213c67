// @ts-check
/** The sheet and the fonts of formulas, which only pages with formulas load. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * @param {string} sheet  rules that were `style` attributes
 * @returns {Map<string, string | Uint8Array>}
 */
export function mathsFiles(sheet) {
  const folder = new URL('.', `file://${createRequire(import.meta.url).resolve('katex/dist/katex.min.css')}`);
  const css = readFileSync(new URL('katex.min.css', folder), 'utf8')
    // Every browser that runs the examples reads WOFF 2.
    .replaceAll(/,url\([^)]*\) format\("(?:woff|truetype)"\)/g, '');
  /** @type {Map<string, string | Uint8Array>} */
  const files = new Map([['assets/maths/maths.css', `${css}\n${sheet}\n`]]);
  for (const [, name] of css.matchAll(/url\(fonts\/([^)]*)\)/g)) {
    files.set(`assets/maths/fonts/${name}`, readFileSync(new URL(`fonts/${name}`, folder)));
  }
  return files;
}
