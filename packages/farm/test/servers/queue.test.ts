/** What a farm promises, against the real servers: at least one run, exactly one result, never half of one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SERVERS, type TestServer } from '../../../../scripts/servers/start.mjs';
import { type BatchJob, readBatch } from '../../src/batch/read-batch.ts';
import { type JobState, runBatch } from '../../src/batch/run-batch.ts';
import { BullQueue } from '../../src/engine/bull-queue.ts';
import { connectQueue } from '../../src/engine/connect-queue.ts';
import { QueueEngine } from '../../src/engine/queue-engine.ts';
import { NodeFiles } from '../../src/files/node-files.ts';
import { packJob } from '../../src/pack/pack-job.ts';
import { FolderStore } from '../../src/store/folder-store.ts';
import { put, scratchFolder, triangle } from '../scratch.ts';

const folder = scratchFolder();
const WORKER = fileURLToPath(new URL('../worker-process.mjs', import.meta.url));
/** Milliseconds after which a silent worker is given up. */
const LEASE = 3000;
let count = 0;

/** A worker that tests may stop and kill. */
class TestWorker {
  readonly process: ChildProcess;
  readonly lines: string[] = [];
  readonly #listeners = new Set<() => void>();

  constructor(url: string, store: string, jobs = 1, extra: readonly string[] = []) {
    this.process = spawn(process.execPath, [WORKER, url, store, String(jobs), String(LEASE), ...extra], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { stdout } = this.process;
    if (!stdout) throw new Error('the worker has no output');
    createInterface({ input: stdout }).on('line', (line) => {
      this.lines.push(line);
      for (const listener of this.#listeners) listener();
    });
  }

  /** Waits until it has said something. */
  async says(start: string, times = 1): Promise<void> {
    const heard = () => this.lines.filter((line) => line.startsWith(start)).length >= times;
    while (!heard()) {
      await new Promise<void>((resolve) => {
        const listener = () => {
          this.#listeners.delete(listener);
          resolve();
        };
        this.#listeners.add(listener);
      });
    }
  }

  /** With the processes that it started: a machine that is gone takes all of them with it. */
  kill(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }
}

describe.each(Object.keys(SERVERS) as (keyof typeof SERVERS)[])('a queue on %s', (kind) => {
  let server: TestServer;
  let workers: TestWorker[] = [];
  let engines: QueueEngine[] = [];
  beforeAll(async () => {
    server = await SERVERS[kind]();
  });
  afterEach(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    await Promise.all(engines.map((engine) => engine.close()));
    [workers, engines] = [[], []];
    const queue = (await connectQueue(server.url, 'test')).queue();
    await queue.obliterate({ force: true });
    await queue.close();
  });
  afterAll(() => server.stop());

  /** A folder of work with a store, and jobs that convert a triangle under the names of their outputs. */
  async function setUp(names: readonly string[], extra: (name: string) => object = () => ({})) {
    const place = join(folder, `${kind}-${count++}`);
    mkdirSync(place);
    const lines = names.map((name, k) => {
      put(place, { [`${k}.obj`]: triangle(count * 100 + k + 1) });
      return JSON.stringify({
        id: name,
        command: 'convert',
        inputs: [join(place, `${k}.obj`)],
        output: join(place, `${name}.ply`),
        ...extra(name),
      });
    });
    const jobs = await readBatch(lines.join('\n'), 'batch');
    const store = await FolderStore.open(join(place, 'store'));
    return { place, jobs, store };
  }

  function worker(store: FolderStore, jobs?: number, ...extra: string[]): TestWorker {
    const made = new TestWorker(server.url, store.folder, jobs, extra);
    workers.push(made);
    return made;
  }

  async function client(store: FolderStore, jobKey?: string): Promise<QueueEngine> {
    const engine = await QueueEngine.open(store, await BullQueue.connect(server.url, 'test'), { jobKey });
    engines.push(engine);
    return engine;
  }

  async function run(
    jobs: readonly BatchJob[],
    store: FolderStore,
    more: { signal?: AbortSignal; onChange?: (state: JobState) => void; jobKey?: string } = {},
  ) {
    const engine = await client(store, more.jobKey);
    const signal = more.signal ?? new AbortController().signal;
    return runBatch(jobs, { engine, store, files: new NodeFiles(), version: 'test', ...more, signal });
  }

  const states = (ends: readonly JobState[]) => Object.fromEntries(ends.map(({ id, state }) => [id, state]));

  it('runs jobs and finds them again', async () => {
    const { jobs, store, place } = await setUp(['a', 'b', 'c']);
    worker(store, 2);
    expect(states(await run(jobs, store))).toEqual({ a: 'done', b: 'done', c: 'done' });
    expect(existsSync(join(place, 'a.ply'))).toBe(true);
    expect(states(await run(jobs, store))).toEqual({ a: 'cached', b: 'cached', c: 'cached' });
  });

  it('gives the job of a killed worker to another, with the same result', async () => {
    const { jobs, store, place } = await setUp(['sleep-1-x']);
    const first = worker(store);
    const ends = run(jobs, store);
    await first.says('start');
    first.kill('SIGKILL');
    const second = worker(store);
    expect(states(await ends)).toEqual({ 'sleep-1-x': 'done' });
    await second.says('start');
    const { job } = await packJob(jobs[0].request, new NodeFiles(), 'test');
    expect(readFileSync(join(store.folder, 'objects', job.key, 'sleep-1-x.ply'))).toEqual(
      readFileSync(join(place, 'sleep-1-x.ply')),
    );
    expect(readdirSync(join(store.folder, 'objects'))).toHaveLength(1);
  });

  it('takes one result where a stopped worker wakes up again', async () => {
    const { jobs, store } = await setUp(['sleep-1-y']);
    const sleeper = worker(store);
    const ends = run(jobs, store);
    await sleeper.says('start');
    sleeper.kill('SIGSTOP');
    const other = worker(store);
    await other.says('done');
    sleeper.kill('SIGCONT');
    expect(states(await ends)).toEqual({ 'sleep-1-y': 'done' });
    expect(readdirSync(join(store.folder, 'objects'))).toHaveLength(1);
  });

  it('loses nothing when the server dies', async () => {
    const { jobs, store } = await setUp(['sleep-1-p', 'q', 'r']);
    const first = worker(store);
    const ends = run(jobs, store);
    await first.says('start');
    await server.crash();
    // Where the message of the end was lost, the result is found in the store.
    for (const { state } of await ends) expect(['done', 'cached']).toContain(state);
  });

  it('gives up a job that kills its process three times, and goes on with the others', async () => {
    const name = `die-${kind}-${process.pid}`;
    const { jobs, store } = await setUp([name, 'fine']);
    const one = worker(store);
    const ends = await run(jobs, store);
    expect(states(ends)).toEqual({ [name]: 'failed', fine: 'done' });
    // A batch ends with the code of the first failure: never with 0.
    expect(ends[0].exitCode).toBe(137);
    expect(one.lines.filter((line) => line.startsWith('failed'))).toHaveLength(3);
    rmSync(join(tmpdir(), `pelt-accident-${name}.ply`), { force: true });
  });

  it('tries a job that died once again', async () => {
    const name = `die-once-${kind}-${process.pid}`;
    const { jobs, store } = await setUp([name]);
    worker(store);
    worker(store);
    expect(states(await run(jobs, store))).toEqual({ [name]: 'done' });
    rmSync(join(tmpdir(), `pelt-accident-${name}.ply`), { force: true });
  });

  it('does not try a bad file again', async () => {
    const { jobs, store, place } = await setUp(['bad']);
    put(place, { '0.obj': 'f 1 2 3\n' });
    const one = worker(store);
    const [end] = await run(jobs, store);
    expect(end).toMatchObject({ state: 'failed', exitCode: 2 });
    expect(one.lines.filter((line) => line.startsWith('start'))).toHaveLength(1);
  });

  it('cancels a job that runs elsewhere', async () => {
    const { jobs, store } = await setUp(['sleep-60-z', 'sleep-60-w']);
    const one = worker(store);
    const cancel = new AbortController();
    const ends = run(jobs, store, { signal: cancel.signal });
    await one.says('start');
    cancel.abort();
    expect(states(await ends)).toEqual({ 'sleep-60-z': 'cancelled', 'sleep-60-w': 'cancelled' });
    await one.says('cancelled');
    expect(readdirSync(join(store.folder, 'objects'))).toEqual([]);
  });

  it('goes on with a job that one of two clients has cancelled', async () => {
    const { jobs, store } = await setUp(['sleep-3-shared']);
    const one = worker(store);
    const cancel = new AbortController();
    const [first, second] = [run(jobs, store, { signal: cancel.signal }), run(jobs, store)];
    await one.says('start');
    cancel.abort();
    expect(states(await first)).toEqual({ 'sleep-3-shared': 'cancelled' });
    expect(states(await second)['sleep-3-shared']).toMatch(/^(done|cached)$/);
    // And it was not begun again.
    expect(one.lines.filter((line) => line.startsWith('start'))).toHaveLength(1);
  });

  it('gives jobs to workers of the same version alone', async () => {
    const { jobs, store } = await setUp(['mine']);
    const other = worker(store, 1, 'other');
    await other.says('ready');
    const ends = run(jobs, store);
    const own = worker(store);
    expect(states(await ends)).toEqual({ mine: 'done' });
    await own.says('done');
    expect(other.lines).toEqual(['ready']);
  });

  it('refuses jobs of strangers', async () => {
    const { jobs, store, place } = await setUp(['fine']);
    const { job } = await packJob(jobs[0].request, new NodeFiles(), 'test');
    const one = worker(store, 1, 'test', 'a shared key');
    const queue = (await connectQueue(server.url, 'test')).queue();
    const outside = { ...job, files: [{ ...job.files[0], path: '../../../escaped.obj' }] };
    await queue.add('job', outside, { jobId: 'outside' });
    await queue.add('job', { ...job, request: { ...job.request, output: '../../escaped.ply' } }, { jobId: 'up' });
    await queue.add('job', job, { jobId: 'unsigned' });
    await one.says('failed', 3);
    expect(one.lines.filter((line) => line.startsWith('start'))).toEqual([]);
    expect(existsSync(join(place, 'escaped.obj')) || existsSync(join(place, 'escaped.ply'))).toBe(false);
    await queue.close();
    expect(states(await run(jobs, store, { jobKey: 'a shared key' }))).toEqual({ fine: 'done' });
  });

  it('supplies an input again that was damaged in the store', async () => {
    const { jobs, store } = await setUp(['again']);
    const { job, sources } = await packJob(jobs[0].request, new NodeFiles(), 'test');
    const [{ path, sha }] = job.files;
    await store.putInput(sha, sources.get(path) as string);
    writeFileSync(store.inputPath(sha), triangle(77));
    worker(store);
    expect(states(await run(jobs, store))).toEqual({ again: 'done' });
    expect(readFileSync(store.inputPath(sha), 'utf8')).not.toBe(triangle(77));
  });

  it('runs jobs of a higher priority first', async () => {
    const { jobs, store } = await setUp(['low', 'high', 'middle'], (name) => ({
      priority: { low: -5, high: 10, middle: 0 }[name],
    }));
    const order: string[] = [];
    const ends = run(jobs, store, { onChange: ({ id, state }) => void (state === 'running' && order.push(id)) });
    // All of them wait before anybody comes to work.
    const queue = (await connectQueue(server.url, 'test')).queue();
    while ((await queue.getPrioritizedCount()) < 3) await new Promise((done) => setTimeout(done, 50));
    await queue.close();
    worker(store);
    await ends;
    expect([...new Set(order)]).toEqual(['high', 'middle', 'low']);
  });

  it('follows the order of a flow, and tells two clients of one job how it goes', async () => {
    const { jobs, store, place } = await setUp(['sleep-0.5-first']);
    const next = {
      id: 'next',
      command: 'convert',
      inputs: [join(place, 'sleep-0.5-first.ply')],
      output: join(place, 'next.obj'),
      after: ['sleep-0.5-first'],
    };
    const flow = [
      ...jobs,
      ...(await readBatch(JSON.stringify({ ...next, after: [] }), 'x')).map((job) => ({ ...job, after: next.after })),
    ];
    const seen: string[] = [];
    const both = [run(flow, store), run(jobs, store, { onChange: ({ state }) => void seen.push(state) })];
    worker(store, 2);
    const [ends] = await Promise.all(both);
    expect(states(ends)).toEqual({ 'sleep-0.5-first': 'done', next: 'done' });
    expect(seen).toContain('running');
    expect(existsSync(join(place, 'next.obj'))).toBe(true);
  });
});
