/** The examples, built as an application would build them, with their models beside them. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, defaultClientConditions } from 'vite';
import { exampleModels } from '../../examples/example-models.mjs';

export const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));

export function exampleNames(): string[] {
  return readdirSync(EXAMPLES)
    .filter((name) => name.endsWith('.html'))
    .map((name) => name.slice(0, -'.html'.length));
}

/** Paths and contents of all pages. */
export async function buildExamples(scale: number): Promise<Map<string, string | Uint8Array>> {
  const [models, result] = await Promise.all([
    exampleModels(scale),
    build({
      configFile: false,
      logLevel: 'error',
      root: EXAMPLES,
      publicDir: false,
      resolve: { conditions: ['source', ...defaultClientConditions] },
      worker: { format: 'es' },
      build: {
        write: false,
        minify: false,
        target: 'esnext',
        modulePreload: false,
        assetsInlineLimit: 0,
        rollupOptions: { input: Object.fromEntries(exampleNames().map((name) => [name, `${EXAMPLES}${name}.html`])) },
      },
    }),
  ]);
  const [output] = Array.isArray(result) ? result : [result];
  if (!('output' in output)) throw new Error('the bundler watches instead of building');
  const pages = output.output.map(
    (file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source] as const,
  );
  return new Map<string, string | Uint8Array>([
    ...pages,
    ...[...models].map(([name, bytes]) => [`/models/${name}.glb`, bytes] as const),
  ]);
}
