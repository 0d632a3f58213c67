// @ts-check
/**
 * A Markdown file as the article of a page: what GitHub shows, plus the live example that a comment `<!-- live: NAME -->`
 * stands for. All other comments are dropped.
 */
import { readFileSync } from 'node:fs';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import MarkdownIt from 'markdown-it';
import { siteHref, thumbnailHref } from './links.mjs';
import { liveFrame } from './live.mjs';
import { useMaths } from './maths.mjs';
import { pngSize } from './png-size.mjs';
import { Slugger } from './slug.mjs';

const LANGUAGES = { sh: bash, json, py: python, python, ts: typescript, js: typescript, html: xml, yaml, yml: yaml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/**
 * @typedef {object} Heading
 * @property {number} level
 * @property {string} id
 * @property {string} text
 *
 * @typedef {object} Article
 * @property {string} html
 * @property {Heading[]} headings
 * @property {string[]} live  names of its live examples
 * @property {boolean} maths
 */

/** @param {string} code @param {string} language  unknown ones are not coloured */
export function highlighted(code, language) {
  return hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : escapeHtml(code);
}

/** @param {string} text */
export function escapeHtml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const markdown = new MarkdownIt({ html: true, linkify: false, typographer: false });
useMaths(markdown);

const { rules } = markdown.renderer;
rules.table_open = (_tokens, _k, _options, env) => {
  env.table = { column: 0, classes: [] };
  return '<div class="table" tabindex="0"><table>\n';
};
rules.table_close = (_tokens, _k, _options, env) => {
  env.table = undefined;
  return '</table></div>\n';
};
rules.tr_open = (_tokens, _k, _options, env) => {
  env.table.column = 0;
  return '<tr>\n';
};
// Of columns headed 'dark' and 'light' only that of the reader's theme is shown.
rules.th_open = (tokens, k, options, env, self) => {
  const text = tokens[k + 1].content;
  env.table.classes.push(text === 'dark' || text === 'light' ? `only-${text}` : '');
  return cell(tokens, k, options, env, self);
};
rules.td_open = cell;

/** @type {NonNullable<typeof rules.td_open>} */
function cell(tokens, k, options, env, self) {
  const name = env.table.classes[env.table.column++];
  if (name) tokens[k].attrJoin('class', name);
  const align = tokens[k].attrGet('style')?.replace('text-align:', '');
  if (align) tokens[k].attrs = [...(tokens[k].attrs ?? []).filter(([key]) => key !== 'style'), ['class', align]];
  return self.renderToken(tokens, k, options);
}
rules.html_block = rules.html_inline = (tokens, k, _options, env) => {
  const live = /^<!--\s*live:\s*([\w-]+)\s*-->/.exec(tokens[k].content);
  if (live) {
    env.live.push(live[1]);
    return liveFrame(live[1]);
  }
  return tokens[k].content.replaceAll(/<!--[\s\S]*?-->\n?/g, '');
};
rules.fence = (tokens, k) => {
  const [language = ''] = tokens[k].info.trim().split(/\s+/);
  return `<pre><code class="language-${language || 'text'}">${highlighted(tokens[k].content, language)}</code></pre>\n`;
};
rules.image = (tokens, k, options, env, self) => {
  const token = tokens[k];
  const alt = self.renderInlineAsText(token.children ?? [], options, env);
  const source = token.attrGet('src') ?? '';
  const { width, height } = env.sizeOf(source);
  const size = width ? ` width="${width}" height="${height}"` : '';
  const picture = (/** @type {string} */ src) =>
    `<img src="${escapeHtml(src)}" alt="${escapeHtml(alt)}"${size} loading="lazy" decoding="async">`;
  const whole = env.resolve(source);
  return env.table ? `<a href="${escapeHtml(whole)}">${picture(env.smaller(source))}</a>` : picture(whole);
};
const renderLink = (
  /** @type {Parameters<NonNullable<typeof rules.link_open>>} */ ...[tokens, k, options, env, self]
) => {
  const href = env.resolve(tokens[k].attrGet('href') ?? '');
  tokens[k].attrSet('href', href);
  if (/^https?:/.test(href)) tokens[k].attrSet('rel', 'external');
  return self.renderToken(tokens, k, options);
};
rules.link_open = renderLink;
rules.heading_open = (tokens, k, _options, env) => {
  const level = Number(tokens[k].tag.slice(1));
  const text = plainText(tokens[k + 1]);
  const id = env.slugger.next(text);
  env.headings.push({ level, id, text });
  return `<${tokens[k].tag} id="${id}">`;
};
rules.heading_close = (tokens, k, _options, env) => {
  const { id, level } = env.headings.at(-1);
  const anchor = level === 1 ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
  return `${anchor}</${tokens[k].tag}>\n`;
};

/** @param {import('markdown-it').Token} token  of a heading's inside */
function plainText(token) {
  return (token.children ?? [])
    .map((child) => (child.type === 'softbreak' ? ' ' : child.type.startsWith('html') ? '' : child.content))
    .join('');
}

/**
 * @typedef {object} Pictures  of a file
 * @property {(src: string) => { width: number, height: number }} sizeOf  zero for unknown
 * @property {(src: string) => string} smaller  where its small version is, for a cell of a table
 *
 * @param {string} text  of the file
 * @param {(href: string) => string} resolve  where a link or a picture of the file is, seen from its page
 * @param {Partial<Pictures>} [pictures]
 * @returns {Article}
 */
export function renderArticle(text, resolve, pictures = {}) {
  const { sizeOf = () => ({ width: 0, height: 0 }), smaller = resolve } = pictures;
  const env = { resolve, sizeOf, smaller, slugger: new Slugger(), headings: [], live: [] };
  const html = markdown.render(text, env);
  return { html, headings: env.headings, live: env.live, maths: html.includes('class="katex"') };
}

/**
 * Text of a comment in the sources: no headings, no examples.
 *
 * @param {string} text
 * @param {(href: string) => string} resolve
 */
export function renderComment(text, resolve) {
  return renderArticle(text, resolve).html;
}

/**
 * @param {import('./links.mjs').SiteMap} site
 * @param {string} source  path of the file from the root of the repository
 * @param {string} text
 */
export function renderFile(site, source, text) {
  return renderArticle(text, (href) => siteHref(site, source, href), {
    smaller: (src) => thumbnailHref(site, source, src),
    sizeOf(src) {
      siteHref(site, source, src);
      if (!src.endsWith('.png')) return { width: 0, height: 0 };
      return pngSize(readFileSync(new URL(src, `file://${site.root}/${source}`)));
    },
  });
}
