// @ts-check
/**
 * The API reference as pages of the site, one per module that a package exports, made from what TypeDoc reads in the
 * sources. Pages of our own rather than TypeDoc's, so that there is one search, one look and one policy.
 */
import { ReferenceReflection, ReflectionKind } from '../../api/reference.mjs';
import { relativeUrl } from './links.mjs';
import { escapeHtml } from './markdown.mjs';
import { ReferenceItems } from './reference-items.mjs';

/**
 * @typedef {object} ReferencePage
 * @property {string} title  as users import the module: '@pelt/skin/pose'
 * @property {string} url
 * @property {string} html
 */

/** @param {string} specifier */
export function moduleUrl(specifier) {
  return `api/${specifier.replace('@pelt/', '')}.html`;
}

/**
 * @param {import('../../api/reference.mjs').ProjectReflection} project  with modules named as users import them
 * @returns {ReferencePage[]}
 */
export function referencePages(project) {
  const modules = project
    .getReflectionsByKind(ReflectionKind.Module)
    .flatMap((module) => (module.isDeclaration() ? [module] : []))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const addresses = addressesOf(modules);
  return modules.map((module) => {
    const url = moduleUrl(module.name);
    const items = new ReferenceItems((name) => {
      const target = addresses.get(name);
      return target && relativeUrl(url, target);
    });
    return { title: module.name, url, html: modulePage(module, items) };
  });
}

/** Where each exported item is described: in the module that declares it. @param {import('../../api/reference.mjs').DeclarationReflection[]} modules */
function addressesOf(modules) {
  /** @type {Map<string, string>} */
  const addresses = new Map();
  for (const module of modules) {
    for (const item of module.children ?? []) {
      if (!(item instanceof ReferenceReflection)) addresses.set(item.name, `${moduleUrl(module.name)}#${item.name}`);
    }
  }
  return addresses;
}

const SECTIONS = /** @type {const} */ ([
  ['Functions', ReflectionKind.Function],
  ['Classes', ReflectionKind.Class],
  ['Interfaces', ReflectionKind.Interface],
  ['Types', ReflectionKind.TypeAlias],
  ['Constants', ReflectionKind.Variable],
]);

/** @param {import('../../api/reference.mjs').DeclarationReflection} module @param {ReferenceItems} items */
function modulePage(module, items) {
  const children = module.children ?? [];
  const own = children.filter((child) => !(child instanceof ReferenceReflection));
  const borrowed = children.filter((child) => child instanceof ReferenceReflection).map(({ name }) => name);
  const parts = [`<h1 id="module">${escapeHtml(module.name)}</h1>`];
  const sections = SECTIONS.map(([title, kind]) => ({ title, found: own.filter((item) => item.kindOf(kind)) }));
  for (const { title, found } of sections) {
    if (found.length === 0) continue;
    parts.push(
      `<p class="names"><span>${title}</span><span class="list">${found.map(({ name }) => items.nameLink(name)).join(' ')}</span></p>`,
    );
  }
  if (borrowed.length > 0) {
    parts.push(
      `<p class="names"><span>Also</span><span class="list">${borrowed.map((name) => items.nameLink(name)).join(' ')}</span></p>`,
    );
  }
  for (const { found } of sections) parts.push(...found.map((item) => items.item(item)));
  return parts.join('\n');
}
