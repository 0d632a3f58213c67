import { describe, expect, it } from 'vitest';
import { renderArticle } from '../generator/markdown.mjs';
import { StyleClasses } from '../generator/maths.mjs';
import { pngSize } from '../generator/png-size.mjs';
import { Slugger, slugOf } from '../generator/slug.mjs';

const render = (text: string) => renderArticle(text, (href) => `to:${href}`);

describe('anchors', () => {
  it('are those of GitHub', () => {
    expect(slugOf('The call')).toBe('the-call');
    expect(slugOf('Keys, bytes, loops')).toBe('keys-bytes-loops');
    expect(slugOf('What is `--json`?')).toBe('what-is---json');
    expect(slugOf('Größe & Maß')).toBe('größe--maß');
  });

  it('are unique in a page', () => {
    const slugger = new Slugger();
    expect(['Limits', 'Limits', 'Limits'].map((text) => slugger.next(text))).toEqual([
      'limits',
      'limits-1',
      'limits-2',
    ]);
  });
});

describe('articles', () => {
  it('list their headings, without markup', () => {
    const { headings, html } = render('# Fit: *bones*\n\n## The `call`\n');
    expect(headings).toEqual([
      { level: 1, id: 'fit-bones', text: 'Fit: bones' },
      { level: 2, id: 'the-call', text: 'The call' },
    ]);
    expect(html).toContain('<h2 id="the-call">');
  });

  it('drop comments, and with them the code that only tests see', () => {
    expect(render('before\n\n<!-- ts\nimport x;\n-->\n\nafter').html).toBe('<p>before</p>\n<p>after</p>\n');
  });

  it('have live examples where a comment says so, and refuse unknown ones', () => {
    const { html, live } = render('<!-- live: fit -->\n');
    expect(live).toEqual(['fit']);
    expect(html).toContain('data-live="fit"');
    expect(() => render('<!-- live: nothing -->')).toThrow(/no live example 'nothing'.*fit, skeleton/);
  });

  it('resolve links and pictures, and say which leave the site', () => {
    const { html } = render('[a](b.md) ![c](d.png) [e](https://example.org)');
    expect(html).toContain('<a href="to:b.md">');
    expect(html).toContain('src="to:d.png" alt="c"');
    expect(render('[e](https://example.org)').html).not.toContain('external');
    expect(renderArticle('[e](https://example.org)', (href) => href).html).toContain('rel="external"');
  });

  it('colour code of known languages and leave others as they are', () => {
    expect(render('```ts parse\nconst x = 1;\n```').html).toContain('<span class="hljs-keyword">const</span>');
    expect(render('```\na < b\n```').html).toContain('a &lt; b');
  });
});

describe('formulas', () => {
  it('are typeset in a line and as a paragraph', () => {
    const inline = render('Let $T_k = 1$ be.');
    expect(inline.maths).toBe(true);
    expect(inline.html).toMatch(/^<p>Let <span class="katex">/);
    expect(render('$$\\sum_i x_i$$').html).toMatch(/^<div class="formula"><span class="katex-display">/);
    expect(render('$$\na\n+ b\n$$\n\nafter').html).toMatch(/<\/div>\n<p>after<\/p>/);
  });

  it('are not amounts of money or code', () => {
    expect(render('from $5 to $6').maths).toBe(false);
    expect(render('`$x$`').maths).toBe(false);
  });

  it('are errors where they are wrong', () => {
    expect(() => render('$\\frac{1$')).toThrow(/KaTeX/);
  });

  it('have classes for styles, one for each', () => {
    const classes = new StyleClasses();
    expect(classes.hoist('<b style="x:1">a</b><i class="c" style="x:1">b</i><b id="q" style="y:2">c</b>')).toBe(
      '<b class="x0">a</b><i class="x0 c">b</i><b class="x1" id="q">c</b>',
    );
    expect(classes.sheet).toBe('.x0.x0{x:1}\n.x1.x1{y:2}');
    expect(classes.hoist(render('$$\\Bigl\\| \\frac{a}{b} \\Bigr\\|$$').html)).not.toContain('style=');
  });
});

describe('sizes of pictures', () => {
  it('come from the header', () => {
    const bytes = new Uint8Array(24);
    bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    bytes.set([0, 0, 1, 2, 0, 0, 0, 7], 16);
    expect(pngSize(bytes)).toEqual({ width: 258, height: 7 });
    expect(() => pngSize(new Uint8Array(8))).toThrow(/not a PNG/);
  });
});
