/** Bundles a script with its workers for a page that a benchmark serves; the script is `/main.js`. */
import { dirname } from 'node:path';
import { build } from 'vite';

/**
 * @param {string} entry  path of the script
 * @returns {Promise<[path: string, content: string | Uint8Array][]>}
 */
export async function bundlePage(entry) {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    root: dirname(entry),
    worker: { format: 'es' },
    build: {
      write: false,
      target: 'esnext',
      modulePreload: false,
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 10_000,
      rollupOptions: { input: { main: entry }, output: { entryFileNames: '[name].js' } },
    },
  });
  const [{ output }] = Array.isArray(result) ? result : [result];
  return output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source]);
}
