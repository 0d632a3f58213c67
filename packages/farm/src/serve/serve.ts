/**
 * An HTTP API for jobs:
 *
 *   POST   /v1/inputs              bytes → { sha, bytes }
 *   POST   /v1/jobs                { command, inputs, options, output, files: { name: sha } } → state
 *   GET    /v1/jobs/KEY            state
 *   GET    /v1/jobs/KEY/events     the same as server-sent events, until the job has ended
 *   DELETE /v1/jobs/KEY            cancel
 *   GET    /v1/results/KEY/NAME    a file of the result
 *
 * Nothing that a request says becomes a path: files are uploads by their hash, results are by key and listed name.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exitCodeOf, InputError, PeltError, UsageError } from '@pelt/model';
import type { Engine } from '../engine/engine.ts';
import { packJob } from '../pack/pack-job.ts';
import { FolderStore } from '../store/folder-store.ts';
import { MARKER, type Store } from '../store/store.ts';
import { streamStates } from './event-stream.ts';
import { JobBoard, type PublicState } from './job-board.ts';
import { RateLimit } from './limits.ts';
import { receive } from './receive.ts';
import { Refusal } from './refusal.ts';
import { upload } from './upload.ts';
import { UploadedFiles } from './uploaded-files.ts';

export interface ServeOptions {
  readonly engine: Engine;
  /** In a folder. */
  readonly store: Store;
  readonly version: string;
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** What a client must send as `Authorization: Bearer …`; may be absent on the loopback alone. */
  readonly token: string | undefined;
  /** Bytes of one upload. */
  readonly largestUpload: number;
  /** Milliseconds in which the body of a request must make progress; 30 s unless a test is in a hurry. */
  readonly uploadPatience?: number;
  readonly requestsPerMinute: number;
  /** Jobs that wait or run. */
  readonly mostJobs: number;
  /** Told of faults, which end one request and never the server. */
  readonly onFault?: (error: unknown) => void;
}

const UPLOAD_PATIENCE = 30_000;

const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];
const LARGEST_REQUEST = 1 << 20;

export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts the server.
 *
 * @example
 * {@includeCode ../../examples/serve.ts}
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { host, port, token, store } = options;
  if (!(store instanceof FolderStore))
    throw new UsageError('serve needs a store in a folder; workers of a queue may share it');
  if (!LOOPBACK.includes(host) && !token) throw new UsageError(`--host ${host} is reachable by others; give a --token`);
  const board = new JobBoard(options.engine, store);
  const limit = new RateLimit(options.requestsPerMinute);
  const desk: Desk = { board, limit, options, store };
  const server = createServer((request, response) => {
    // An answer that cannot be sent is the client's loss alone.
    for (const part of [request, response]) part.on('error', () => {});
    void Promise.resolve()
      .then(() => answer(request, response, desk))
      .catch((error: unknown) => refuse(response, error, options.onFault))
      .catch(() => response.destroy());
  });
  // Uploads have a limit of their own, by their progress.
  server.requestTimeout = 0;
  server.on('clientError', (_, socket) => socket.destroy());
  await listen(server, host, port);
  const { address, port: chosen } = server.address() as AddressInfo;
  return {
    url: `http://${address.includes(':') ? `[${address}]` : address}:${chosen}`,
    close: async () => {
      board.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

interface Desk {
  readonly board: JobBoard;
  readonly limit: RateLimit;
  readonly options: ServeOptions;
  readonly store: FolderStore;
}

async function answer(request: IncomingMessage, response: ServerResponse, desk: Desk): Promise<void> {
  const { board, limit, options, store } = desk;
  checkCaller(request, limit, options);
  const pathname = (request.url ?? '/').replace(/[?#].*$/s, '');
  const [version, kind, key, rest, ...more] = pathname.slice(1).split('/');
  const route = `${request.method} ${kind}${key === undefined ? '' : '/KEY'}${rest === undefined ? '' : kind === 'results' ? '/NAME' : `/${rest}`}`;
  if (version !== 'v1' || more.length > 0) throw new Refusal(404, 'there is nothing here; see /v1/jobs');
  switch (route) {
    case 'POST inputs':
      return send(response, 201, await upload(request, store, { uploadPatience: UPLOAD_PATIENCE, ...options }));
    case 'POST jobs':
      return send(response, 202, await submit(request, desk));
    case 'GET jobs/KEY':
      return send(response, 200, await stateOf(board, key));
    case 'GET jobs/KEY/events':
      return streamStates(response, board, await stateOf(board, key));
    case 'DELETE jobs/KEY':
      return send(response, 202, cancel(board, key));
    case 'GET results/KEY/NAME':
      return download(response, store, key, decoded(rest));
    default:
      throw new Refusal(404, `there is no ${request.method} ${pathname.slice(0, 100)}`);
  }
}

/** Token, rate, and on the loopback the name by which it was called: a page of another origin may not ride on it. */
function checkCaller(request: IncomingMessage, limit: RateLimit, { token, host }: ServeOptions): void {
  if (!limit.allows(request.socket.remoteAddress ?? '', Date.now()))
    throw new Refusal(429, 'too many requests; wait a minute');
  if (token) {
    const digest = (text: string) => createHash('sha256').update(text).digest();
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), digest(`Bearer ${token}`)))
      throw new Refusal(401, 'the token is missing or wrong');
  } else if (LOOPBACK.includes(host)) {
    const name = (request.headers.host ?? '').replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
    if (!LOOPBACK.includes(name) || request.headers.origin !== undefined)
      throw new Refusal(403, 'only programs of this machine may ask');
  }
}

async function submit(request: IncomingMessage, { board, store, options }: Desk): Promise<PublicState> {
  const { version, mostJobs } = options;
  const body = await readJson(request, options.uploadPatience ?? UPLOAD_PATIENCE);
  if (board.open >= mostJobs) throw new Refusal(429, `${mostJobs} jobs are waiting already`);
  const { files, ...job } = body as { files?: unknown };
  const { output } = job as { output?: unknown };
  if (typeof output === 'string' && !/^[\w][\w .#-]{0,99}$/.test(output))
    throw new Refusal(400, 'output is a name without folders');
  const uploads = new UploadedFiles(files ?? {}, store);
  const packed = await packJob(job, uploads, version);
  return board.submit({ job: packed.job, sources: new Map() });
}

function cancel(board: JobBoard, key: string): { key: string; cancelled: boolean } {
  const cancelled = board.cancel(key);
  if (cancelled === undefined) throw new Refusal(404, 'there is no such job');
  return { key, cancelled };
}

async function readJson(request: IncomingMessage, patience: number): Promise<object> {
  const parts: Uint8Array[] = [];
  const sink = new Writable({ write: (_part, _encoding, done) => done() });
  const limits = { largest: LARGEST_REQUEST, tooLarge: 'a request has at most 1 MiB; upload files to /v1/inputs' };
  await receive(request, sink, { ...limits, patience }, (part) => parts.push(part));
  try {
    const value: unknown = JSON.parse(Buffer.concat(parts).toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below.
  }
  throw new Refusal(400, 'the request is not a JSON object');
}

async function stateOf(board: JobBoard, key: string): Promise<PublicState> {
  if (!/^[0-9a-f]{64}$/.test(key)) throw new Refusal(404, 'there is no such job');
  const state = await board.stateOf(key);
  if (!state) throw new Refusal(404, 'there is no such job');
  return state;
}

async function download(response: ServerResponse, store: FolderStore, key: string, name: string): Promise<void> {
  if (!/^[0-9a-f]{64}$/.test(key)) throw new Refusal(404, 'there is no such result');
  const found = await store.find(key);
  // The name is one of those listed, never a path that somebody wrote.
  const listed = found?.files.find((file) => file === name);
  if (!listed) throw new Refusal(404, 'there is no such result');
  const path = join(store.objectPath(key), listed);
  const expected = found?.contents[listed];
  if (listed !== MARKER && (await store.disk.hash(path)) !== expected?.sha) {
    await store.discard(key);
    throw new Refusal(404, 'the result is damaged; submit the job again');
  }
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-length': expected?.bytes ?? (await store.disk.entry(path))?.bytes ?? 0,
    'x-content-type-options': 'nosniff',
  });
  await pipeline(createReadStream(path), response);
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(`${JSON.stringify(body)}\n`);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new Refusal(404, 'there is no such result');
  }
}

function refuse(response: ServerResponse, error: unknown, onFault: ServeOptions['onFault']): void {
  if (!(error instanceof Refusal) && !(error instanceof PeltError)) onFault?.(error);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const status =
    error instanceof Refusal ? error.status : error instanceof UsageError || error instanceof InputError ? 400 : 500;
  const message = error instanceof Refusal || error instanceof PeltError ? error.message : 'a fault of the server';
  // What is left of the request is not read, so that the connection cannot be used again.
  response.setHeader('connection', 'close');
  send(response, status, { error: message, ...(error instanceof PeltError && { exitCode: exitCodeOf(error) }) });
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new UsageError(
          error.code === 'EADDRINUSE'
            ? `port ${port} is taken; give another --port`
            : `cannot listen on ${host}:${port}: ${error.message}`,
        ),
      ),
    );
    try {
      server.listen(port, host, resolve);
    } catch (error) {
      reject(new UsageError(`cannot listen on ${host}:${port}: ${(error as Error).message}`));
    }
  });
}
