import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine, openStore, serve } from '@pelt/farm';

const folder = mkdtempSync(join(tmpdir(), 'serve-'));
const store = await openStore(folder);
const engine = await openEngine('local', store, { pelt: ['npx', 'pelt'], jobs: 2, threads: 1, version: '1' });
const limits = { largestUpload: 1e6, requestsPerMinute: 600, mostJobs: 100 };
const server = await serve({ engine, store, version: '1', host: '127.0.0.1', port: 0, token: undefined, ...limits });

const response = await fetch(`${server.url}/v1/inputs`, { method: 'POST', body: 'v 0 0 0\n' });
const { sha, bytes } = (await response.json()) as { sha: string; bytes: number };
if (response.status !== 201 || bytes !== 8 || sha.length !== 64) throw new Error('an upload is known by its hash');
await server.close();
rmSync(folder, { recursive: true });
