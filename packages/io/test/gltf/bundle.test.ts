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

it('goes to the browser with its decoders apart, loaded when a file needs them', async () => {
  const output = await bundle();
  const chunks = output.filter((item) => item.type === 'chunk');
  const entry = chunks.find(({ isEntry }) => isEntry);
  const apart = chunks.filter(({ isEntry, fileName }) => !isEntry && entry?.dynamicImports.includes(fileName));
  expect(apart).toHaveLength(2);
  // Names from inside the two decoders.
  for (const name of ['_emscripten_bind_Decoder_DecodeBufferToMesh', 'meshopt_decodeIndexSequence']) {
    expect(apart.filter(({ code }) => code.includes(name))).toHaveLength(1);
    expect(entry?.code).not.toContain(name);
  }
  const wasm = output.find(({ fileName }) => fileName.endsWith('.wasm'));
  expect(wasm?.fileName).toMatch(/draco_decoder_gltf/);
  expect(entry?.code).toContain(wasm?.fileName.split('/').pop());
});
