import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { describe, expect, it } from 'vitest';

const SOURCES = fileURLToPath(new URL('../src/', import.meta.url));
const PAGE = 'virtual:page';

/** Modules of `skin` that a page gets, and its code, by the bundler most pages use. */
async function bundle(page: string): Promise<{ modules: string[]; code: string }> {
  const result = await build({
    root: SOURCES,
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['@pelt/source'] },
    plugins: [
      { name: 'page', resolveId: (id) => (id === PAGE ? id : null), load: (id) => (id === PAGE ? page : null) },
    ],
    build: {
      write: false,
      minify: true,
      rolldownOptions: { input: PAGE, preserveEntrySignatures: 'strict' },
    },
  });
  const [{ output }] = (Array.isArray(result) ? result : [result]) as Rolldown.RolldownOutput[];
  const chunks = output.filter((item) => item.type === 'chunk');
  const modules = chunks.flatMap(({ modules }) =>
    Object.entries(modules).flatMap(([id, { code }]) =>
      id.startsWith(SOURCES) && code ? [id.slice(SOURCES.length)] : [],
    ),
  );
  return { modules, code: chunks.map(({ code }) => code).join('\n') };
}

const isTraining = (module: string) =>
  !/\/(runtime|blending)\/|\/options\.ts$|^shared\/(mesh|gradients)\//.test(module);

describe('a page that only plays', () => {
  it.each([
    ['the methods', ''],
    ['their run-time subpaths', '/runtime'],
  ])('carries no trainer when it imports from %s', async (_, runtime) => {
    const { modules } = await bundle(`
      export { createPoseSession } from '@pelt/skin/pose${runtime}';
      export { createReducedDeformer } from '@pelt/skin/envelope${runtime}';
      export { createPuppet } from '@pelt/skin/puppet${runtime}';
    `);
    expect(modules).toContain('pose/runtime/pose-session.ts');
    expect(modules).toContain('envelope/runtime/reduced-deformer.ts');
    expect(modules).toContain('puppet/runtime/puppet.ts');
    expect(modules.filter(isTraining)).toEqual([]);
  });

  it('sees a trainer where there is one', async () => {
    const { modules } = await bundle(`export { buildPoser } from '@pelt/skin/pose';`);
    expect(modules.filter(isTraining)).toContain('pose/training/build-poser.ts');
  });

  it('gets the run time of posing, kernels included, in 150 KB compressed', async () => {
    const { code } = await bundle(`
      export { openNumerics } from '@pelt/math';
      export { createPoseSession } from '@pelt/skin/pose/runtime';
    `);
    const kilobytes = gzipSync(code, { level: 9 }).length / 1000;
    expect(kilobytes).toBeLessThan(150);
    // Less than the kernels alone means that something is missing.
    expect(kilobytes).toBeGreaterThan(20);
  });
});
