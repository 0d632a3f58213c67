/**
 * The studio's files on the loopback, and the files that it shall open. Only requests to this machine by its own name are
 * answered, so that no page of another site can read the files through a name that it makes lead here.
 */
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { extname, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from 'node:zlib';
import { UsageError } from '@pelt/model';
import { type GivenFiles, openGiven } from './given-files.ts';

/** Always the same where it is free: a browser keeps projects by address. */
export const DEFAULT_PORT = 4730;
const PORTS_TRIED = 20;
const HOST = '127.0.0.1';

/** Nothing but the page's own files: no other origin, no inline code. Threads start from blobs. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "connect-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Cross-origin isolation lets threads share memory. */
const HEADERS = {
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** What is text or code; models and pictures are packed already. */
const COMPRESSED = new Set(['.html', '.js', '.css', '.json', '.svg', '.wasm', '.obj', '.pc2', '.bvh']);
/** The first levels win most of what there is to win, at a fraction of the time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const FOLDER = fileURLToPath(new URL('../studio/', import.meta.url));

export interface StudioServer {
  readonly address: string;
  close(): Promise<void>;
}

/**
 * @param given   what the studio shall open; nothing: its first example
 * @param port    tried first; 0 for any that is free
 * @param folder  of the built studio
 */
export async function serveStudio(given: GivenFiles, port: number, folder = FOLDER): Promise<StudioServer> {
  const opened = openGiven(given);
  const page = await readFile(resolve(folder, 'index.html'), 'utf8').catch(() => {
    throw new UsageError('the studio is not built; run npm run build');
  });
  const body = opened.listed ? page.replace('</head>', `${listed(opened.listed)}</head>`) : page;
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => (response.headersSent ? response.destroy() : end(response, 500)));
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (!isLocal(request)) return end(response, 403);
    if (request.method !== 'GET' && request.method !== 'HEAD') return end(response, 405);
    const path = decodePath(request.url ?? '/');
    if (path === '/' || path === '/index.html') return send(response, body, '.html');
    const number = /^\/files\/(\d+)$/.exec(path);
    const found = number ? opened.paths[Number(number[1])] : inside(folder, path);
    const file = (found === undefined ? undefined : await openFile(found)) ?? (await openTracker(path));
    return file ? stream(response, file, extname(path), path.startsWith('/assets/')) : end(response, 404);
  };
  const taken = await listen(server, port);
  return {
    address: `http://${HOST}:${taken}/`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function isLocal({ headers }: IncomingMessage): boolean {
  return /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(headers.host ?? '');
}

function decodePath(url: string): string {
  try {
    return decodeURIComponent(url.split('?')[0]);
  } catch {
    return '';
  }
}

/** The file that a path names in a folder; undefined for one outside. */
function inside(folder: string, path: string): string | undefined {
  const root = resolve(folder);
  const file = resolve(root, `.${path}`);
  return file.startsWith(root + sep) ? file : undefined;
}

/** A regular file, open; undefined where there is none. */
async function openFile(path: string): Promise<{ handle: FileHandle; bytes: number } | undefined> {
  const handle = await open(path).catch(() => undefined);
  const found = await handle?.stat();
  if (handle && found?.isFile()) return { handle, bytes: found.size };
  await handle?.close();
  return undefined;
}

/** A file of the body tracker, where its package is installed beside this one. */
async function openTracker(path: string): ReturnType<typeof openFile> {
  const name = /^\/tracker\/([\w.]+)$/.exec(path)?.[1];
  if (name === undefined) return undefined;
  try {
    return await openFile(createRequire(import.meta.url).resolve(`@pelt/tracker/files/${name}`));
  } catch {
    return undefined;
  }
}

/** As it is read: files may be larger than memory, and a page may ask and never take them. */
async function stream(
  response: ServerResponse,
  { handle, bytes }: { readonly handle: FileHandle; readonly bytes: number },
  extension: string,
  forEver: boolean,
): Promise<void> {
  const coding = bytes === 0 ? undefined : codingOf(response, extension);
  const size = coding ? { 'Content-Encoding': coding } : { 'Content-Length': bytes };
  response.writeHead(200, { ...headersOf(extension, forEver), ...size });
  const head = response.req.method === 'HEAD' || bytes === 0;
  if (!head) {
    const read = handle.createReadStream({ end: bytes - 1 });
    if (!coding) return pipeline(read, response);
    return pipeline(read, coding === 'br' ? createBrotliCompress(BROTLI) : createGzip(), response);
  }
  await handle.close();
  response.end();
}

function send(response: ServerResponse, body: string, extension: string): void {
  const coding = codingOf(response, extension);
  const coded = coding === 'br' ? brotliCompressSync(body, BROTLI) : coding === 'gzip' ? gzipSync(body) : body;
  response.writeHead(200, { ...headersOf(extension, false), ...(coding && { 'Content-Encoding': coding }) }).end(coded);
}

/** How a file is compressed for whoever asks; undefined: as it is. */
function codingOf({ req }: ServerResponse, extension: string): 'br' | 'gzip' | undefined {
  if (!COMPRESSED.has(extension)) return undefined;
  const accepted = String(req.headers['accept-encoding'] ?? '').split(/\s*,\s*/);
  return (['br', 'gzip'] as const).find((coding) => accepted.includes(coding));
}

function headersOf(extension: string, forEver: boolean): Record<string, string> {
  // Names of assets have a hash of what is in them.
  const cache = forEver ? 'public, max-age=31536000, immutable' : 'no-cache';
  return {
    ...HEADERS,
    'Content-Type': TYPES[extension] ?? 'application/octet-stream',
    'Cache-Control': cache,
    Vary: 'Accept-Encoding',
  };
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status, HEADERS).end();
}

/** What the page shall open, where its scripts find it; names are escaped, for they come from a disk. */
function listed(list: object): string {
  const text = JSON.stringify(list).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<meta name="pelt-served" content="${text}">`;
}

async function listen(server: Server, port: number): Promise<number> {
  const ports = port === 0 ? [0] : [...Array.from({ length: PORTS_TRIED }, (_, k) => port + k), 0];
  for (const tried of ports) {
    const failure = await new Promise<NodeJS.ErrnoException | undefined>((done) => {
      server.once('error', done);
      server.listen(tried, HOST, () => {
        server.off('error', done);
        done(undefined);
      });
    });
    if (!failure) break;
    if (failure.code !== 'EADDRINUSE' && failure.code !== 'EACCES' && failure.code !== 'ERR_SOCKET_BAD_PORT')
      throw failure;
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new UsageError('no port is free on this machine');
  return address.port;
}
