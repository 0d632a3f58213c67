// @ts-check
/** The examples of the reference and of the pages, as modules that can be type-checked and run. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { publicPackages, ROOT } from '../../scripts/packages/public-packages.mjs';

/** Not committed. In the workspace, so that imports resolve as everywhere in it. */
export const FOLDER = join(ROOT, 'docs/api/generated');

/**
 * @typedef {object} Example
 * @property {string} name  of what it is an example of
 * @property {string} code
 * @property {boolean} [inPage]  it needs a page of a browser, and is compiled only
 */

/**
 * The code of a page as one module: its blocks of code in order. What they need and no reader wants to see stands in
 * comments of the page: `<!-- ts`, code, `-->`. Code that needs a page of a browser has the word `page` after its
 * language.
 *
 * @param {string} page  path of a Markdown file
 * @returns {string} empty where the page has no code
 */
export function codeOfPage(page) {
  const text = readFileSync(page, 'utf8');
  const blocks = text.matchAll(/^```(?:js|ts)(?: page)?\n([\s\S]*?)^```$|^<!-- ts\n([\s\S]*?)^-->$/gm);
  return [...blocks].map(([, shown, hidden]) => shown ?? hidden).join('\n');
}

/** @param {string} page  path of a Markdown file */
export function needsPage(page) {
  return /^```(?:js|ts) page$/m.test(readFileSync(page, 'utf8'));
}

/**
 * Whether an example needs a page of a browser; its first line says so. The browser tests of @pelt/three run these.
 *
 * @param {string} code
 */
export function isForPages(code) {
  return code.startsWith('// In a page.');
}

/**
 * The code of the packages' READMEs and of the guide.
 *
 * @returns {Example[]}
 */
export function examplesOfPages() {
  const guide = join(ROOT, 'docs/guide');
  return [
    ...publicPackages().map(({ folder }) => join(folder, 'README.md')),
    ...readdirSync(guide).map((name) => join(guide, name)),
  ]
    .filter((page) => page.endsWith('.md'))
    .map((page) => ({ name: relative(ROOT, page), code: codeOfPage(page), inPage: needsPage(page) }))
    .filter(({ code }) => code !== '');
}

/**
 * Writes each example as a module of its own; one that several items share is written once.
 *
 * @param {readonly Example[]} examples
 * @returns {{ name: string, file: string, inPage: boolean }[]}
 */
export function writeExamples(examples) {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const config = { extends: '../../../tsconfig.test.json', compilerOptions: { noUnusedLocals: false }, include: ['.'] };
  writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify(config));
  const distinct = examples.filter(({ code }, k) => examples.findIndex((other) => other.code === code) === k);
  return distinct.map(({ name, code, inPage = false }, k) => {
    const file = join(FOLDER, `${name.replaceAll(/\W+/g, '-').replace(/^-/, '')}-${k}.ts`);
    // A module even where the example imports nothing.
    writeFileSync(file, `${code}\nexport {};\n`);
    return { name, file, inPage };
  });
}

/** @returns {string} the compiler's complaints; empty where there are none */
export function checkExamples() {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout, error } = spawnSync(process.execPath, [compiler, '-p', FOLDER], { encoding: 'utf8', cwd: FOLDER });
  return error ? String(error) : stdout;
}
