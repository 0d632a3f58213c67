/**
 * The add-on as one zip, `dist/pelt-blender-VERSION.zip`, which Blender installs as an add-on (3.4 to 4.1) or as an
 * extension (from 4.2): both take a single folder in the archive. The same sources give the same bytes.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateRawSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const FOLDER = 'pelt';
/** Midnight on 1 January 1980, the zero of the format. */
const [TIME, DATE] = [0, 0x21];
const UTF8_NAMES = 0x800;
const DEFLATED = 8;

/** The files of the add-on, with their paths in the archive. */
export function addonFiles() {
  const folder = join(here, FOLDER);
  const names = readdirSync(folder).filter((name) => /\.(py|toml)$/.test(name));
  return [
    ...names.sort().map((name) => ({ path: `${FOLDER}/${name}`, bytes: readFileSync(join(folder, name)) })),
    { path: `${FOLDER}/LICENSE`, bytes: readFileSync(join(here, '../../LICENSE')) },
  ];
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

/** Writes the archive and returns its path. */
export function buildAddon() {
  const { version } = JSON.parse(readFileSync(join(here, '../../package.json'), 'utf8'));
  const path = join(here, 'dist', `pelt-blender-${version}.zip`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, zip(addonFiles()));
  return path;
}

if (resolve(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) console.log(buildAddon());
