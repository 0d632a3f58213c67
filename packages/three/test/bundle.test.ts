/** What a page that imports an entry carries: nothing of the other entries, and no kernels outside the workers. */
import { gzipSync } from 'node:zlib';
import { build, defaultClientConditions } from 'vite';
import { describe, expect, it } from 'vitest';
import { SOURCE_CONDITION } from '../../../scripts/packages/public-packages.mjs';

interface Bundle {
  /** Gzipped, without three.js. */
  readonly bytes: number;
  readonly imports: readonly string[];
  readonly code: string;
}

async function bundle(code: string): Promise<Bundle> {
  const entry = '\0entry.js';
  const result = await build({
    configFile: false,
    logLevel: 'error',
    root: import.meta.dirname,
    resolve: { conditions: [SOURCE_CONDITION, ...defaultClientConditions] },
    worker: { format: 'es' },
    plugins: [
      { name: 'entry', resolveId: (id) => (id === 'entry' ? entry : null), load: (id) => (id === entry ? code : null) },
    ],
    build: {
      write: false,
      minify: true,
      target: 'esnext',
      modulePreload: false,
      assetsInlineLimit: 0,
      rollupOptions: { input: 'entry', external: /^three(?:\/|$)/, preserveEntrySignatures: 'strict' },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (!('output' in output)) throw new Error('the bundler watches instead of building');
  const [main] = output.output;
  return { bytes: gzipSync(main.code).length, imports: [...main.imports], code: main.code };
}

describe('entries', () => {
  it.each([
    { name: 'the loader', code: "export { PeltLoaderPlugin } from '@pelt/three'", most: 27_000, from: ['three'] },
    { name: 'all of @pelt/three', code: "export * from '@pelt/three'", most: 33_200, from: ['three'] },
    { name: '@pelt/three/webgl', code: "export * from '@pelt/three/webgl'", most: 19_500, from: ['three'] },
    {
      name: '@pelt/three/webgpu',
      code: "export * from '@pelt/three/webgpu'",
      most: 29_500,
      from: ['three', 'three/tsl', 'three/webgpu'],
    },
  ])('$name: small, and only from $from', async ({ code, most, from }) => {
    const found = await bundle(code);
    expect([...new Set(found.imports)].filter((name) => name.startsWith('three')).sort()).toEqual(from);
    expect(found.bytes).toBeLessThan(most);
    // Kernels are embedded as base64 and would outweigh everything else.
    expect(found.code).not.toMatch(/[A-Za-z0-9+/]{2000}/);
  });

  it('leaves out what a page does not use', async () => {
    const loader = await bundle("export { PeltLoaderPlugin } from '@pelt/three'");
    const all = await bundle("export * from '@pelt/three'");
    expect(loader.bytes).toBeLessThan(0.9 * all.bytes);
    expect(loader.code).not.toContain('pointerdown');
    expect(all.code).toContain('pointerdown');
  });
});
