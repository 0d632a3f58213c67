/** More jobs at once than a signal has listeners before Node warns of a leak, on every engine that waits for them. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBatch } from '../../src/batch/read-batch.ts';
import { runBatch } from '../../src/batch/run-batch.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { JobQueue } from '../../src/engine/job-queue.ts';
import { LocalEngine } from '../../src/engine/local-engine.ts';
import { QueueEngine } from '../../src/engine/queue-engine.ts';
import { NodeFiles } from '../../src/files/node-files.ts';
import { FolderStore } from '../../src/store/folder-store.ts';
import { put, scratchFolder, triangle } from '../scratch.ts';

const folder = scratchFolder();
const JOBS = 24;

/** A queue that has every job and runs none. */
const IDLE_QUEUE: JobQueue = {
  add: async () => {},
  ask: async () => 'open',
  watch: () => {},
  hear: async () => {},
  say: async () => {},
  remove: async () => {},
  close: async () => {},
};

async function warningsOf(
  name: string,
  engineOf: (store: FolderStore) => Promise<Engine> | Engine,
  cancelAfter?: number,
) {
  put(folder, Object.fromEntries(Array.from({ length: JOBS }, (_, k) => [`${name}/${k}.obj`, triangle(k + 1)])));
  const line = (k: number) => {
    const [input, output] = [`${k}.obj`, `${k}.ply`].map((file) => join(folder, name, file));
    return JSON.stringify({ id: String(k), command: 'convert', inputs: [input], output });
  };
  const jobs = await readBatch(Array.from({ length: JOBS }, (_, k) => line(k)).join('\n'), name);
  const store = await FolderStore.open(join(folder, name, 'store'));
  const warnings: string[] = [];
  const hear = (warning: Error) => warnings.push(warning.name);
  process.on('warning', hear);
  const controller = new AbortController();
  if (cancelAfter !== undefined) setTimeout(() => controller.abort(), cancelAfter);
  try {
    const engine = await engineOf(store);
    const run = { engine, store, files: new NodeFiles(), version: 'test', signal: controller.signal };
    const ends = await runBatch(jobs, run);
    // Warnings come on a later turn.
    await new Promise((done) => setTimeout(done, 10));
    return { warnings, states: new Set(ends.map(({ state, message }) => message ?? state)) };
  } finally {
    process.off('warning', hear);
  }
}

describe(`${JOBS} jobs at once`, () => {
  it('are told to end by one signal without a warning of a leak, each a process', async () => {
    const options = { pelt: [process.execPath, '-e', 'setTimeout(() => {}, 1e6)', '--'], jobs: 12, threads: 1 };
    const engineOf = (store: FolderStore) => new LocalEngine(store, options);
    const { warnings, states } = await warningsOf('processes', engineOf, 300);
    expect({ warnings, states }).toEqual({ warnings: [], states: new Set(['cancelled']) });
  });

  it('or run by others', async () => {
    const { warnings, states } = await warningsOf('queue', (store) => QueueEngine.open(store, IDLE_QUEUE), 100);
    expect({ warnings, states }).toEqual({ warnings: [], states: new Set(['cancelled']) });
  });
});
