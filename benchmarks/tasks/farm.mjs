/**
 * What a farm costs beside the command itself: processor time of a queue for each job, on both servers, and how many
 * jobs a second are found in the store. What a farm does under load and faults; and one mesh that is larger than memory.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVERS } from '../../scripts/servers/start.mjs';
import { peltOf, runCommand } from '../harness/run-command.mjs';
import { hugeMeshRows, SUBJECT } from './farm/huge-mesh.mjs';
import { loadRows } from './farm/load.mjs';
import { largeStoreRows, serverRows } from './farm/server-memory.mjs';

const PELT = peltOf(resolve(dirname(fileURLToPath(import.meta.url)), '../..'));
/** Two sizes: the difference is free of what starting worker and client takes. */
const [FEW, MANY] = [5, 30];
const CACHED = 200;

export default {
  name: 'farm',
  needs: [`${SUBJECT}/rest.obj`, `${SUBJECT}/clip.pc2`],
  async run(context) {
    const folder = mkdtempSync(join(tmpdir(), 'pelt-bench-farm-'));
    try {
      const rows = [];
      for (const kind of Object.keys(SERVERS)) rows.push(...(await queueOverhead(context, folder, kind)));
      rows.push(...cachedJobs(context, folder));
      rows.push(...(await loadRows(context, folder)));
      rows.push(...(await serverRows(context, folder, PELT)), ...(await largeStoreRows(context, folder)));
      return [...rows, ...hugeMeshRows(context)];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** So many meshes with a batch that converts them. */
function batchOf(folder, name, count) {
  const lines = Array.from({ length: count }, (_, k) => {
    writeFileSync(join(folder, `${name}-${k}.obj`), `v 0 0 0\nv ${k + 1} 0 0\nv 0 1 0\nf 1 2 3\n`);
    return JSON.stringify({ command: 'convert', inputs: [`${name}-${k}.obj`], output: `${name}-${k}.ply` });
  });
  writeFileSync(join(folder, `${name}.jsonl`), lines.join('\n'));
  return `${name}.jsonl`;
}

async function queueOverhead(context, folder, kind) {
  const name = `${MANY} jobs on ${kind}`;
  if (!context.wants(name)) return [];
  context.log(name);
  const server = await SERVERS[kind]();
  try {
    // The first batch sets up the server.
    const [, few, many] = [
      await queued(folder, `${kind}-first`, 1, server.url),
      await queued(folder, `${kind}-few`, FEW, server.url),
      await queued(folder, `${kind}-many`, MANY, server.url),
    ];
    let plain = 0;
    for (let k = FEW; k < MANY; k++) {
      const args = ['convert', `${kind}-many-${k}.obj`, '-o', `plain-${k}.ply`, '--quiet'];
      plain += runCommand([...PELT, ...args], { cwd: folder }).processor;
    }
    const value = (1000 * (many - few - plain)) / (MANY - FEW);
    return [
      { case: name, metric: 'processor time of each beyond the command', value, unit: 'ms', target: 'value <= 50' },
    ];
  } finally {
    await server.stop();
  }
}

/** Processor time of client and worker, with all their processes. */
async function queued(folder, name, count, url) {
  const batch = batchOf(folder, name, count);
  const args = ['--engine', url, '--store', `${name}-store`];
  const worker = timedWorker([...PELT, 'worker', ...args, '--jobs', '1', '--quiet'], folder);
  const client = runCommand([...PELT, 'batch', batch, ...args, '--quiet'], { cwd: folder }).processor;
  return client + (await worker.stop());
}

/** A worker whose processor time, with that of its children, is known when it ends. */
function timedWorker(command, cwd) {
  const script = `TIMEFORMAT='%3U %3S'; time { "$@" & pid=$!; trap 'kill -TERM $pid' TERM; wait $pid; wait $pid; }`;
  const child = spawn('bash', ['-c', script, 'bash', ...command], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  let text = '';
  child.stderr.on('data', (part) => {
    text += part;
  });
  return {
    stop: () =>
      new Promise((done) => {
        child.on('close', () => {
          const [user, system] = text.replaceAll(',', '.').trim().split('\n').at(-1).split(/\s+/).map(Number);
          done(user + system);
        });
        child.kill('SIGTERM');
      }),
  };
}

function cachedJobs(context, folder) {
  const name = `${CACHED} jobs from the store`;
  if (!context.wants(name)) return [];
  context.log(name);
  const batch = batchOf(folder, 'cached', CACHED);
  const run = () => runCommand([...PELT, 'batch', batch, '--store', 'cached-store', '--quiet'], { cwd: folder });
  run();
  const times = [run(), run(), run()].map(({ wall }) => wall).sort((a, b) => a - b);
  return [{ case: name, metric: 'jobs a second', value: CACHED / times[1], unit: '1/s', target: 'value >= 20' }];
}
