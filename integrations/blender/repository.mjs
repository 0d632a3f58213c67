// @ts-check
/**
 * The index of a repository of extensions with this one in it, as Blender 4.2 and newer read it: put it beside the zip on
 * any host, and add its address in the preferences. Its entry is the manifest with size, hash and place of the archive.
 */
import { createHash } from 'node:crypto';

/**
 * @param {string} manifest  text of `blender_manifest.toml`
 * @param {string} name  of the archive, beside the index
 * @param {Uint8Array} archive
 */
export function repositoryIndex(manifest, name, archive) {
  const { build: _, ...entry } = readManifest(manifest);
  const place = {
    archive_url: `./${name}`,
    archive_size: archive.length,
    archive_hash: `sha256:${createHash('sha256').update(archive).digest('hex')}`,
  };
  return { version: 'v1', blocklist: [], data: [{ ...entry, ...place }] };
}

/**
 * The manifest as an object. It has texts and lists of texts, in tables or outside, and no other kind of TOML.
 *
 * @param {string} text
 * @returns {Record<string, any>}
 */
export function readManifest(text) {
  /** @type {Record<string, any>} */
  const whole = {};
  let table = whole;
  for (const line of text.split('\n')) {
    const [, section] = /^\[(\w+)\]$/.exec(line) ?? [];
    const [, key, value] = /^(\w+) = (".*"|\[.*\])$/.exec(line) ?? [];
    if (section) {
      table = {};
      whole[section] = table;
    } else if (key) table[key] = JSON.parse(value);
    else if (line.trim() !== '') throw new Error(`blender_manifest.toml: cannot read '${line}'`);
  }
  return whole;
}
