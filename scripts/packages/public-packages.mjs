// @ts-check
/** What this workspace publishes: every package that is not private, with the modules that it exports. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** The export condition under which this workspace resolves its own packages to their sources. */
export const SOURCE_CONDITION = '@pelt/source';

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {string[]} [keywords]
 * @property {object} [engines]
 * @property {boolean} [private]
 * @property {Record<string, string | Record<string, string>>} [exports]
 * @property {Record<string, string>} [bin]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, { optional?: boolean }>} [peerDependenciesMeta]
 *
 * @typedef {object} Entry  a module that the package exports
 * @property {string} specifier  as users import it: '@pelt/skin/pose'
 * @property {string} source  path of its TypeScript file
 *
 * @typedef {object} PublicPackage
 * @property {string} folder
 * @property {Manifest} manifest
 * @property {Entry[]} entries
 */

/** @returns {PublicPackage[]} */
export function publicPackages() {
  return readdirSync(join(ROOT, 'packages'))
    .map((name) => join(ROOT, 'packages', name))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => {
      const manifest = readManifest(folder);
      return { folder, manifest, entries: entriesOf(folder, manifest) };
    })
    .filter(({ manifest }) => !manifest.private);
}

/**
 * @param {string} folder
 * @returns {Manifest}
 */
export function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/**
 * @param {string} folder
 * @param {Manifest} manifest
 * @returns {Entry[]}
 */
function entriesOf(folder, { name, exports = {} }) {
  return Object.entries(exports).flatMap(([subpath, target]) =>
    // What is for the packages beside it is not for users.
    typeof target === 'string' || subpath === './internal'
      ? []
      : [{ specifier: join(name, subpath), source: join(folder, target[SOURCE_CONDITION]) }],
  );
}

/**
 * @param {readonly PublicPackage[]} packages
 * @returns {PublicPackage[]} each after those that it depends on, so that none is ever published before what it needs
 */
export function inOrder(packages) {
  /** @type {PublicPackage[]} */
  const ordered = [];
  const waiting = new Set(packages);
  while (waiting.size > 0) {
    const names = new Set([...waiting].map(({ manifest }) => manifest.name));
    const ready = [...waiting].filter(({ manifest }) =>
      Object.keys(manifest.dependencies ?? {}).every((name) => !names.has(name)),
    );
    if (ready.length === 0) throw new Error(`packages depend on each other in a circle: ${[...names].join(', ')}`);
    for (const each of ready) waiting.delete(each);
    ordered.push(...ready);
  }
  return ordered;
}
