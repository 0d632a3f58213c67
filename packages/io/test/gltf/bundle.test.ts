import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { expect, it } from 'vitest';

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));

/** What a web page gets of the reader, by the bundler most of them use. */
async function bundle(): Promise<Rolldown.RolldownOutput['output']> {
  const result = await build({
    root: SOURCES,
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['@pelt/source'] },
    build: {
      write: false,
      minify: false,
      assetsInlineLimit: 0,
      rolldownOptions: { input: `${SOURCES}gltf/read-gltf.ts`, preserveEntrySignatures: 'strict' },
    },
  });
  const [{ output }] = (Array.isArray(result) ? result : [result]) as Rolldown.RolldownOutput[];
  return output;
}

it('goes to the browser with what decodes apart, loaded when a file needs it', async () => {
  const output = await bundle();
  const chunks = output.filter((item) => item.type === 'chunk');
  const entry = chunks.find(({ isEntry }) => isEntry);
  const atOnce = new Set([entry?.fileName, ...(entry?.imports ?? [])]);
  // Three chunks, none of which comes with the reader.
  const apart = ['@gltf-transform/core', 'draco3dgltf', 'meshoptimizer'].map((name) => {
    const holders = chunks.filter(({ moduleIds }) => moduleIds.some((id) => id.includes(`/node_modules/${name}/`)));
    expect(holders, name).toHaveLength(1);
    expect(atOnce, name).not.toContain(holders[0].fileName);
    return holders[0].fileName;
  });
  expect(new Set(apart).size).toBe(3);
  const wasm = output.find(({ fileName }) => fileName.endsWith('.wasm'));
  expect(wasm?.fileName).toMatch(/draco_decoder_gltf/);
  expect(chunks.some(({ code }) => code.includes(wasm?.fileName.split('/').pop() ?? '?'))).toBe(true);
});
