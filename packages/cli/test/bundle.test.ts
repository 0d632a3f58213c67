/** The command line is quick to start because each command loads little: what, is counted here. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundlePelt, type Chunk } from '../scripts/bundle.mjs';
import { PELT } from './built-pelt.ts';

const folder = mkdtempSync(join(tmpdir(), 'pelt-bundle-'));
let chunks: ReadonlyMap<string, Chunk>;

beforeAll(async () => {
  chunks = await bundlePelt();
  writeFileSync(join(folder, 'rest.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The modules that a run of the command line loads, in all of its threads. */
function modulesOf(args: readonly string[]): string[] {
  const coverage = mkdtempSync(join(folder, 'coverage-'));
  const env = { ...process.env, NODE_V8_COVERAGE: coverage };
  expect(spawnSync(process.execPath, [PELT, ...args], { env, cwd: folder }).status).toBe(0);
  const urls = readdirSync(coverage).flatMap((file): string[] => {
    const { result } = JSON.parse(readFileSync(join(coverage, file), 'utf8')) as { result: { url: string }[] };
    return result.map(({ url }) => url).filter((url) => url.includes('/packages/cli/bundle/'));
  });
  return [...new Set(urls)].flatMap((url) => {
    const chunk = chunks.get(basename(url));
    if (!chunk) throw new Error(`${url} is not of this bundle`);
    // The bundler's own helpers have no path.
    return chunk.modules.filter((id) => id.startsWith('/'));
  });
}

describe('the bundle', () => {
  it('has everything in it but Node and what must stay a package of its own', () => {
    const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    const imports = [...chunks.values()].flatMap((chunk) => chunk.imports);
    const external = new Set(imports.filter((id) => !chunks.has(id) && !isBuiltin(id)).map((id) => id.split('/')[0]));
    expect([...external]).toEqual(Object.keys(dependencies));
  });

  it('has no chunks that wait for each other', () => {
    const state = new Map<string, 'open' | 'closed'>();
    const visit = (name: string, way: readonly string[]): void => {
      expect(state.get(name) === 'open' ? [...way, name] : [], 'a circle').toEqual([]);
      if (state.has(name)) return;
      state.set(name, 'open');
      const { imports = [], later = [] } = chunks.get(name) ?? {};
      for (const next of imports) if (chunks.has(next) && !later.includes(next)) visit(next, [...way, name]);
      state.set(name, 'closed');
    };
    for (const name of chunks.keys()) visit(name, []);
    expect(state.size).toBe(chunks.size);
  });

  it('comes with the licences of what is in it', () => {
    const text = readFileSync(new URL('../bundle/LICENSES.txt', import.meta.url), 'utf8');
    for (const name of ['commander', 'zod', '@gltf-transform/core'])
      expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
    expect(text).not.toContain('Licence: undefined');
  });

  it.each([[['--help']], [['fit', '--help']]])(
    'loads neither solvers nor readers, kernels or schemas for %j',
    (args) => {
      const allowed =
        /\/commander\/|\/packages\/cli\/|\/packages\/jobs\/src\/(commands|[a-z]+\/table|request\/[a-z-]+|reduce\/targets)\.ts$|\/packages\/skin\/src\/[a-z]+\/options\.ts$/;
      const modules = modulesOf(args);
      expect(modules.length).toBeGreaterThan(3);
      expect(modules.filter((id) => !allowed.test(id))).toEqual([]);
    },
  );

  it('loads neither glTF-Transform nor decoders, methods or kernels to tell what is in an OBJ', () => {
    const modules = modulesOf(['info', 'rest.obj']);
    expect(modules.filter((id) => /\/packages\/io\/src\/obj\//.test(id)).length).toBeGreaterThan(0);
    const heavy = /gltf-transform|meshoptimizer|draco|\/three\/|\/packages\/skin\/|generated\/kernels|worker_threads/;
    expect(modules.filter((id) => heavy.test(id))).toEqual([]);
  });
});
