import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { addonFiles, zip } from '../zip.mjs';

const addon = join(import.meta.dirname, '../pelt');
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'));

/** The files of an archive by its directory, as a reader finds them. */
function unzip(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.length - 22;
  expect(bytes.readUInt32LE(end)).toBe(0x06054b50);
  const files = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let k = 0; k < bytes.readUInt16LE(end + 10); k++) {
    expect(bytes.readUInt32LE(at)).toBe(0x02014b50);
    const [length, size] = [bytes.readUInt16LE(at + 28), bytes.readUInt32LE(at + 20)];
    const name = bytes.toString('utf8', at + 46, at + 46 + length);
    const local = bytes.readUInt32LE(at + 42);
    expect(bytes.readUInt32LE(local)).toBe(0x04034b50);
    const start = local + 30 + bytes.readUInt16LE(local + 26);
    const content = inflateRawSync(bytes.subarray(start, start + size));
    expect(crc32(content)).toBe(bytes.readUInt32LE(at + 16));
    files.set(name, content);
    at += 46 + length;
  }
  return files;
}

describe('the zip of the add-on', () => {
  const files = unzip(zip(addonFiles()));

  it('has every module, the manifest and the licence in one folder, and nothing else', () => {
    const modules = readdirSync(addon).filter((name) => name !== '__pycache__');
    expect([...files.keys()].sort()).toEqual([...modules, 'LICENSE'].map((name) => `pelt/${name}`).sort());
    expect(files.get('pelt/__init__.py')).toEqual(readFileSync(join(addon, '__init__.py')));
  });

  it('has the version of the packages, for old and new Blenders', () => {
    expect(files.get('pelt/blender_manifest.toml')?.toString()).toContain(`\nversion = "${version}"\n`);
    const numbers = version.split('.').join(', ');
    expect(files.get('pelt/__init__.py')?.toString()).toContain(`"version": (${numbers})`);
  });

  it('is the same bytes every time', () => expect(zip(addonFiles())).toEqual(zip(addonFiles())));
});
