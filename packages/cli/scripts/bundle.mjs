// @ts-check
/**
 * Bundles the command line into bundle/, split so that each command loads what it needs and nothing else: of some 400
 * modules a process that tells what is in an OBJ reads a dozen chunks. Files that have not changed are left alone, so
 * that a process that runs meanwhile finds what it started with.
 */
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { licenceTexts } from '../../../scripts/packages/licences.mjs';
import { writeBuilt } from '../../../scripts/packages/write-built.mjs';

const PACKAGE = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const OUT = join(PACKAGE, 'bundle');

/** Stay packages of their own: Draco's decoder looks for its WebAssembly beside itself; queues and stores are optional. */
const EXTERNAL = /^draco3dgltf\/|^(bullmq|ioredis|pg|aws4fetch)$/;

/**
 * Modules that a process loads together are one chunk: a file more costs a millisecond at the start. They may need only
 * each other, and nothing that needs them: chunks in a circle would see each other half loaded.
 *
 * @type {{ name: string, test: RegExp }[]}
 */
const TOGETHER = [
  // What the help of a command needs as well.
  {
    name: 'table',
    test: /packages\/(cli\/src\/(define-command|limit-words)|jobs\/src\/request\/(?!check-request|request-files|request-schema|schema-parts))/,
  },
  {
    name: 'run',
    test: /packages\/(cli\/src\/(run-command|summaries|files|output|terminal\/(?!printable)|thread\/(perform|run-here|plain-error|scan-frames))|farm\/src\/files|jobs\/src\/(request|files|outputs\/file-guard|memory|run-job)|(math|model)\/src\/errors|model\/src\/(run-context|options))|\/zod\//,
  },
  // Shared with the thread that scans frames, whose own chunk must hold nothing that another imports.
  { name: 'scan', test: /packages\/io\/src\/(text-scanner|read-options|obj\/(scan-obj-frame|obj-text))\.ts$/ },
];

/**
 * @typedef {object} Chunk
 * @property {string[]} modules  those with code in it
 * @property {string[]} imports  of other chunks and of packages that stay apart
 * @property {string[]} later    those of them that are loaded when they are needed
 */

/** @returns {Promise<ReadonlyMap<string, Chunk>>} by file name */
export async function bundlePelt() {
  const bundle = await rolldown({
    input: {
      main: join(PACKAGE, 'src/main.ts'),
      worker: join(PACKAGE, 'src/thread/worker.ts'),
      'frame-worker': join(PACKAGE, 'src/thread/frame-worker.ts'),
    },
    platform: 'node',
    external: EXTERNAL,
    preserveEntrySignatures: 'allow-extension',
    resolve: { conditionNames: ['@pelt/source', 'node', 'import', 'module', 'default'] },
  });
  const { output } = await bundle.generate({
    format: 'esm',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups: TOGETHER, includeDependenciesRecursively: false },
    // Functions and classes keep their names: a stack trace is for people.
    minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
  });
  await bundle.close();
  /** @type {Map<string, string | Uint8Array>} */
  const files = new Map(output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]));
  files.set('LICENSES.txt', licenceTexts(output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))));
  writeBuilt(OUT, files);
  return new Map(
    output.flatMap((file) => {
      if (file.type !== 'chunk') return [];
      const used = Object.entries(file.modules).filter(([, { code }]) => code);
      const { imports, dynamicImports: later } = file;
      return [[file.fileName, { modules: used.map(([id]) => id), imports: [...imports, ...later], later }]];
    }),
  );
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) await bundlePelt();
