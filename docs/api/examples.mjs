// @ts-check
/** The examples of the reference and of the pages, as modules that can be type-checked and run. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { publicPackages, ROOT } from '../../scripts/packages/public-packages.mjs';

/** Not committed. In the workspace, so that imports resolve as everywhere in it. */
export const FOLDER = join(ROOT, 'docs/api/generated');

/**
 * @typedef {object} Example
 * @property {string} name  of what it is an example of
 * @property {string} code
 */

/**
 * The code of the READMEs of the packages and of the guide.
 *
 * @returns {Example[]}
 */
export function examplesOfPages() {
  const guide = join(ROOT, 'docs/guide');
  const pages = [
    ...publicPackages().map(({ folder }) => join(folder, 'README.md')),
    ...readdirSync(guide).map((name) => join(guide, name)),
  ].filter((page) => page.endsWith('.md') && existsSync(page));
  return pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/^```(?:js|ts)\n([\s\S]*?)^```$/gm)].map(([, code]) => ({
      name: relative(ROOT, page),
      code,
    })),
  );
}

/**
 * Writes each example as a module of its own.
 *
 * @param {readonly Example[]} examples
 * @returns {{ name: string, file: string }[]}
 */
export function writeExamples(examples) {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const config = { extends: '../../../tsconfig.test.json', compilerOptions: { noUnusedLocals: false }, include: ['.'] };
  writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify(config));
  return examples.map(({ name, code }, k) => {
    const file = join(FOLDER, `${name.replaceAll(/\W+/g, '-').replace(/^-/, '')}-${k}.ts`);
    // A module even where the example imports nothing.
    writeFileSync(file, `${code}\nexport {};\n`);
    return { name, file };
  });
}

/** @returns {string} the compiler's complaints; empty where there are none */
export function checkExamples() {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout, error } = spawnSync(process.execPath, [compiler, '-p', FOLDER], { encoding: 'utf8', cwd: FOLDER });
  return error ? String(error) : stdout;
}
