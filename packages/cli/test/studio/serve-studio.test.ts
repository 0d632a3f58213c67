/** The server of the studio: what it answers, to whom, and with which headers. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveStudio } from '../../src/studio/serve-studio.ts';

const PAGE = fileURLToPath(new URL('../../../../apps/studio/index.html', import.meta.url));

const scratch = mkdtempSync(join(tmpdir(), 'pelt-serve-'));

function site(): string {
  const folder = join(scratch, 'site');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<html><head></head></html>');
  writeFileSync(join(folder, 'assets/a.js'), 'export {}');
  writeFileSync(join(folder, '../secret.txt'), 'secret');
  return folder;
}

/** With a path that is sent as it stands, and any name of the host. */
function ask(address: string, path: string, options: { method?: string; host?: string } = {}) {
  const { hostname, port } = new URL(address);
  const { method = 'GET', host = `${hostname}:${port}` } = options;
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((done, fail) => {
    const sent = request({ hostname, port, path, method, headers: { host } }, (response) => {
      let body = '';
      response.on('data', (part) => {
        body += part;
      });
      response.on('end', () => done({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    sent.on('error', fail);
    sent.end();
  });
}

describe('serveStudio', () => {
  const folder = site();
  const given = join(scratch, 'frames');
  let server: Awaited<ReturnType<typeof serveStudio>>;
  beforeAll(async () => {
    mkdirSync(given, { recursive: true });
    writeFileSync(join(given, '1 "<b>&.obj'), 'v 0 0 0');
    writeFileSync(join(given, '.hidden'), 'x');
    server = await serveStudio({ inputs: [given], fps: 24 }, 0, folder);
  });
  afterAll(async () => {
    await server?.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('compresses code for those who take %s, and sends it as it is to others', async (coding, unpack) => {
    for (const path of ['', 'assets/a.js']) {
      const plain = await ask(server.address, `/${path}`);
      expect(plain.headers['content-encoding']).toBeUndefined();
      const packed = await new Promise<{ coding: unknown; body: Buffer }>((done, fail) => {
        const headers = { 'accept-encoding': coding };
        request(`${server.address}${path}`, { headers }, (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part) => parts.push(part));
          response.on('end', () => done({ coding: response.headers['content-encoding'], body: Buffer.concat(parts) }));
        })
          .on('error', fail)
          .end();
      });
      expect(packed.coding).toBe(coding);
      expect(unpack(packed.body).toString()).toBe(plain.body);
    }
  });

  it('holds nothing of files that are asked for and not taken', async () => {
    const large = join(scratch, 'large.bin');
    writeFileSync(large, Buffer.alloc(100e6, 1));
    const own = await serveStudio({ inputs: [large] }, 0, folder);
    const before = process.memoryUsage().rss;
    const { hostname, port } = new URL(own.address);
    const sockets = Array.from({ length: 6 }, () => {
      const socket = connect(Number(port), hostname);
      socket.pause();
      socket.write('GET /files/0 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
      return socket;
    });
    await new Promise((done) => setTimeout(done, 500));
    expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
    for (const socket of sockets) socket.destroy();
    expect((await ask(own.address, '/files/0', { method: 'HEAD' })).headers['content-length']).toBe('100000000');
    expect((await ask(own.address, '/files/0')).body).toHaveLength(100e6);
    await own.close();
  });

  it('serves the page with isolation, a strict policy, and the list of files, escaped', async () => {
    const { status, headers, body } = await ask(server.address, '/');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'x-content-type-options': 'nosniff',
    });
    const content = /content="([^"]*)"/.exec(body)?.[1] ?? '';
    const plain = content.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
    expect(JSON.parse(plain)).toEqual({ files: ['frames/1 "<b>&.obj'], inputs: ['frames'], fps: 24 });
    expect(content).not.toContain('<');
  });

  it('has the policy that the page itself states for other hosts', async () => {
    const { headers } = await ask(server.address, '/');
    const stated = /Content-Security-Policy"\s*content="([^"]*)"/.exec(readFileSync(PAGE, 'utf8'))?.[1];
    expect(String(headers['content-security-policy'])).toBe(`${stated}; frame-ancestors 'none'`);
    expect(stated).not.toMatch(/unsafe-inline|'unsafe-eval'|https?:|\*/);
  });

  it('serves its own files and those that were given, and nothing else', async () => {
    expect(await ask(server.address, '/assets/a.js')).toMatchObject({ status: 200, body: 'export {}' });
    expect(await ask(server.address, '/files/0')).toMatchObject({ status: 200, body: 'v 0 0 0' });
    for (const path of ['/files/1', '/../secret.txt', '/%2e%2e/secret.txt', '/assets', '/nothing', '/%', '/files/-1']) {
      expect((await ask(server.address, path)).status, path).toBe(404);
    }
  });

  it('answers this machine by its own name alone, and reads alone', async () => {
    const { port } = new URL(server.address);
    expect((await ask(server.address, '/', { host: `localhost:${port}` })).status).toBe(200);
    expect((await ask(server.address, '/', { host: `evil.example:${port}` })).status).toBe(403);
    expect((await ask(server.address, '/files/0', { host: 'evil.example' })).status).toBe(403);
    expect((await ask(server.address, '/', { method: 'POST' })).status).toBe(405);
  });

  it('takes the next port where one is taken', async () => {
    const { port } = new URL(server.address);
    const other = await serveStudio({ inputs: [] }, Number(port), folder);
    expect(other.address).not.toBe(server.address);
    expect((await ask(other.address, '/')).body).not.toContain('pelt-served');
    await other.close();
  });

  it('says what is wrong with a file that is not there, and where the studio is not built', async () => {
    await expect(serveStudio({ inputs: ['no-such-file.obj'] }, 0, folder)).rejects.toThrow(/no-such-file\.obj/);
    await expect(serveStudio({ inputs: [] }, 0, join(folder, 'none'))).rejects.toThrow(/npm run build/);
  });
});
