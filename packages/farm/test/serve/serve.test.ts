import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LocalEngine } from '../../src/engine/local-engine.ts';
import { RateLimit } from '../../src/serve/limits.ts';
import { type RunningServer, type ServeOptions, serve } from '../../src/serve/serve.ts';
import { FolderStore } from '../../src/store/folder-store.ts';
import { SLOW_PELT, scratchFolder, triangle } from '../scratch.ts';

const PELT = fileURLToPath(new URL('../../../cli/bin/pelt.mjs', import.meta.url));
const folder = scratchFolder();
let store: FolderStore;
let server: RunningServer;
let options: ServeOptions;

beforeAll(async () => {
  store = await FolderStore.open(join(folder, 'store'));
  const engine = new LocalEngine(store, { pelt: SLOW_PELT, jobs: 2, threads: 1 });
  const limits = { largestUpload: 1000, requestsPerMinute: 10_000, mostJobs: 5 };
  options = { engine, store, version: 'test', host: '127.0.0.1', port: 0, token: undefined, ...limits };
  server = await serve(options);
});
afterAll(() => server.close());

const post = (path: string, body: string | object, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers,
  });

async function upload(text: string): Promise<string> {
  const { sha } = (await (await post('/v1/inputs', text)).json()) as { sha: string };
  return sha;
}

async function states(key: string): Promise<{ state: string; files?: string[] }[]> {
  const text = await (await fetch(`${server.url}/v1/jobs/${key}/events`)).text();
  return text
    .trim()
    .split('\n\n')
    .map((event) => JSON.parse(event.replace(/^data: /, '')));
}

const convert = (sha: string, output = 'out.ply') => ({
  command: 'convert',
  inputs: ['rest.obj'],
  output,
  files: { 'rest.obj': sha },
});

describe('serve', () => {
  it('runs a job from upload to download, with the bytes of the command', async () => {
    const response = await post('/v1/jobs', convert(await upload(triangle())));
    expect(response.status).toBe(202);
    const { key } = (await response.json()) as { key: string };
    expect((await states(key)).at(-1)).toMatchObject({ state: 'done', files: ['job.json', 'out.ply', 'report.json'] });
    const result = await (await fetch(`${server.url}/v1/results/${key}/out.ply`)).arrayBuffer();
    writeFileSync(join(folder, 'rest.obj'), triangle());
    spawnSync(process.execPath, [PELT, 'convert', 'rest.obj', '-o', 'out.ply'], { cwd: folder });
    expect(Buffer.from(result)).toEqual(readFileSync(join(folder, 'out.ply')));
    expect(await (await fetch(`${server.url}/v1/jobs/${key}`)).json()).toMatchObject({ state: 'done' });
  });

  it('tells why a job failed', async () => {
    const { key } = (await (await post('/v1/jobs', convert(await upload('nonsense')))).json()) as { key: string };
    expect((await states(key)).at(-1)).toMatchObject({ state: 'failed', exitCode: 2 });
  });

  it('cancels a job', async () => {
    const { key } = (await (await post('/v1/jobs', convert(await upload(triangle(9)), 'sleep-60-x.ply'))).json()) as {
      key: string;
    };
    const ended = states(key);
    expect((await fetch(`${server.url}/v1/jobs/${key}`, { method: 'DELETE' })).status).toBe(202);
    expect((await ended).at(-1)).toMatchObject({ state: 'cancelled' });
  });

  it.each([
    ['/v1/jobs', 'not json', 400],
    ['/v1/jobs', [], 400],
    ['/v1/jobs', { command: 'paint' }, 400],
    ['/v1/jobs', { ...convert('0'.repeat(64)) }, 400],
    ['/v1/jobs', { ...convert('../../../etc/passwd') }, 400],
    ['/v1/jobs', { command: 'convert', inputs: ['/etc/passwd'], output: 'o.ply' }, 400],
    ['/v1/jobs', { command: 'convert', inputs: ['../x'], output: 'o.ply', files: { '../x': 'a'.repeat(64) } }, 400],
    ['/v1/inputs', 'x'.repeat(2000), 413],
    ['/v1/jobs', `{"x": "${'x'.repeat(2 << 20)}"}`, 413],
    ['/v2/jobs', {}, 404],
  ])('refuses %s %j', async (path, body, status) => {
    expect((await post(path, body)).status).toBe(status);
  });

  it('writes nowhere but into the store', async () => {
    const sha = await upload(triangle(3));
    for (const output of ['../x.ply', '/tmp/x.ply', 'a/b.ply', '.hidden.ply']) {
      expect((await post('/v1/jobs', convert(sha, output))).status).toBe(400);
    }
  });

  it.each(['..%2f..%2fjob.json', '%2e%2e', 'nothing'])('gives no file called %s', async (name) => {
    const { key } = (await (await post('/v1/jobs', convert(await upload(triangle())))).json()) as { key: string };
    expect((await fetch(`${server.url}/v1/results/${key}/${name}`)).status).toBe(404);
    expect((await fetch(`${server.url}/v1/results/..%2f..%2fetc/${name}`)).status).toBe(404);
  });

  it('refuses pages of other origins and other names for the loopback', async () => {
    expect((await post('/v1/jobs', {}, { origin: 'https://example.com' })).status).toBe(403);
    const status = await new Promise((resolve) => {
      request(`${server.url}/v1/jobs/x`, { headers: { host: 'example.com' } }, (response) =>
        resolve(response.statusCode),
      ).end();
    });
    expect(status).toBe(403);
  });

  it('needs a token beyond the loopback, and asks for it', async () => {
    await expect(serve({ ...options, host: '0.0.0.0' })).rejects.toThrow(/give a --token/);
    const guarded = await serve({ ...options, token: 'secret' });
    const ask = (authorization: string) => fetch(`${guarded.url}/v1/jobs/x`, { headers: { authorization } });
    expect((await ask('Bearer wrong')).status).toBe(401);
    expect((await ask('Bearer secret')).status).toBe(404);
    await guarded.close();
  });

  it('says that a port is taken', async () => {
    await expect(serve({ ...options, port: Number(new URL(server.url).port) })).rejects.toThrow(/is taken/);
  });
});

describe('RateLimit', () => {
  it('allows so many a minute, and more when time has passed', () => {
    const limit = new RateLimit(3);
    expect([0, 0, 0, 0].map((now) => limit.allows('a', now))).toEqual([true, true, true, false]);
    expect(limit.allows('b', 0)).toBe(true);
    expect(limit.allows('a', 20_000)).toBe(true);
    expect(limit.allows('a', 20_001)).toBe(false);
  });
});
