// @ts-check
/**
 * `npm run test:managers [-- NAME...]`: packs every public package and installs the tarballs in an empty project by npm, pnpm
 * and yarn. In each project a strict compiler checks a program, Vite builds a page, and the command line fits a clip under
 * Node 20, 22 and 24 (from npm's package `node`), which must give the same bytes everywhere. It takes minutes and needs the
 * network; run `npm run build` first.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeObj, writePc2 } from '@pelt/io';
import { barScene } from '@pelt/testkit';
import { build } from 'vite';
import { packAll } from './install.mjs';
import { ROOT } from './public-packages.mjs';

/** How each is called, and where it is told that a package comes from a file wherever it is needed. */
const MANAGERS = {
  npm: { install: ['npm', 'install', '--no-audit', '--no-fund'], overrides: undefined },
  pnpm: { install: ['npx', '--yes', 'pnpm@10', 'install'], overrides: 'pnpm' },
  yarn: { install: ['npx', '--yes', 'yarn@1.22.22', 'install', '--no-progress'], overrides: 'resolutions' },
};
const NODES = [20, 22, 24];

/** @typedef {keyof typeof MANAGERS} Manager */

const wanted = /** @type {Manager[]} */ (process.argv.length > 2 ? process.argv.slice(2) : Object.keys(MANAGERS));
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'pelt-managers-')));
try {
  const packed = await packAll(join(scratch, 'tarballs'));
  const nodes = NODES.map((version) => ({ version, path: installNode(version) }));
  const results = new Set();
  for (const name of wanted) {
    const folder = join(scratch, name);
    project(folder, name, packed);
    must(MANAGERS[name].install, folder);
    checkTypes(folder, packed);
    await buildPage(folder);
    for (const { version, path } of nodes) {
      const hash = fitClip(folder, path);
      results.add(hash);
      console.log(`ok  ${name}, Node ${version}: types, page, ${hash.slice(0, 12)}`);
    }
  }
  if (results.size !== 1) throw new Error(`the same clip gave ${results.size} different files`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/**
 * @param {string} folder
 * @param {Manager} name
 * @param {readonly import('./install.mjs').Packed[]} packed
 */
function project(folder, name, packed) {
  mkdirSync(folder);
  const own = Object.fromEntries(packed.map(({ package: each, tarball }) => [each.manifest.name, `file:${tarball}`]));
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
  const peers = packed.flatMap(({ package: { manifest } }) =>
    Object.keys(manifest.peerDependencies ?? {}).filter((peer) => !manifest.peerDependenciesMeta?.[peer]?.optional),
  );
  const others = [...new Set([...peers, '@types/node'])].filter((peer) => !(peer in own));
  const dependencies = {
    ...own,
    ...Object.fromEntries(others.map((peer) => [peer, lock[`node_modules/${peer}`].version])),
  };
  const { overrides } = MANAGERS[name];
  const told = overrides === 'pnpm' ? { pnpm: { overrides: own } } : overrides ? { [overrides]: own } : {};
  const manifest = { name: 'empty', version: '1.0.0', private: true, type: 'module', dependencies, ...told };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, undefined, 2));
}

/** @param {string} folder @param {readonly import('./install.mjs').Packed[]} packed */
function checkTypes(folder, packed) {
  const specifiers = packed
    .filter(({ package: { manifest } }) => manifest.peerDependencies === undefined)
    .flatMap(({ package: { entries } }) => entries.map(({ specifier }) => specifier));
  const lines = specifiers.map((specifier, k) => `import * as module${k} from '${specifier}';`);
  const uses = specifiers.map((_, k) => `Object.keys(module${k}).length > 0`);
  writeFileSync(join(folder, 'program.ts'), `${lines.join('\n')}\nif (!(${uses.join(' && ')})) throw 0;\n`);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'ES2023',
    lib: ['ES2023'],
    module: 'NodeNext',
    types: ['node'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  must([process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.'], folder);
}

/** @param {string} folder */
async function buildPage(folder) {
  cpSync(fileURLToPath(new URL('test/page', import.meta.url)), folder, { recursive: true });
  const outDir = join(folder, 'site');
  await build({
    root: folder,
    base: './',
    configFile: false,
    logLevel: 'error',
    worker: { format: 'es' },
    build: { outDir },
  });
}

/** @param {string} folder @param {string} node @returns the hash of the file */
function fitClip(folder, node) {
  const { sequence } = barScene();
  writeFileSync(join(folder, 'rest.obj'), writeObj(sequence.rest)[0].bytes);
  writeFileSync(join(folder, 'clip.pc2'), writePc2(sequence, { fps: 24 }));
  const command = join(folder, 'node_modules/pelt/bin/pelt.mjs');
  must([node, command, 'fit', 'rest.obj', 'clip.pc2', '--bones', '3', '-o', 'out.glb', '--quiet'], folder);
  return createHash('sha256')
    .update(readFileSync(join(folder, 'out.glb')))
    .digest('hex');
}

/** npm's package `node` carries the binaries of Node. @param {number} version */
function installNode(version) {
  const folder = join(scratch, `node-${version}`);
  must(['npm', 'install', `node@${version}`, '--prefix', folder, '--no-audit', '--no-fund'], scratch);
  return join(folder, 'node_modules/node/bin/node');
}

/** @param {readonly string[]} words @param {string} cwd */
function must([command, ...args], cwd) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    maxBuffer: 1 << 26,
  });
  if (status !== 0) throw new Error(`'${command} ${args.join(' ')}' ended with ${status}:\n${stdout}${stderr}`);
}
