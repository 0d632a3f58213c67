import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { hasSucceeded, isEngine, openEngine, openStore, packJob, readBatch, runBatch, verifyStore } from '@pelt/farm';
import { NodeFiles, physicalPath } from '@pelt/farm/files';
import { MemoryFiles } from '@pelt/jobs';

const folder = mkdtempSync(join(tmpdir(), 'farm-'));
const mesh = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n';
writeFileSync(join(folder, 'rest.obj'), mesh);
const job = { command: 'convert', inputs: [join(folder, 'rest.obj')], output: join(folder, 'rest.ply') };

// Two runs of a batch of one job, in processes of this machine: the second finds the result of the first.
const pelt = [
  process.execPath,
  join(dirname(createRequire(import.meta.url).resolve('pelt/package.json')), 'bin/pelt.mjs'),
];
const store = await openStore(join(folder, 'store'));
const engine = await openEngine('local', store, { pelt, jobs: 2, threads: 1, version: '1' });
const jobs = await readBatch(JSON.stringify(job), 'one job');
const run = { engine, store, files: new NodeFiles(), version: '1', signal: new AbortController().signal };
const [first] = await runBatch(jobs, run);
const [second] = await runBatch(jobs, run);
await engine.close();
// Where a result is written, links in the path to its folder followed.
if (!physicalPath(job.output).endsWith('rest.ply')) throw new Error('the same file');
if ((await verifyStore(store)).damagedResults > 0) throw new Error('all of it is whole');
if (!hasSucceeded(first) || second.state !== 'cached') throw new Error('computed once');

// The key of a job does not depend on where its files lie.
const memory = new MemoryFiles();
memory.set('elsewhere/rest.obj', new TextEncoder().encode(mesh));
const packed = await packJob({ ...job, inputs: ['elsewhere/rest.obj'] }, memory, '1');
if (packed.job.key !== first.key) throw new Error('the same work has the same key');
if (!isEngine('redis://127.0.0.1') || isEngine('paper')) throw new Error('engines are local, redis:// and postgres://');
rmSync(folder, { recursive: true });
