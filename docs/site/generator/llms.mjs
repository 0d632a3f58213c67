// @ts-check
/** `llms.txt`: the pages of the site for programs that read, with a line on what each is about. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPages } from './pages.mjs';

/**
 * @param {string} root  folder of the repository
 * @returns {string} Markdown: a title, a summary, and a list of links for each kind of page
 */
export function llmsText(root) {
  const texts = [...findPages(root)].map(([source, url]) => ({
    url,
    ...aboutOf(readFileSync(join(root, source), 'utf8')),
  }));
  const [home] = texts;
  const groups = new Map([
    ['Guide', texts.filter(({ url }) => url.startsWith('guide/'))],
    ['Extensions of glTF', texts.filter(({ url }) => url.startsWith('extensions/'))],
    ['More', texts.filter(({ url }) => !/^(?:guide|extensions)\//.test(url) && url !== home.url)],
  ]);
  const lines = [`# ${home.title}`, '', `> ${home.about}`];
  for (const [name, pages] of groups) {
    lines.push('', `## ${name}`, '');
    for (const { url, title, about } of pages) lines.push(`- [${title}](${url})${about ? `: ${about}` : ''}`);
  }
  return `${lines.join('\n')}\n`;
}

/**
 * The heading of a page and the first sentence of its first paragraph, as plain text.
 *
 * @param {string} markdown
 */
export function aboutOf(markdown) {
  const plain = markdown.replace(/<!--.*?-->/gs, '');
  const title = /^# (.+)$/m.exec(plain)?.[1] ?? '';
  const paragraph = plain
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .find((block) => /^[A-Za-z`[]/.test(block));
  const words = (paragraph ?? '').replace(/\s+/g, ' ').replace(/\[([^\]]+)\]\([^)]*\)/g, '$1');
  return { title: title.replaceAll('`', ''), about: /^.*?[.:](?= |$)/.exec(words)?.[0].replace(/:$/, '.') ?? words };
}
