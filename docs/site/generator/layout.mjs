// @ts-check
/** A whole page: head with its policy, header, navigation, article, table of contents. */
import { relativeUrl } from './links.mjs';
import { escapeHtml } from './markdown.mjs';

/**
 * Nothing from another origin, no code or style in the page itself. WebAssembly is the solvers'; blobs are what loaders
 * make of the parts of a GLB.
 */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self' blob: data:",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/**
 * @typedef {object} PageParts
 * @property {string} url
 * @property {string} title
 * @property {string} html  of the article
 * @property {readonly import('./markdown.mjs').Heading[]} headings
 * @property {boolean} maths
 * @property {string} [kind]  a class of the page
 * @property {string} [description]
 */

/**
 * @param {PageParts} page
 * @param {readonly import('./pages.mjs').NavGroup[]} groups
 * @param {{ previous?: import('./pages.mjs').NavItem, next?: import('./pages.mjs').NavItem }} [neighbours]
 */
export function layout({ url, title, html, headings, maths, kind = 'text', description }, groups, neighbours = {}) {
  const to = (/** @type {string} */ path) => relativeUrl(url, path);
  const name = title === 'pelt' ? 'pelt' : `${title} · pelt`;
  return `<!doctype html>
<html lang="en" data-theme="os">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escapeHtml(name)}</title>
${description ? `<meta name="description" content="${escapeHtml(description)}">\n` : ''}<link rel="icon" href="data:,">
<script src="${to('assets/theme.js')}"></script>
<link rel="stylesheet" href="${to('assets/site.css')}">
${maths ? `<link rel="stylesheet" href="${to('assets/maths/maths.css')}">\n` : ''}<script type="module" src="${to('assets/main.js')}"></script>
</head>
<body class="${kind}" data-root="${to('index.html').replace(/index\.html$/, '')}">
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<button type="button" class="menu" aria-expanded="false" aria-controls="navigation"><span aria-hidden="true">☰</span><span class="hidden">Menu</span></button>
<a class="mark" href="${to('index.html')}">pelt</a>
<nav class="areas" aria-label="Areas">${areas(url, groups, to)}</nav>
<button type="button" class="find" aria-keyshortcuts="/" aria-label="Search"><span aria-hidden="true">⌕</span> <span class="find-word">Search</span> <kbd>/</kbd></button>
<button type="button" class="theme" aria-label="Dark or light"><span aria-hidden="true">◐</span></button>
</header>
<div class="columns">
<nav id="navigation" class="side" aria-label="Pages">
${groups.map((group) => sideGroup(group, url, to)).join('\n')}
</nav>
<main id="content">
<article>
${html}
</article>
${pager(neighbours, to)}</main>
${contents(headings)}
</div>
</body>
</html>
`;
}

const AREAS = [
  { title: 'Guide', path: 'guide/index.html', inside: /^guide\// },
  { title: 'API', path: 'api/index.html', inside: /^api\// },
  { title: 'Benchmarks', path: 'benchmarks.html', inside: /^benchmarks\.html/ },
  { title: 'Beside others', path: 'beside.html', inside: /^beside\.html/ },
];

/** @param {string} url @param {readonly import('./pages.mjs').NavGroup[]} groups @param {(path: string) => string} to */
function areas(url, groups, to) {
  const known = new Set(groups.flatMap(({ items }) => items.map((item) => item.url)));
  return AREAS.filter(({ path }) => known.has(path))
    .map(
      ({ title, path, inside }) =>
        `<a href="${to(path)}"${inside.test(url) ? ' aria-current="true"' : ''}>${title}</a>`,
    )
    .join('');
}

/** @param {import('./pages.mjs').NavGroup} group @param {string} url @param {(path: string) => string} to */
function sideGroup({ title, items }, url, to) {
  const links = items.map((item) => {
    const here = item.url === url ? ' aria-current="page"' : '';
    return `<li><a href="${to(item.url)}"${here}>${escapeHtml(item.title)}</a></li>`;
  });
  const isOpen = title === 'Guide' || items.some((item) => item.url === url);
  return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(title)}</summary><ul>${links.join('')}</ul></details>`;
}

/** @param {readonly import('./markdown.mjs').Heading[]} headings */
function contents(headings) {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return '<aside class="contents"></aside>';
  const items = shown.map(
    ({ level, id, text }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<aside class="contents"><nav aria-label="On this page"><p>On this page</p><ul>${items.join('')}</ul></nav></aside>`;
}

/** @param {{ previous?: import('./pages.mjs').NavItem, next?: import('./pages.mjs').NavItem }} neighbours @param {(path: string) => string} to */
function pager({ previous, next }, to) {
  if (!previous && !next) return '';
  const link = (
    /** @type {import('./pages.mjs').NavItem} */ { title, url },
    /** @type {string} */ side,
    /** @type {string} */ word,
  ) => `<a class="${side}" href="${to(url)}"><span>${word}</span>${escapeHtml(title)}</a>`;
  return `<nav class="pager" aria-label="Next and previous">${previous ? link(previous, 'previous', 'Before') : ''}${next ? link(next, 'next', 'Next') : ''}</nav>\n`;
}
