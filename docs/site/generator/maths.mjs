// @ts-check
/**
 * Formulas as GitHub reads them, `$…$` in a line and `$$…$$` as a paragraph, typeset by KaTeX when the site is built.
 * A page with a strict policy refuses `style` attributes, of which KaTeX writes many: they become classes.
 */
import katex from 'katex';

/**
 * @param {import('markdown-it').default} markdown
 */
export function useMaths(markdown) {
  markdown.block.ruler.before('paragraph', 'maths', blockFormula, { alt: ['paragraph', 'list'] });
  markdown.inline.ruler.before('escape', 'maths', inlineFormula);
  markdown.renderer.rules.maths_block = (tokens, k) =>
    `<div class="formula">${typeset(tokens[k].content, true)}</div>\n`;
  markdown.renderer.rules.maths_inline = (tokens, k) => typeset(tokens[k].content, false);
}

/** @param {string} formula @param {boolean} displayMode */
function typeset(formula, displayMode) {
  return katex.renderToString(formula, { displayMode, throwOnError: true, strict: 'error' });
}

/** @type {import('markdown-it/lib/parser_block.mjs').RuleBlock} */
function blockFormula(state, first, last, silent) {
  const lineAt = (/** @type {number} */ line) =>
    state.src.slice(state.bMarks[line] + state.tShift[line], state.eMarks[line]);
  if (!lineAt(first).startsWith('$$')) return false;
  let end = first;
  while (!(end > first || lineAt(end).length > 2) || !lineAt(end).trimEnd().endsWith('$$'))
    if (++end >= last) return false;
  if (silent) return true;
  const text = Array.from({ length: end - first + 1 }, (_, k) => lineAt(first + k)).join('\n');
  const token = state.push('maths_block', 'div', 0);
  token.content = text.trim().slice(2, -2).trim();
  token.map = [first, end + 1];
  state.line = end + 1;
  return true;
}

/** @type {import('markdown-it/lib/parser_inline.mjs').RuleInline} */
function inlineFormula(state, silent) {
  // Not a formula: `$5 and $6`, where a space stands inside one of the signs or a digit behind the second.
  const match = /^\$(?!\s)((?:[^$\\]|\\.)+?)(?<!\s)\$(?!\d)/s.exec(state.src.slice(state.pos));
  if (!match) return false;
  if (!silent) state.push('maths_inline', 'span', 0).content = match[1];
  state.pos += match[0].length;
  return true;
}

/** Gathers the styles of all pages as classes of one sheet. */
export class StyleClasses {
  /** @type {Map<string, string>} */
  #names = new Map();

  /** The same markup without `style` attributes. @param {string} html */
  hoist(html) {
    return html.replaceAll(/<[a-z][^<>]*? style="([^"]*)"[^<>]*>/g, (tag, style) => {
      const name = this.#nameOf(style);
      const bare = tag.replace(` style="${style}"`, '');
      return / class="/.test(bare)
        ? bare.replace(' class="', ` class="${name} `)
        : bare.replace(/^<[a-z][\w-]*/, (start) => `${start} class="${name}"`);
    });
  }

  get sheet() {
    // Twice the class, so that it outweighs the rules of KaTeX as the attribute did.
    return [...this.#names].map(([style, name]) => `.${name}.${name}{${style}}`).join('\n');
  }

  /** @param {string} style */
  #nameOf(style) {
    const known = this.#names.get(style);
    if (known) return known;
    const name = `x${this.#names.size.toString(36)}`;
    this.#names.set(style, name);
    return name;
  }
}
