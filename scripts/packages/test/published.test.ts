/**
 * The packages as users get them: packed, installed in an empty folder, and used from there by the command line, by a
 * strict TypeScript program and by a page that Vite builds.
 */
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { WebIO } from '@gltf-transform/core';
import { KHRDracoMeshCompression } from '@gltf-transform/extensions';
import { writeGlb, writeObj, writePc2 } from '@pelt/io';
import { barScene } from '@pelt/testkit';
import draco3d from 'draco3dgltf';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOfPage, needsPage } from '../../../docs/api/examples.mjs';
import { asciiFbx } from '../../../packages/io/test/fbx/ascii-fbx.ts';
import { launchBrowser, openPage } from '../../browser/launch.mjs';
import { serve } from '../../browser/serve.mjs';
import { installPacked, type Packed, packAll } from '../install.mjs';
import { ROOT } from '../public-packages.mjs';

const run = promisify(execFile);
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'pelt-packages-')));
const consumer = join(scratch, 'consumer');
let packed: Packed[];
/** What the command line says of the clip that the page fits, too. */
let report: { error: { eRms: number }; output: { bytes: number } };

const pelt = (...args: string[]) => run('npx', ['--no-install', 'pelt', ...args], { cwd: consumer });

beforeAll(async () => {
  await run('npm', ['run', '--silent', 'build'], { cwd: ROOT });
  packed = await packAll(join(scratch, 'tarballs'));
  await installPacked(consumer, packed, ['@types/node', '@types/three']);
  const { sequence } = barScene({ frames: 8, twistDegrees: 60, rings: 13, sides: 8 });
  writeFileSync(join(consumer, 'rest.obj'), writeObj(sequence.rest)[0].bytes);
  writeFileSync(join(consumer, 'clip.pc2'), writePc2(sequence));
  writeFileSync(join(consumer, 'character.fbx'), asciiFbx());
  writeFileSync(join(consumer, 'packed.glb'), await packWithDraco((await writeGlb({ mesh: sequence.rest })).bytes));
}, 240_000);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function packWithDraco(glb: Uint8Array): Promise<Uint8Array> {
  const io = new WebIO()
    .registerExtensions([KHRDracoMeshCompression])
    .registerDependencies({ 'draco3d.encoder': await draco3d.createEncoderModule() });
  const document = await io.readBinary(glb);
  document.createExtension(KHRDracoMeshCompression).setRequired(true);
  return io.writeBinary(document);
}

describe('tarballs', () => {
  it('hold the code, its sources, a README and a licence, and nothing else', () => {
    for (const { package: each, files } of packed) {
      const { name, exports = {}, bin = {} } = each.manifest;
      const targets = [bin, ...Object.values(exports)].flatMap((target) =>
        typeof target === 'string' ? [target] : Object.values(target),
      );
      expect(files, name).toEqual(expect.arrayContaining(targets.map((path) => path.replace('./', ''))));
      expect(files, name).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
      const strays = files.filter(
        (path) =>
          !/^(LICENSE|README\.md|package\.json|(bin|bundle|dist|examples|files|src|studio|viewer)\/.*)$/.test(path),
      );
      expect(strays.concat(files.filter((path) => /tsbuildinfo|test/.test(path))), name).toEqual([]);
    }
  });

  it('hold no output of sources that are gone', () => {
    for (const { package: each, files } of packed.filter((one) => one.package.entries.length > 0)) {
      const outputs = files.filter((path) => /^dist\/.*\.js$/.test(path));
      const source = (path: string) => path.replace(/^dist/, 'src').replace(/\.js$/, '.ts');
      expect(outputs.length).toBeGreaterThan(0);
      expect(
        outputs.filter((path) => !files.includes(source(path))),
        each.manifest.name,
      ).toEqual([]);
    }
  });
});

describe('the command line', () => {
  it('says its version', async () => {
    expect((await pelt('--version')).stdout).toBe(`${packed[0].package.manifest.version}\n`);
  });

  it('fits a clip', async () => {
    const { stdout } = await pelt('fit', 'rest.obj', 'clip.pc2', '--bones', '3', '-o', 'bar.glb', '--json');
    report = JSON.parse(stdout);
    expect(report.error.eRms).toBeLessThan(20);
    expect(readFileSync(join(consumer, 'bar.glb'))).toHaveLength(report.output.bytes);
  });

  it.each(['packed.glb', 'character.fbx'])('reads what is outside of its bundle, or apart in it: %s', async (name) => {
    const { stdout } = await pelt('info', name, '--json');
    expect(JSON.parse(stdout).files).toMatchObject([{ file: name, format: name.slice(-3) }]);
  });
});

describe('a program', () => {
  const readmes = () =>
    packed
      .map(({ package: { folder, manifest } }) => ({
        file: `readme-of-${manifest.name.split('/').at(-1)}.${needsPage(join(folder, 'README.md')) ? 'ts' : 'mjs'}`,
        code: codeOfPage(join(folder, 'README.md')),
      }))
      .filter(({ code }) => code !== '');

  /** Babylon's own declarations do not stand beside those of three.js: its package is compiled by itself, without them. */
  const isForBabylon = (name: string) => name.includes('babylon');

  /** What a strict compiler says of some files of the consumer. */
  function compile(
    files: readonly string[],
    lib: readonly string[],
    types: readonly string[],
    skipLibCheck = false,
  ): string {
    const compilerOptions = {
      strict: true,
      checkJs: true,
      noEmit: true,
      // What a program is given by its packages must be right as well.
      skipLibCheck,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      target: 'ES2023',
      lib,
      module: 'NodeNext',
      types,
    };
    writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    return spawnSync(process.execPath, [compiler, '-p', consumer], { encoding: 'utf8', cwd: consumer }).stdout;
  }

  it('that is strict TypeScript can import every module', () => {
    for (const [file, lib, types, isPlain, babylon] of [
      // A program for Node does not have the types of a browser; what has peers may need them.
      ['plain.ts', ['ES2023'], ['node'], true, false],
      ['page.ts', ['ES2023', 'DOM'], [], false, false],
      ['babylon.ts', ['ES2023', 'DOM'], [], false, true],
    ] as const) {
      const specifiers = packed
        .filter((each) => !isPlain || each.package.manifest.peerDependencies === undefined)
        .filter((each) => isForBabylon(each.package.manifest.name) === babylon)
        .flatMap((each) => each.package.entries.map(({ specifier }) => specifier));
      const imports = specifiers.map((specifier, k) => `import * as module${k} from '${specifier}';`);
      const uses = specifiers.map((_, k) => `Object.keys(module${k}).length > 0`);
      writeFileSync(join(consumer, file), `${imports.join('\n')}\nif (!(${uses.join(' && ')})) throw 0;\n`);
      expect(compile([file], lib, types, babylon)).toBe('');
    }
  });

  it('compiles and runs the examples of the READMEs', async () => {
    const examples = readmes();
    for (const { file, code } of examples) writeFileSync(join(consumer, file), code);
    const files = examples.map(({ file }) => file);
    for (const babylon of [false, true]) {
      const together = files.filter((name) => isForBabylon(name) === babylon);
      expect(compile(together, ['ES2023', 'DOM'], ['node'], babylon)).toBe('');
    }
    for (const file of files.filter((name) => name.endsWith('.mjs'))) {
      await run(process.execPath, [file], { cwd: consumer });
    }
  });
});

describe('a page that Vite builds', () => {
  let browser: Awaited<ReturnType<typeof launchBrowser>>;
  const site = join(consumer, 'site');

  beforeAll(async () => {
    cpSync(fileURLToPath(new URL('page', import.meta.url)), consumer, { recursive: true });
    await build({
      root: consumer,
      base: './',
      configFile: false,
      logLevel: 'error',
      worker: { format: 'es' },
      build: { outDir: site },
    });
    for (const name of ['rest.obj', 'clip.pc2']) cpSync(join(consumer, name), join(site, name));
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  it.each([
    ['with threads', true, 2],
    ['on one thread', false, 1],
  ])('fits the clip in a worker, %s', async (_, isolated, threads) => {
    const server = await serve({ folders: { '/': site }, isolated });
    const { page, errors } = await openPage(browser);
    try {
      await page.goto(`${server.origin}/index.html`);
      const result = await page.evaluate('fit(2)');
      expect(errors).toEqual([]);
      expect(result).toMatchObject({ error: report.error, threads, bones: 3, frames: 8 });
    } finally {
      await page.close();
      await server.close();
    }
  });
});
