/** A worker in a process of its own, which tests kill and stop: node worker-process.mjs URL STORE JOBS LEASE [VERSION [JOB_KEY]] */
import { fileURLToPath } from 'node:url';
import { openStore, startQueueWorker } from '@pelt/farm';

const [url, store, jobs, lease, version = 'test', jobKey] = process.argv.slice(2);
const pelt = [process.execPath, fileURLToPath(new URL('./slow-pelt.mjs', import.meta.url))];
await startQueueWorker(url, await openStore(store), {
  pelt,
  jobs: Number(jobs),
  threads: 1,
  lease: Number(lease),
  version,
  jobKey,
  onJob: (what, key, message = '') => process.stdout.write(`${what} ${key} ${message}\n`),
});
process.stdout.write('ready\n');
