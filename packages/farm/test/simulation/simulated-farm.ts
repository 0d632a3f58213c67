/**
 * A whole farm in the simulated world: the code of clients, workers, store and delivery as users run it, over a simulated
 * disk and queue, with accidents. What a farm promises is checked at the end, and at every delivery.
 */
import { join } from 'node:path';
import { type Files, POSIX_PATHS } from '@pelt/jobs';
import { OutputError } from '@pelt/model';
import type { BatchJob } from '../../src/batch/read-batch.ts';
import { hasSucceeded, type JobState, runBatch } from '../../src/batch/run-batch.ts';
import type { Runner } from '../../src/engine/execute-job.ts';
import { LocalEngine } from '../../src/engine/local-engine.ts';
import { QueueEngine } from '../../src/engine/queue-engine.ts';
import { jobHandler } from '../../src/engine/queue-worker.ts';
import type { Disk } from '../../src/machine/disk.ts';
import { keyOf } from '../../src/pack/pack-job.ts';
import { FolderStore } from '../../src/store/folder-store.ts';
import { MARKER } from '../../src/store/store.ts';
import { SimulatedDisk, sha } from './simulated-disk.ts';
import { SimulatedQueue } from './simulated-queue.ts';
import { type Actor, World } from './world.ts';

export const ACCIDENTS = [
  'worker dies',
  'worker stops',
  'client dies',
  'client is interrupted',
  'job dies',
  'power fails',
  'bit flips',
  'disk is full',
  'clock jumps',
  'input is edited',
] as const;

export interface Accident {
  readonly kind: (typeof ACCIDENTS)[number];
  /** The step before which it happens. */
  readonly at: number;
  /** Which worker, client or job; how long. */
  readonly which: number;
}

/** All that a run depends on. */
export interface Plan {
  readonly seed: number;
  /** Steps with a choice at random; after them everybody goes on in turn. */
  readonly wild: number;
  readonly accidents: readonly Accident[];
  /** Whether the first client runs its jobs itself. */
  readonly local: boolean;
  /** Of a hundred messages, how many are lost and how many come twice. */
  readonly lost: number;
  readonly doubled: number;
  readonly clients: number;
  readonly workers: number;
  readonly jobs: number;
}

export interface Outcome {
  readonly steps: number;
  readonly trace: string;
  /** Virtual milliseconds from start to end. */
  readonly time: number;
  /** How often jobs were run to their end. */
  readonly runs: number;
  readonly ends: readonly (readonly JobState[])[];
}

const VERSION = 'simulated';
const STORE = '/store';
const HOUR = 3_600_000;

/** @throws Error that names the promise that was broken */
export async function simulateFarm(
  plan: Plan,
  sabotage: (store: FolderStore) => FolderStore = (store) => store,
): Promise<Outcome> {
  const random = generator(plan.seed);
  let step = 0;
  const world = new World((count) => (step < plan.wild ? random(count) : 0));
  const disk = new SimulatedDisk(world);
  const queue = new SimulatedQueue(world, random);
  Object.assign(queue, { lost: plan.lost, doubled: plan.doubled });
  const farm = new Farm(plan, world, disk, queue, sabotage);
  const accidents = [...plan.accidents].sort((a, b) => a.at - b.at);
  const start = world.now;
  for (let k = 0; k < plan.workers; k++) farm.startWorker(k);
  const ends = Promise.all(Array.from({ length: plan.clients }, (_, k) => farm.startClient(k)));
  await world.run(ends, (now) => {
    step = now;
    while (accidents.length > 0 && accidents[0].at <= now) farm.happen(accidents.shift() as Accident, random);
  });
  const time = world.now - start;
  const states = await ends;
  farm.checkEnds(states);
  await farm.checkStore();
  return { steps: world.steps, trace: world.trace.join(' '), time, runs: farm.runs, ends: states };
}

class Farm {
  readonly #plan: Plan;
  readonly #world: World;
  readonly #disk: SimulatedDisk;
  readonly #queue: SimulatedQueue;
  readonly #sabotage: (store: FolderStore) => FolderStore;
  readonly #workers: Actor[] = [];
  readonly #clients: { actor: Actor; restart: () => void; interrupt: AbortController }[] = [];
  /** Every content that an input has had. */
  readonly #contents: string[][] = [];
  #deaths = 0;
  runs = 0;

  constructor(
    plan: Plan,
    world: World,
    disk: SimulatedDisk,
    queue: SimulatedQueue,
    sabotage: (store: FolderStore) => FolderStore,
  ) {
    this.#plan = plan;
    this.#world = world;
    this.#disk = disk;
    this.#queue = queue;
    this.#sabotage = sabotage;
    for (let k = 0; k < plan.jobs; k++) this.#edit(k);
  }

  startWorker(k: number): void {
    const actor = this.#world.actor(`worker ${k}`);
    this.#workers[k] = actor;
    void this.#open(actor).then((store) => {
      const { handle, cancel } = jobHandler(store, { version: VERSION }, this.#runner(actor));
      return this.#queue.work(actor, handle, cancel);
    });
  }

  /** A client that is started again whenever it dies; its end is that of the last one. */
  startClient(k: number): Promise<JobState[]> {
    return new Promise((resolve, reject) => {
      const start = () => {
        const actor = this.#world.actor(`client ${k}`);
        const interrupt = new AbortController();
        this.#clients[k] = { actor, restart: start, interrupt };
        this.#runClient(k, actor, interrupt.signal).then(resolve, reject);
      };
      start();
    });
  }

  async #runClient(k: number, actor: Actor, signal: AbortSignal): Promise<JobState[]> {
    const store = await this.#open(actor);
    const engine =
      this.#plan.local && k === 0
        ? new LocalEngine(store, { pelt: [], threads: 1, jobs: 1 }, this.#runner(actor))
        : await QueueEngine.open(store, this.#queue.client(actor), { name: actor.name });
    const jobs = this.#contents.map((_, job): BatchJob => {
      const output = `/home/${k}/${job}.ply`;
      const request = { command: 'convert', inputs: [`/home/${job}.obj`], output } as const;
      return { id: String(job), request, output, after: [], priority: 0 };
    });
    return runBatch(jobs, { engine, store, files: filesOn(this.#disk), version: VERSION, signal });
  }

  /** A command that cannot open its store ends and says so; somebody starts it again. */
  async #open(actor: Actor): Promise<FolderStore> {
    let count = 0;
    const randomName = () => `${actor.name}-${this.#world.steps}-${count++}`.replaceAll(' ', '-');
    const platform = { disk: this.#disk.of(actor), clock: actor.clock, randomName };
    for (;;) {
      try {
        return this.#sabotage(await FolderStore.open(STORE, platform));
      } catch (error) {
        if (!(error instanceof OutputError)) throw error;
        await actor.clock.sleep(1000);
      }
    }
  }

  /** What a job does: a text from a text, in some time. */
  #runner(actor: Actor): Runner {
    const disk: Disk = this.#disk.of(actor);
    return async (folder, { signal, onEvent }) => {
      try {
        const { inputs, output } = JSON.parse(await disk.read(join(folder, MARKER))) as Record<string, string> & {
          inputs: string[];
        };
        const text = await disk.read(join(folder, inputs[0]));
        onEvent({ type: 'progress', progress: { stage: 'working', fraction: 0.5 } });
        await actor.clock.sleep(5000);
        if (signal.aborted) return { state: 'cancelled' };
        if (this.#deaths > 0) {
          this.#deaths--;
          return { state: 'failed', exitCode: 137, message: 'the process was ended by SIGKILL' };
        }
        await disk.write(join(folder, output), work(text));
        this.runs++;
        return { state: 'done', report: { of: sha(text) } };
      } catch (error) {
        return { state: 'failed', exitCode: 4, message: (error as Error).message };
      }
    };
  }

  happen({ kind, which }: Accident, random: (count: number) => number): void {
    const worker = which % this.#plan.workers;
    const client = this.#clients[which % this.#plan.clients];
    switch (kind) {
      case 'worker dies':
        this.#killWorker(worker);
        break;
      case 'worker stops':
        this.#workers[worker].frozenUntil = this.#world.now + 1000 * (1 + (which % 120));
        break;
      case 'client dies':
        this.#world.kill(client.actor);
        client.restart();
        break;
      case 'client is interrupted':
        client.interrupt.abort();
        break;
      case 'job dies':
        this.#deaths++;
        break;
      case 'power fails':
        // Everything is off, and what was not on the medium may be gone.
        for (let k = 0; k < this.#plan.workers; k++) this.#killWorker(k);
        for (const { actor } of this.#clients) this.#world.kill(actor);
        this.#disk.powerCut(STORE, random);
        for (const { restart } of this.#clients) restart();
        break;
      case 'bit flips':
        this.#disk.rot(`${STORE}/${which % 2 ? 'objects' : 'inputs'}/`, random);
        break;
      case 'disk is full':
        this.#disk.full += 1 + (which % 3);
        break;
      case 'clock jumps':
        this.#world.jump((which % 2 ? 25 : 1) * HOUR);
        break;
      case 'input is edited':
        this.#edit(which % this.#plan.jobs);
    }
  }

  #killWorker(k: number): void {
    this.#world.kill(this.#workers[k]);
    this.startWorker(k);
  }

  #edit(job: number): void {
    this.#contents[job] ??= [];
    const text = `v ${job} ${this.#contents[job].length} 0\n`;
    this.#contents[job].push(text);
    this.#disk.put(`/home/${job}.obj`, text);
  }

  /** Every end is true: what is said to be done is there and right, and what is not has a reason. */
  checkEnds(ends: readonly (readonly JobState[])[]): void {
    for (const [k, states] of ends.entries()) {
      for (const end of states) {
        const where = `client ${k}, job ${end.id}`;
        if (hasSucceeded(end)) {
          const right = this.#contents[Number(end.id)].map(work);
          const found = this.#disk.text(String(end.output));
          if (found === undefined || !right.includes(found))
            throw new Error(`${where} is '${end.state}' and wrong: ${found}`);
        } else if (!this.#isExplained(end)) {
          throw new Error(`${where} is '${end.state}' (${end.exitCode}, ${end.message}) without a reason`);
        }
      }
    }
  }

  #isExplained({ state, exitCode = 0 }: JobState): boolean {
    const count = (...kinds: readonly Accident['kind'][]) =>
      this.#plan.accidents.filter(({ kind }) => kinds.includes(kind)).length;
    if (state === 'cancelled') return count('client is interrupted') > 0;
    if (state !== 'failed' || exitCode === 0) return false;
    if (exitCode === 137) return count('job dies') >= 3;
    // Files are edited as often as a client tries again.
    if (exitCode === 2) return count('input is edited') >= 3;
    // A job that stalls three times is given up.
    if (exitCode === 5) return count('worker dies', 'worker stops', 'clock jumps', 'power fails') >= 3;
    // A disk that was full, or scratch that was swept while its owner slept for a day; or losses without end.
    return exitCode === 4 && (count('disk is full', 'clock jumps') > 0 || count('bit flips', 'power fails') >= 3);
  }

  /** Whatever the store hands out is right, and nothing is left behind. */
  async checkStore(): Promise<void> {
    this.#disk.full = 0;
    this.#world.jump(50 * HOUR);
    for (const actor of [...this.#workers, ...this.#clients.map((client) => client.actor)]) this.#world.kill(actor);
    const auditor = this.#world.actor('auditor');
    const right = new Map(
      this.#contents.flatMap((texts, job) => texts.map((text) => [keyOfWork(job, text), work(text)] as const)),
    );
    const audit = async () => {
      const store = await this.#open(auditor);
      const names = this.#disk.names(`${STORE}/objects/`).map((name) => name.split('/')[3]);
      for (const key of new Set(names)) {
        const found = await store.find(key);
        for (const name of Object.keys(found?.contents ?? {})) {
          if (!found || name === 'report.json') continue;
          const text = await store.fetch(found, name, `/audit/${key}`).then(
            () => this.#disk.text(`/audit/${key}`),
            () => undefined,
          );
          if (text !== undefined && text !== right.get(key)) throw new Error(`the store has a wrong ${key}: ${text}`);
        }
      }
      const left = this.#disk.names(`${STORE}/tmp/`);
      if (left.length > 0) throw new Error(`left in the store: ${left[0]}`);
    };
    const audited = audit();
    await this.#world.run(audited);
    await audited;
  }
}

function work(text: string): string {
  return `ply of ${text}`;
}

function keyOfWork(job: number, text: string): string {
  const request = { command: 'convert', inputs: [`in/0/${job}.obj`], output: `out/${job}.ply`, options: {} } as const;
  return keyOf(VERSION, request, [{ path: `in/0/${job}.obj`, sha: sha(text), bytes: text.length }]);
}

/** The files of a user, as packing reads them. */
function filesOn(disk: SimulatedDisk): Files {
  const read = (path: string) => new TextEncoder().encode(disk.text(path) ?? '');
  return {
    paths: POSIX_PATHS,
    list: () => [],
    stat: (path) => ({ kind: 'file', bytes: read(path).length }),
    read,
    readRange: (path, start, end) => read(path).slice(start, end),
    identify: (path) => path,
    key: (path) => path,
  };
}

/** Mulberry32. */
export function generator(seed: number): (count: number) => number {
  let state = seed >>> 0;
  return (count) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % count;
  };
}
