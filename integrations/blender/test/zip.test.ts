import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { readManifest, repositoryIndex } from '../repository.mjs';
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
  const archive = zip(addonFiles());
  const files = unzip(archive);
  const scratch = mkdtempSync(join(tmpdir(), 'pelt-zip-'));
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  it('has every module, the manifest, the licences and the command in one folder, and nothing else', () => {
    const modules = readdirSync(addon).filter((name) => name !== '__pycache__');
    const own = [...files.keys()].filter((name) => !name.startsWith('pelt/javascript/'));
    expect(own.sort()).toEqual([...modules, 'LICENSE', 'LICENSE.md'].map((name) => `pelt/${name}`).sort());
    expect(files.get('pelt/__init__.py')).toEqual(readFileSync(join(addon, '__init__.py')));
  });

  it('needs nothing but Node: the command in it does a job, and tells of every command of the add-on', () => {
    for (const [name, bytes] of files) {
      mkdirSync(dirname(join(scratch, name)), { recursive: true });
      writeFileSync(join(scratch, name), bytes);
    }
    writeFileSync(join(scratch, 'a.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
    const job = { command: 'convert', inputs: ['a.obj'], output: 'a.glb' };
    writeFileSync(join(scratch, 'job.json'), JSON.stringify(job));
    const command = join(scratch, 'pelt/javascript/bin/pelt.mjs');
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [command, ...args], { cwd: scratch, encoding: 'utf8', env: { PATH: '' } });
    expect(run('--version').stdout.trim()).toBe(version);
    const { status, stdout, stderr } = run('run', 'job.json', '--events');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('"type":"done"');
    for (const name of ['fit', 'skeleton', 'reduce', 'envelope', 'volume'])
      expect(run(name, '--help').stdout).toContain(`Usage: pelt ${name}`);
  });

  it('has the version of the packages, for old and new Blenders', () => {
    expect(files.get('pelt/blender_manifest.toml')?.toString()).toContain(`\nversion = "${version}"\n`);
    const numbers = version.split('.').join(', ');
    expect(files.get('pelt/__init__.py')?.toString()).toContain(`"version": (${numbers})`);
  });

  it('is the same bytes every time', () => expect(zip(addonFiles())).toEqual(archive));

  describe('has a manifest', () => {
    const manifest = readManifest(files.get('pelt/blender_manifest.toml')?.toString() ?? '');

    it('with all that Blender asks for, in the lengths that it takes', () => {
      for (const key of [
        'schema_version',
        'id',
        'version',
        'name',
        'tagline',
        'maintainer',
        'type',
        'blender_version_min',
      ])
        expect(manifest[key], key).toMatch(/^\S.*$/);
      expect(manifest.tagline.length).toBeLessThanOrEqual(64);
      expect(manifest.tagline).not.toMatch(/[.!?]$/);
      for (const text of Object.values<string>(manifest.permissions)) {
        expect(text.length).toBeLessThanOrEqual(64);
        expect(text).not.toMatch(/[.!?]$/);
      }
      expect(manifest.license).toEqual(['SPDX:GPL-3.0-or-later', 'SPDX:MIT']);
      expect(manifest.copyright[0]).toMatch(/^\d{4} \S/);
      expect(manifest.website).toMatch(/^https:/);
    });

    it('that refuses to be read where it is something else', () => {
      expect(() => readManifest('version = 3')).toThrow("cannot read 'version = 3'");
    });
  });

  it('has an index that makes a repository of its folder', () => {
    const text = readFileSync(join(addon, 'blender_manifest.toml'), 'utf8');
    const { data, ...rest } = repositoryIndex(text, 'pelt.zip', archive);
    expect(rest).toEqual({ version: 'v1', blocklist: [] });
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      id: 'pelt',
      version,
      type: 'add-on',
      archive_url: './pelt.zip',
      archive_size: archive.length,
      archive_hash: `sha256:${createHash('sha256').update(archive).digest('hex')}`,
    });
    expect(data[0]).not.toHaveProperty('build');
  });
});
