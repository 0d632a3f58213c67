// @ts-check
/** The licences of the packages of others that a bundle contains. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The folder of the package that a module belongs to; undefined for our own.
 *
 * @param {string} id  path of the module
 */
export function packageFolder(id) {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0];
}

/**
 * @param {Iterable<string>} modules  paths of modules
 * @returns {string} names, versions and licences of their packages
 */
export function licenceTexts(modules) {
  const folders = new Set([...modules].flatMap((id) => packageFolder(id) ?? []));
  return [...folders]
    .map(licenceOf)
    .sort()
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** @param {string} folder */
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : standardText(license, name);
  return `${name} ${version}\n\n${text}\n`;
}

/** Packages of this workspace that have the whole text of a licence which others only name. */
const TEXTS = new Map([['Apache-2.0', ['typescript', 'LICENSE']]]);

/**
 * @param {string} licence  its SPDX name
 * @param {string} name  of the package, for the message
 */
function standardText(licence, name) {
  const [owner, file] = TEXTS.get(licence) ?? [];
  if (!owner || !file) throw new Error(`${name} has no text of its licence (${licence}); add one to TEXTS`);
  const folder = dirname(createRequire(import.meta.url).resolve(`${owner}/package.json`));
  return readFileSync(join(folder, file), 'utf8').trim();
}
