// @ts-check
/** A small web server on the loopback, for pages of figures and of browser tests. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, resolve, sep } from 'node:path';

/** @type {Record<string, string | undefined>} */
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};
const BINARY = 'application/octet-stream';

/**
 * @typedef {string | Uint8Array} Body
 * @typedef {object} ServeOptions
 * @property {Readonly<Record<string, string>>} [folders]  URL prefix ('/page/') → folder whose files it serves
 * @property {ReadonlyMap<string, Body>} [bodies]  URL path ('/figure') → what it answers; may change while serving
 * @property {boolean} [isolated]  send the headers that make a page cross-origin isolated, so that threads can share
 *   memory
 */

/**
 * @param {ServeOptions} options
 * @returns {Promise<{ origin: string, close(): Promise<void> }>}
 */
export async function serve({ folders = {}, bodies = new Map(), isolated = false }) {
  const headers = isolated
    ? { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }
    : {};

  const server = createServer(async (request, response) => {
    const path = decodePath(request.url ?? '/');
    const body = bodies.get(path) ?? (await readFrom(folders, path));
    if (body === undefined) return response.writeHead(404, headers).end();
    const type = TYPES[extname(path)] ?? BINARY;
    return response.writeHead(200, { ...headers, 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
  });
  await new Promise((ready, fail) => {
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => ready(undefined));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('serve: the server has no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** @param {string} url */
function decodePath(url) {
  try {
    return decodeURIComponent(url.split('?')[0]);
  } catch {
    return '';
  }
}

/**
 * @param {Readonly<Record<string, string>>} folders
 * @param {string} path
 */
async function readFrom(folders, path) {
  const prefix = Object.keys(folders).find((candidate) => path.startsWith(candidate));
  if (prefix === undefined) return undefined;
  const folder = resolve(folders[prefix]);
  const file = resolve(folder, `.${sep}${path.slice(prefix.length)}`);
  if (!file.startsWith(folder + sep)) return undefined;
  return readFile(file).catch(() => undefined);
}
