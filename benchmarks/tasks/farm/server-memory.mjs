/** Whether `pelt serve` grows: ten thousand requests and five hundred streams; and what a store of 100 000 results costs. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../harness/run-command.mjs';
import { SUBJECT } from './huge-mesh.mjs';

const REQUESTS = 10_000;
const STREAMS = 500;
const AT_ONCE = 20;
const ENTRIES = 100_000;
const HERE = fileURLToPath(new URL('.', import.meta.url));

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
    // The first round fills what stays as it is: code, pools, the heap of the engine.
    const round = async () => {
      await requests(url, REQUESTS);
      return streams(context, url, STREAMS);
    };
    await round();
    const before = memoryOf(server.pid);
    const heard = await round();
    const value = 100 * (memoryOf(server.pid) / before - 1);
    return [
      { case: name, metric: 'growth of memory in a second round', value, unit: '%', target: 'value <= 5' },
      { case: name, metric: 'streams that were answered', value: heard, unit: '', target: `value >= ${STREAMS}` },
    ];
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

/** Clients that listen to a job while it runs and hang up. @returns how many of them heard of it */
async function streams(context, url, count) {
  const { hostname, port } = new URL(url);
  const upload = async (body) => (await (await fetch(`${url}/inputs`, { method: 'POST', body })).json()).sha;
  const [rest, clip] = ['rest.obj', 'clip.pc2'].map((name) => readFileSync(context.data(`${SUBJECT}/${name}`)));
  const files = { 'rest.obj': await upload(rest), 'clip.pc2': await upload(clip) };
  // Some tens of seconds of work, which is cancelled.
  const job = { command: 'fit', inputs: ['rest.obj', 'clip.pc2'], output: 'out.glb', options: { bones: 30 }, files };
  const { key, error } = await (await fetch(`${url}/jobs`, { method: 'POST', body: JSON.stringify(job) })).json();
  if (!key) throw new Error(`serve: ${error}`);
  let heard = 0;
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.once('data', () => heard++);
    socket.write(`GET ${new URL(url).pathname}/jobs/${key}/events HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    return socket;
  });
  await new Promise((done) => setTimeout(done, 5000));
  const { state } = await (await fetch(`${url}/jobs/${key}`)).json();
  if (state !== 'running') throw new Error(`serve: the job that clients listen to is ${state}`);
  for (const socket of sockets) socket.destroy();
  await fetch(`${url}/jobs/${key}`, { method: 'DELETE' });
  await new Promise((done) => setTimeout(done, 1000));
  return heard;
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
  const sweep = inProcess(`await openStore(${JSON.stringify(place)})`);
  const idle = inProcess('');
  const verify = inProcess(`await verifyStore(await openStore(${JSON.stringify(place)}), { repair: false })`);
  return [
    { case: name, metric: 'time to open', value: times[1], unit: 's', target: 'value <= 1' },
    { case: name, metric: 'memory to sweep 20 000 leftovers', value: sweep - idle, unit: 'MB', target: 'value <= 64' },
    { case: name, metric: 'memory to verify it', value: verify - idle, unit: 'MB', target: 'value <= 64' },
  ];
}

/** Peak megabytes of a process that runs the line. */
function inProcess(line) {
  const script = `import { openStore, verifyStore } from '@pelt/farm'; ${line}; console.log(process.resourceUsage().maxRSS);`;
  const { stdout } = runCommand([process.execPath, '--input-type=module', '-e', script], { cwd: HERE });
  return Number(stdout.trim().split('\n').at(-1)) / 1000;
}
