/** No request ends the server, whatever it asks and whatever fails behind it. */
import { readdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { LocalEngine } from '../../src/engine/local-engine.ts';
import { type RunningServer, type ServeOptions, serve } from '../../src/serve/serve.ts';
import { FolderStore } from '../../src/store/folder-store.ts';
import { SLOW_PELT, scratchFolder, triangle } from '../scratch.ts';

const folder = scratchFolder();
let count = 0;
let servers: RunningServer[] = [];
afterEach(async () => {
  for (const server of servers) await server.close();
  servers = [];
});

async function start(more: Partial<ServeOptions> = {}) {
  const store = (more.store as FolderStore | undefined) ?? (await FolderStore.open(join(folder, `store-${count++}`)));
  const engine = more.engine ?? new LocalEngine(store, { pelt: SLOW_PELT, jobs: 2, threads: 1 });
  const limits = { largestUpload: 1e9, requestsPerMinute: 100_000, mostJobs: 50 };
  const options = { version: 'test', host: '127.0.0.1', port: 0, token: undefined, ...limits, ...more, engine, store };
  const server = await serve(options);
  servers.push(server);
  const post = async (path: string, body: string | object | Uint8Array) => {
    const sent = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
    const response = await fetch(`${server.url}${path}`, { method: 'POST', body: sent as never });
    return { status: response.status, body: (await response.json()) as Record<string, never> };
  };
  const submit = async (text: string, output = 'out.ply') => {
    const { sha } = (await post('/v1/inputs', text)).body;
    const job = { command: 'convert', inputs: ['rest.obj'], output, files: { 'rest.obj': sha } };
    return String((await post('/v1/jobs', job)).body.key);
  };
  const state = async (key: string) =>
    ((await (await fetch(`${server.url}/v1/jobs/${key}`)).json()) as { state: string }).state;
  const ended = async (key: string) => {
    for (;;) {
      const now = await state(key);
      if (now !== 'waiting' && now !== 'running') return now;
      await new Promise((done) => setTimeout(done, 20));
    }
  };
  return { server, store, post, submit, state, ended };
}

async function until(happened: () => Promise<boolean>): Promise<void> {
  while (!(await happened())) await new Promise((done) => setTimeout(done, 20));
}

/**
 * Sends bytes over one connection, then a space every `pace` milliseconds unless that is 0, and gives what comes back
 * until it closes or a moment has passed.
 */
function raw(server: RunningServer, text: string, patience = 300, pace = 0): Promise<string> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (data) => {
      answer += data;
    });
    const trickle = pace > 0 ? setInterval(() => socket.write(' '), pace) : undefined;
    for (const end of ['close', 'error'] as const) {
      socket.on(end, () => {
        clearInterval(trickle);
        resolve(answer);
      });
    }
    setTimeout(() => socket.destroy(), patience);
  });
}

describe('serve', () => {
  it('survives a job that is submitted again while its last end still waits behind another stream', async () => {
    const { server, submit, ended, state } = await start();
    const slow = await submit(triangle(), 'sleep-3-x.ply');
    const bad = await submit('nonsense');
    expect(await ended(bad)).toBe('failed');
    const ask = (key: string) => `GET /v1/jobs/${key}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
    const answers = raw(server, ask(slow) + ask(bad), 1500);
    await new Promise((done) => setTimeout(done, 100));
    await submit('nonsense');
    expect(await ended(bad)).toBe('failed');
    await answers;
    expect(await state(slow)).toBe('running');
  });

  it.each([
    'GET // HTTP/1.1',
    'GET http:// HTTP/1.1',
    'GET /v1/results/%/% HTTP/1.1',
    'GET /v1/jobs/%00 HTTP/1.1',
    'DELETE /v1/jobs/x HTTP/1.1',
    'OPTIONS * HTTP/1.1',
    'NONSENSE',
    'GET / HTTP/9.9',
  ])('answers %j with a refusal of its own', async (line) => {
    const faults: unknown[] = [];
    const { server, post } = await start({ onFault: (error) => faults.push(error) });
    const answer = await raw(server, `${line}\r\nHost: 127.0.0.1\r\n\r\n`);
    expect(answer).not.toMatch(/^HTTP\/1\.1 5/);
    expect(faults).toEqual([]);
    expect((await post('/v1/inputs', 'x')).status).toBe(201);
  });

  it('goes on where anything behind a request throws, at once or later', async () => {
    const steps = ['entry', 'copy', 'hash', 'rename', 'makeFolder', 'read', 'write', 'list', 'remove', 'link'] as const;
    for (const step of [...steps, 'run'] as const) {
      for (const way of ['at once', 'later'] as const) {
        let broken = false;
        const fail = () => {
          if (way === 'at once') throw new TypeError(`${step} fails`);
          return Promise.reject(new TypeError(`${step} fails`));
        };
        const { NODE_DISK } = await import('../../src/machine/disk.ts');
        const disk = new Proxy(NODE_DISK, {
          get: (target, name) => (broken && name === step ? fail : target[name as keyof typeof target]),
        });
        const store = await FolderStore.open(join(folder, `store-${count++}`), { disk });
        const engine: Engine = {
          run: () => (broken && step === 'run' ? (fail() as never) : Promise.resolve({ state: 'cancelled' })),
          close: async () => {},
        };
        const { server, post } = await start({ store, engine });
        const { sha } = (await post('/v1/inputs', triangle())).body;
        broken = true;
        const job = { command: 'convert', inputs: ['rest.obj'], output: 'o.ply', files: { 'rest.obj': sha } };
        const key = '0'.repeat(64);
        await post('/v1/inputs', triangle(2));
        await post('/v1/jobs', job);
        for (const path of [`jobs/${key}`, `jobs/${key}/events`, `results/${key}/x`])
          expect((await fetch(`${server.url}/v1/${path}`)).status).toBeGreaterThanOrEqual(400);
        await fetch(`${server.url}/v1/jobs/${key}`, { method: 'DELETE' });
        broken = false;
        expect((await post('/v1/inputs', triangle(3))).status).toBe(201);
        await server.close();
      }
    }
  });

  it('goes on where the listeners of a stream throw', async () => {
    const { server, submit, ended } = await start();
    const key = await submit(triangle(), 'sleep-0.3-x.ply');
    // Clients that hang up in the middle of it.
    await Promise.all(
      Array.from({ length: 20 }, (_, k) =>
        raw(server, `GET /v1/jobs/${key}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`, 10 * k),
      ),
    );
    expect(await ended(key)).toBe('done');
  });

  it('reads the names in a file in little memory, and answers others meanwhile', async () => {
    const { server, post } = await start();
    const names: readonly [string, Uint8Array][] = [
      ['a.obj', Buffer.alloc(150e6, '\n')],
      ['b.gltf', Buffer.concat([Buffer.from('{"buffers":['), Buffer.alloc(60e6, '{},'), Buffer.from('{}]}')])],
    ];
    for (const [name, bytes] of names) {
      const { sha } = (await post('/v1/inputs', bytes)).body;
      const before = process.memoryUsage().rss;
      let most = 0;
      const timer = setInterval(() => {
        most = Math.max(most, process.memoryUsage().rss - before);
      }, 5);
      const job = { command: 'convert', inputs: [name], output: 'out.ply', files: { [name]: sha } };
      const submitted = post('/v1/jobs', job);
      expect((await fetch(`${server.url}/v1/jobs/x`)).status).toBe(404);
      const { key } = (await submitted).body;
      clearInterval(timer);
      await fetch(`${server.url}/v1/jobs/${key}`, { method: 'DELETE' });
      expect(most).toBeLessThan(300e6);
    }
  });

  it('refuses a file that names too many others', async () => {
    const { post } = await start();
    const text = Array.from({ length: 30_000 }, (_, k) => `mtllib ${k}.mtl`).join('\n');
    const { sha } = (await post('/v1/inputs', text)).body;
    const job = { command: 'convert', inputs: ['a.obj'], output: 'out.ply', files: { 'a.obj': sha } };
    expect(await post('/v1/jobs', job)).toMatchObject({ status: 400, body: { error: /names more than/ } });
  });

  it.each([
    ['/v1/inputs', 'stops', 0],
    ['/v1/inputs', 'trickles', 20],
    ['/v1/jobs', 'stops', 0],
    ['/v1/jobs', 'trickles', 20],
  ])('ends a request to %s that %s, though it has the token, and keeps nothing of it', async (path, _, pace) => {
    const { server, store, post } = await start({ uploadPatience: 200, token: 'secret' });
    const words = 'Host: 127.0.0.1\r\nAuthorization: Bearer secret\r\nContent-Length: 100000\r\n\r\n{"';
    const answer = await raw(server, `POST ${path} HTTP/1.1\r\n${words}`, 5000, pace);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('too slow');
    await until(async () => readdirSync(join(store.folder, 'tmp')).length === 0);
    expect(readdirSync(join(store.folder, 'inputs'))).toEqual([]);
    expect((await post('/v1/inputs', 'x')).status).toBe(401);
  });

  it('takes a slow upload that keeps up', async () => {
    const { server } = await start({ uploadPatience: 1500 });
    const body = Buffer.alloc(400_000, 'v 0 0 0\n');
    const parts = new ReadableStream({
      async start(controller) {
        // Longer than the server's patience as a whole, and far above the least in between.
        for (let at = 0; at < body.length; at += 40_000) {
          await new Promise((done) => setTimeout(done, 180));
          controller.enqueue(body.subarray(at, at + 40_000));
        }
        controller.close();
      },
    });
    const sent = { method: 'POST', body: parts, duplex: 'half' } as RequestInit;
    const response = await fetch(`${server.url}/v1/inputs`, sent);
    expect(await response.json()).toMatchObject({ bytes: body.length });
  });

  it('cancels a job when every client that asked for it has', async () => {
    const { server, submit, ended, state } = await start();
    const key = await submit(triangle(5), 'sleep-60-x.ply');
    expect(await submit(triangle(5), 'sleep-60-x.ply')).toBe(key);
    const cancel = async () =>
      ((await (await fetch(`${server.url}/v1/jobs/${key}`, { method: 'DELETE' })).json()) as { cancelled: boolean })
        .cancelled;
    expect(await cancel()).toBe(false);
    expect(['waiting', 'running']).toContain(await state(key));
    expect(await cancel()).toBe(true);
    expect(await ended(key)).toBe('cancelled');
  });

  it('gives no damaged result', async () => {
    const { server, store, submit, ended } = await start();
    const key = await submit(triangle(6));
    expect(await ended(key)).toBe('done');
    writeFileSync(join(store.objectPath(key), 'out.ply'), 'x'.repeat(10));
    expect((await fetch(`${server.url}/v1/results/${key}/out.ply`)).status).toBe(404);
    expect(await submit(triangle(6))).toBe(key);
    expect(await ended(key)).toBe('done');
    expect((await fetch(`${server.url}/v1/results/${key}/out.ply`)).status).toBe(200);
  });
});
