// @ts-check
/** Writes both sides of the calls of all kernels from their descriptions. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { capitalised, describe } from './describe.mjs';
import { readKernels } from './direct-kernels.mjs';
import { writeAssembly } from './write-assembly.mjs';
import { writeCalls } from './write-calls.mjs';
import { writeSizes } from './write-sizes.mjs';

/**
 * @typedef {{ folder: string, name: string, description: import('./describe.mjs').Description }} Described
 */

/**
 * @param {string} packages
 * @param {readonly string[]} folders
 * @returns {Promise<Described[]>}
 */
export async function readDescriptions(packages, folders) {
  const described = [];
  for (const folder of folders) {
    for (const file of readdirSync(join(packages, folder, 'descriptions')).sort()) {
      const module = await import(pathToFileURL(join(packages, folder, 'descriptions', file)).href);
      described.push({ folder, name: file.replace('.mjs', ''), description: module.default });
    }
  }
  return described;
}

/**
 * @param {string} packages
 * @param {readonly Described[]} described
 */
export function writeGenerated(packages, described) {
  /** @type {Record<string, import('./describe.mjs').Layout>} */
  const layouts = Object.assign({}, ...described.map(({ description }) => description.scratch ?? {}));
  for (const { folder, name, description } of described) {
    const homes = homesOf(described, folder);
    const text = writeAssembly(description, layouts, homes, `descriptions/${name}.mjs`);
    write(join(packages, folder, 'assembly/generated', `${name}.ts`), text);
  }
  for (const folder of new Set(described.map((each) => each.folder))) {
    const descriptions = described.filter((each) => each.folder === folder).map(({ description }) => description);
    const assembly = join(packages, folder, 'assembly');
    const index = readFileSync(join(assembly, 'index.ts'), 'utf8');
    const { direct, parallel } = readKernels(index, (module) => readFileSync(join(assembly, `${module}.ts`), 'utf8'));
    checkKernels(descriptions, parallel);
    const imports =
      folder === 'math'
        ? [
            `import type { Numerics } from '../numerics/numerics.ts';`,
            `import type { Block } from '../numerics/scope.ts';`,
          ]
        : [`import type { Block, Numerics } from '@pelt/math';`];
    const source = 'descriptions/ and assembly/';
    write(
      join(packages, folder, 'src/generated/calls.ts'),
      writeCalls(descriptions, direct, layouts, { imports, source }),
    );
    write(join(packages, folder, 'test/generated/sizes.ts'), writeSizes(descriptions, source));
  }
}

/**
 * What is described is there, with the arguments that are described for it, and nothing else is.
 *
 * @param {readonly import('./describe.mjs').Description[]} descriptions
 * @param {ReadonlyMap<string, string>} parallel  the type of the arguments of each kernel
 */
function checkKernels(descriptions, parallel) {
  const names = new Set(descriptions.flatMap((each) => describe(each).kernels.map(({ name }) => name)));
  for (const name of names) if (!parallel.has(name)) throw new Error(`${name} is described, but not exported`);
  for (const [name, type] of parallel) {
    if (!names.has(name)) throw new Error(`${name} is exported, but not described`);
    if (type !== capitalised(name)) throw new Error(`${name} must take its arguments as ${capitalised(name)}`);
  }
}

/**
 * The module of each layout, as seen from assembly/generated of a package.
 *
 * @param {readonly Described[]} described
 * @param {string} from
 */
function homesOf(described, from) {
  return new Map(
    described.flatMap(({ folder, name, description }) =>
      Object.keys(description.scratch ?? {}).map((layout) => [
        layout,
        folder === from ? `./${name}` : `../../../${folder}/assembly/generated/${name}`,
      ]),
    ),
  );
}

/**
 * @param {string} file
 * @param {string} text
 */
function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
