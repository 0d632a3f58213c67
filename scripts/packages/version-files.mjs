// @ts-check
/** The files that hold the version, and the same files with another. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const OTHERS = ['package.json', 'docs/api/package.json', 'docs/site/package.json', 'CITATION.cff'];
const ADDON = 'integrations/blender/pelt/';

/** @param {string} root */
export function versionFiles(root) {
  const manifests = ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => `${group}/${name}/package.json`),
  );
  return [...OTHERS, `${ADDON}blender_manifest.toml`, `${ADDON}__init__.py`, ...manifests].filter((path) =>
    existsSync(join(root, path)),
  );
}

/**
 * @param {string} path  in the repository
 * @param {string} text  of the file
 * @param {string} version
 * @param {string} day  as 2026-11-18
 */
export function withVersion(path, text, version, day) {
  if (path.endsWith('.json')) {
    const manifest = JSON.parse(text);
    manifest.version = version;
    for (const kind of ['dependencies', 'devDependencies', 'peerDependencies']) {
      for (const name of Object.keys(manifest[kind] ?? {})) {
        if (name === 'pelt' || name.startsWith('@pelt/')) manifest[kind][name] = version;
      }
    }
    return `${JSON.stringify(manifest, null, 2)}\n`;
  }
  if (path.endsWith('.toml')) return text.replace(/^version = .*$/m, `version = "${version}"`);
  if (path.endsWith('.py')) {
    const numbers = version.replace(/-.*/, '').split('.').join(', ');
    return text.replace(/"version": \([\d, ]+\)/, `"version": (${numbers})`);
  }
  return text
    .replace(/^version: .*$/m, `version: ${version}`)
    .replace(/^date-released: .*$/m, `date-released: "${day}"`);
}
