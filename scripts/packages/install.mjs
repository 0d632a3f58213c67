// @ts-check
/**
 * Packs every public package as npm would publish it and installs the tarballs in an empty folder, outside of this
 * workspace: what users get. The packages of others come in the versions of this workspace's lock file, which the npm
 * cache holds since `npm ci`.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { publicPackages, ROOT } from './public-packages.mjs';

const run = promisify(execFile);
// npm is a script on Windows.
const NPM = { shell: process.platform === 'win32', maxBuffer: 1 << 26 };

/**
 * @typedef {object} Packed
 * @property {import('./public-packages.mjs').PublicPackage} package
 * @property {string} tarball  path
 * @property {string} integrity
 * @property {number} size  bytes of the tarball
 * @property {string[]} files  in it
 *
 * @typedef {object} LockEntry
 * @property {string} [version]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, { optional?: boolean }>} [peerDependenciesMeta]
 */

/**
 * @param {string} folder  where the tarballs go
 * @returns {Promise<Packed[]>}
 */
export async function packAll(folder) {
  mkdirSync(folder, { recursive: true });
  const packages = publicPackages();
  const args = ['pack', '--json', '--pack-destination', folder];
  for (const { manifest } of packages) args.push('--workspace', manifest.name);
  const { stdout } = await run('npm', args, { ...NPM, cwd: ROOT });
  const packed = JSON.parse(stdout);
  return packages.map((each) => {
    const { filename, integrity, size, files } = packed.find((/** @type {any} */ p) => p.name === each.manifest.name);
    const tarball = join(folder, basename(filename));
    return { package: each, tarball, integrity, size, files: files.map((/** @type {any} */ file) => file.path) };
  });
}

/**
 * @param {string} folder  made anew
 * @param {readonly Packed[]} packed
 * @param {readonly string[]} [tools]  packages of this workspace's lock file to install beside them
 */
export async function installPacked(folder, packed, tools = []) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const lock = new ThirdParty();
  /** @type {Record<string, string>} */
  const dependencies = {};
  /** @type {Record<string, object>} */
  const own = {};
  for (const { package: each, tarball, integrity } of packed) {
    const { name, version, dependencies: needs = {}, peerDependencies: peers = {}, bin } = each.manifest;
    const { peerDependenciesMeta = {} } = each.manifest;
    dependencies[name] = `file:${tarball}`;
    own[`node_modules/${name}`] = {
      version,
      resolved: `file:${tarball}`,
      integrity,
      dependencies: needs,
      peerDependencies: peers,
      peerDependenciesMeta,
      bin,
    };
    for (const need of Object.keys(needs)) if (!packed.some((p) => p.package.manifest.name === need)) lock.add(need);
    // Those that are optional are left out, as npm does.
    for (const peer of Object.keys(peers)) {
      if (!peerDependenciesMeta[peer]?.optional) dependencies[peer] = lock.add(peer);
    }
  }
  for (const tool of tools) dependencies[tool] = lock.add(tool);
  const manifest = { name: 'consumer', version: '1.0.0', private: true, type: 'module', dependencies };
  const packages = { '': manifest, ...own, ...lock.entries };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...manifest, lockfileVersion: 3, packages }));
  await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { ...NPM, cwd: folder });
}

/** Packages of others, with all that they need, from this workspace's lock file. */
class ThirdParty {
  /** @type {Record<string, LockEntry>} */
  entries = {};
  /** @type {Record<string, LockEntry>} */
  #lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;

  /**
   * @param {string} name
   * @returns {string} its version
   */
  add(name) {
    const key = `node_modules/${name}`;
    const entry = this.#lock[key];
    if (!entry?.version) throw new Error(`${name} is not at the top of package-lock.json; run npm install`);
    if (!this.entries[key]) {
      this.entries[key] = { ...entry, ...{ dev: undefined, peer: undefined } };
      const peers = Object.keys(entry.peerDependencies ?? {}).filter(
        (peer) => !entry.peerDependenciesMeta?.[peer]?.optional,
      );
      for (const need of [...Object.keys(entry.dependencies ?? {}), ...peers]) this.add(need);
    }
    return entry.version;
  }
}
