// @ts-check
/** What each tarball and each module that a page may import weighs. */
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { ROOT } from './public-packages.mjs';

/** Not ours, or not for pages. */
const EXTERNAL = /^(?:node:|three(?:\/|$)|@babylonjs\/|draco3dgltf|bullmq|ioredis|pg$|aws4fetch)/;

/**
 * @typedef {object} EntrySize
 * @property {string} specifier
 * @property {number} minified  bytes of one bundle of everything that it exports, without the packages of others that it asks for
 * @property {number} gzip      of the same, compressed
 */

/**
 * @param {readonly import('./public-packages.mjs').PublicPackage[]} packages
 * @returns {Promise<EntrySize[]>}
 */
export async function entrySizes(packages) {
  const sizes = [];
  for (const { specifier } of packages.flatMap((each) => each.entries)) {
    const bundle = await rolldown({
      input: 'entry',
      cwd: ROOT,
      external: EXTERNAL,
      platform: 'browser',
      resolve: { conditionNames: ['@pelt/source', 'browser', 'import', 'module', 'default'] },
      onLog() {},
      plugins: [
        {
          name: 'entry',
          resolveId: (id) => (id === 'entry' ? `${ROOT}/entry.js` : undefined),
          load: (id) => (id === `${ROOT}/entry.js` ? `export * from '${specifier}';` : undefined),
        },
      ],
    });
    const { output } = await bundle.generate({ format: 'esm', minify: true });
    await bundle.close();
    const code = output.map((file) => (file.type === 'chunk' ? file.code : '')).join('');
    sizes.push({ specifier, minified: Buffer.byteLength(code), gzip: gzipSync(code, { level: 9 }).length });
  }
  return sizes;
}

/**
 * @param {readonly import('./install.mjs').Packed[]} packed
 * @param {readonly EntrySize[]} entries
 */
export function sizeTable(packed, entries) {
  const kilo = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(bytes < 99_500 ? 1 : 0)} KB`;
  return [
    '| package | tarball |',
    '|---|---|',
    ...packed.map((each) => `| \`${each.package.manifest.name}\` | ${kilo(each.size)} |`),
    '',
    '| module, all of it | minified | gzip |',
    '|---|---|---|',
    ...entries.map(({ specifier, minified, gzip }) => `| \`${specifier}\` | ${kilo(minified)} | ${kilo(gzip)} |`),
    '',
  ].join('\n');
}
