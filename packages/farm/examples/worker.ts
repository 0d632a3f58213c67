import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, startQueueWorker } from '@pelt/farm';
import { UsageError } from '@pelt/model';

const folder = mkdtempSync(join(tmpdir(), 'worker-'));
const store = await openStore(folder);
const options = { pelt: ['npx', 'pelt'], jobs: 2, threads: 1, lease: 30_000, version: '1' };
// With redis://127.0.0.1:6379 it takes jobs until it is closed.
const failure = await startQueueWorker('amqp://127.0.0.1', store, options).then(
  (worker) => worker.close(),
  (error: unknown) => error,
);
if (!(failure instanceof UsageError)) throw new Error('queues are redis:// and postgres://');
rmSync(folder, { recursive: true });
