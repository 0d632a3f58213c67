/** A worker of the load: node load-worker.mjs URL STORE SCRIPT LEASE */
import { openStore, startQueueWorker } from '@pelt/farm';

const [url, store, script, lease] = process.argv.slice(2);
const options = { pelt: ['sh', script], jobs: 2, threads: 1, lease: Number(lease), version: 'load' };
await startQueueWorker(url, await openStore(store), options);
