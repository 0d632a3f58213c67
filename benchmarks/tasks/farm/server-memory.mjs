/** Whether `pelt serve` grows: ten thousand requests and five hundred streams; and what a store of 100 000 results costs. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const REQUESTS = 10_000;
const STREAMS = 500;
const AT_ONCE = 20;
const ENTRIES = 100_000;

export async function serverRows(context, folder, pelt) {
  const name = `serve, ${REQUESTS} requests and ${STREAMS} streams`;
  if (!context.wants(name)) return [];
  context.log(name);
  const [command, ...words] = [...pelt, 'serve', '--port', '0', '--store', 'serve-store', '--rate', '1000000000'];
  const server = spawn(command, words, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [url] = await new Promise((line) =>
      createInterface({ input: server.stdout }).once('line', (text) => line([text])),
    );
    await requests(url, REQUESTS / 5);
    const before = memoryOf(server.pid);
    await requests(url, REQUESTS);
    await streams(url, STREAMS);
    const value = 100 * (memoryOf(server.pid) / before - 1);
    return [{ case: name, metric: 'growth of memory', value, unit: '%', target: 'value <= 25' }];
  } finally {
    server.kill('SIGTERM');
  }
}

/** Uploads, jobs that are refused, questions that have no answer. */
async function requests(url, count) {
  let next = 0;
  const work = async () => {
    for (let k = next++; k < count; k = next++) {
      const ask = (path, body) => fetch(`${url}${path}`, { method: body === undefined ? 'GET' : 'POST', body });
      const job = JSON.stringify({
        command: 'convert',
        inputs: ['a.obj'],
        output: 'a.ply',
        files: { 'a.obj': '0'.repeat(64) },
      });
      const sent = [
        () => ask('/inputs', `v ${k % 500} 0 0\n`),
        () => ask(`/jobs/${'0'.repeat(64)}`),
        () => ask('/jobs', job),
        () => ask('/nothing'),
      ];
      await (await sent[k % sent.length]()).arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Clients that listen to a job and hang up. */
async function streams(url, count) {
  const { hostname, port } = new URL(url);
  const { sha } = await (
    await fetch(`${url}/inputs`, { method: 'POST', body: 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' })
  ).json();
  const job = { command: 'convert', inputs: ['a.obj'], output: 'a.ply', files: { 'a.obj': sha } };
  const { key } = await (await fetch(`${url}/jobs`, { method: 'POST', body: JSON.stringify(job) })).json();
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(`GET /v1/jobs/${key}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    return socket;
  });
  await new Promise((done) => setTimeout(done, 3000));
  for (const socket of sockets) socket.destroy();
  await new Promise((done) => setTimeout(done, 1000));
}

/** Bytes in memory. */
function memoryOf(pid) {
  return 4096 * Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
}

export async function largeStoreRows(context, folder) {
  const name = `a store of ${ENTRIES} results`;
  if (!context.wants(name)) return [];
  context.log(name);
  const { openStore } = await import('@pelt/farm');
  const place = join(folder, 'large-store');
  for (const part of ['objects', 'inputs', 'tmp']) mkdirSync(join(place, part), { recursive: true });
  for (let k = 0; k < ENTRIES; k++) {
    const result = join(place, 'objects', k.toString(16).padStart(64, '0'));
    mkdirSync(result);
    writeFileSync(join(result, 'job.json'), '{}');
  }
  const seconds = async () => {
    const started = performance.now();
    await openStore(place);
    return (performance.now() - started) / 1000;
  };
  const times = [await seconds(), await seconds(), await seconds()].sort((a, b) => a - b);
  const old = Date.now() / 1000 - 3 * 86_400;
  for (let k = 0; k < ENTRIES / 5; k++) {
    writeFileSync(join(place, 'tmp', `left-${k}`), '');
    utimesSync(join(place, 'tmp', `left-${k}`), old, old);
  }
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  await openStore(place);
  const grown = (process.memoryUsage().rss - before) / 1e6;
  return [
    { case: name, metric: 'time to open', value: times[1], unit: 's', target: 'value <= 1' },
    { case: name, metric: 'memory to sweep 20 000 leftovers', value: grown, unit: 'MB', target: 'value <= 64' },
  ];
}
