/**
 * The add-on as one zip, `dist/pelt-blender-VERSION.zip`, which Blender installs as an add-on (3.4 to 4.1) or as an
 * extension (from 4.2): both take a single folder in the archive. In it is the command line as well, so that nothing but
 * Node is needed. Beside it lies `index.json`, with which a folder on any host is a repository of extensions. The same
 * sources give the same bytes.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateRawSync } from 'node:zlib';
import { repositoryIndex } from './repository.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const FOLDER = 'pelt';
/** The command line, and its place in the folder, where `find_pelt.py` looks for it. */
const [COMMAND, PLACE] = [join(here, '../../packages/cli'), 'javascript'];
/** Midnight on 1 January 1980, the zero of the format. */
const [TIME, DATE] = [0, 0x21];
const UTF8_NAMES = 0x800;
const DEFLATED = 8;

/** The files of the add-on, with their paths in the archive. */
export function addonFiles() {
  const folder = join(here, FOLDER);
  const names = readdirSync(folder).filter((name) => /\.(py|toml|json)$/.test(name));
  const at = (path, file) => ({ path: `${FOLDER}/${path}`, bytes: readFileSync(file) });
  return [
    ...names.sort().map((name) => at(name, join(folder, name))),
    at('LICENSE', join(here, '../../LICENSE')),
    at('LICENSE.md', join(here, 'LICENSE.md')),
    ...commandFiles().map((name) => at(`${PLACE}/${name}`, join(COMMAND, name))),
  ];
}

/** Files of the built command that its jobs can reach: what serves pages, tools and farms is not among them. */
function commandFiles() {
  const ENTRIES = ['main.js', 'worker.js', 'frame-worker.js'];
  const LEFT_OUT = /^(define-studio|define-mcp|batch|serve|completion|man-page|draw-scene)-/;
  const reached = new Set(ENTRIES);
  for (const name of reached) {
    const code = readFileSync(join(COMMAND, 'bundle', name), 'utf8');
    for (const [, other] of code.matchAll(/["'`]\.\/([\w-]+\.js)["'`]/g)) if (!LEFT_OUT.test(other)) reached.add(other);
  }
  return ['package.json', 'bin/pelt.mjs', ...[...reached, 'LICENSES.txt'].sort().map((name) => `bundle/${name}`)];
}

/** @param {readonly {path: string, bytes: Uint8Array}[]} files */
export function zip(files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const { path, bytes } of files) {
    const name = Buffer.from(path);
    const packed = deflateRawSync(bytes, { level: 9 });
    const entry = Buffer.alloc(26);
    entry.writeUInt16LE(20, 0);
    entry.writeUInt16LE(UTF8_NAMES, 2);
    entry.writeUInt16LE(DEFLATED, 4);
    entry.writeUInt16LE(TIME, 6);
    entry.writeUInt16LE(DATE, 8);
    entry.writeUInt32LE(crc32(bytes), 10);
    entry.writeUInt32LE(packed.length, 14);
    entry.writeUInt32LE(bytes.length, 18);
    entry.writeUInt16LE(name.length, 22);
    const local = [Buffer.from('PK\x03\x04'), entry, name, packed];
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), entry, place, name);
    parts.push(...local);
    offset += local.reduce((sum, part) => sum + part.length, 0);
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listing, end]);
}

/** Writes the archive and its index, and returns the path of the archive. */
export function buildAddon() {
  const { version } = JSON.parse(readFileSync(join(here, '../../package.json'), 'utf8'));
  const name = `pelt-blender-${version}.zip`;
  const archive = zip(addonFiles());
  const manifest = readFileSync(join(here, FOLDER, 'blender_manifest.toml'), 'utf8');
  mkdirSync(join(here, 'dist'), { recursive: true });
  writeFileSync(join(here, 'dist', name), archive);
  const index = repositoryIndex(manifest, name, archive);
  writeFileSync(join(here, 'dist/index.json'), `${JSON.stringify(index, undefined, 2)}\n`);
  return join(here, 'dist', name);
}

if (resolve(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) console.log(buildAddon());
