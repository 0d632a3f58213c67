/**
 * A queue as BullMQ is one: jobs by key, leases that a worker renews, stalled jobs that go to another, a few attempts.
 * Messages may come late, twice or never. Jobs that it has taken it never forgets.
 */
import type { JobHandler, JobQueue, Notice, QueuedEnd, QueueListener } from '../../src/engine/job-queue.ts';
import { isWorthAnotherTry } from '../../src/engine/run-child.ts';
import type { QueuedJob } from '../../src/pack/job-signature.ts';
import type { Actor, World } from './world.ts';

const ATTEMPTS = 3;
const LEASE = 30_000;
const BACK_OFF = 1000;

interface Entry {
  readonly job: QueuedJob;
  state: 'waiting' | 'active' | 'ended';
  token: number;
  lockedUntil: number;
  attempts: number;
  stalls: number;
  notBefore: number;
  end?: QueuedEnd;
}

export class SimulatedQueue {
  readonly #world: World;
  readonly #server: Actor;
  readonly #entries = new Map<string, Entry>();
  readonly #listeners: { readonly actor: Actor; readonly listener: QueueListener }[] = [];
  readonly #ears: {
    readonly actor: Actor;
    readonly notice: Notice;
    readonly hear: (key: string, from: string) => void;
  }[] = [];
  readonly #choose: (count: number) => number;
  #token = 0;
  /** Of a hundred messages, how many are lost, and how many come twice. */
  lost = 0;
  doubled = 0;

  constructor(world: World, choose: (count: number) => number) {
    this.#world = world;
    this.#choose = choose;
    this.#server = world.actor('queue');
    this.#server.clock.every(LEASE, () => this.#giveBackStalled());
  }

  /** The client's side. */
  client(actor: Actor): JobQueue {
    return {
      add: async (job) => {
        await actor.turn();
        const known = this.#entries.get(job.key);
        if (known && known.state !== 'ended') return;
        const fresh = { token: 0, lockedUntil: 0, attempts: 0, stalls: 0, notBefore: 0 };
        this.#entries.set(job.key, { job, state: 'waiting', ...fresh });
      },
      ask: async (key) => {
        await actor.turn();
        const found = this.#entries.get(key);
        return !found ? 'absent' : (found.end ?? 'open');
      },
      remove: async (key) => {
        await actor.turn();
        if (this.#entries.get(key)?.state !== 'active') this.#entries.delete(key);
      },
      watch: (listener) => void this.#listeners.push({ actor, listener }),
      say: async (notice, key, from) => {
        await actor.turn();
        for (const ear of this.#ears) if (ear.notice === notice) this.#deliver(ear.actor, () => ear.hear(key, from));
      },
      hear: async (notice, hear) => void this.#ears.push({ actor, notice, hear }),
      close: async () => {},
    };
  }

  /** A worker that takes jobs until it dies. */
  async work(actor: Actor, handle: JobHandler, cancel: (key: string) => void): Promise<never> {
    this.#ears.push({ actor, notice: 'cancel', hear: cancel });
    for (;;) {
      await actor.turn();
      const entry = [...this.#entries.values()].find(
        ({ state, notBefore }) => state === 'waiting' && notBefore <= this.#world.now,
      );
      if (entry) await this.#take(entry, actor, handle);
      else await actor.clock.sleep(500);
    }
  }

  async #take(entry: Entry, actor: Actor, handle: JobHandler): Promise<void> {
    const { key } = entry.job;
    const token = ++this.#token;
    Object.assign(entry, { state: 'active', token, lockedUntil: this.#world.now + LEASE });
    this.#tell(({ active }) => active(key));
    const stop = actor.clock.every(LEASE / 2, () => {
      if (entry.token === token) entry.lockedUntil = this.#world.now + LEASE;
    });
    const end = await handle(entry.job, (event) => this.#tell(({ progress }) => progress(key, event)));
    stop();
    await actor.turn();
    // Another has it by now: what this one says no longer counts.
    if (entry.token !== token || entry.state !== 'active' || this.#entries.get(key) !== entry) return;
    entry.attempts++;
    if (end.state === 'failed' && isWorthAnotherTry(end) && entry.attempts < ATTEMPTS)
      Object.assign(entry, { state: 'waiting', notBefore: this.#world.now + BACK_OFF });
    else this.#end(entry, end);
  }

  #giveBackStalled(): void {
    for (const entry of this.#entries.values()) {
      if (entry.state !== 'active' || entry.lockedUntil >= this.#world.now) continue;
      entry.token = 0;
      if (++entry.stalls >= ATTEMPTS)
        this.#end(entry, { state: 'failed', exitCode: 5, message: 'job stalled more than allowable limit' });
      else entry.state = 'waiting';
    }
  }

  #end(entry: Entry, end: QueuedEnd): void {
    // As plain data: classes do not cross a queue.
    Object.assign(entry, { state: 'ended', end: JSON.parse(JSON.stringify(end)) });
    this.#tell(({ ended }) => ended(entry.job.key));
  }

  #tell(news: (listener: QueueListener) => void): void {
    for (const { actor, listener } of this.#listeners) this.#deliver(actor, () => news(listener));
  }

  #deliver(actor: Actor, message: () => void): void {
    const fate = this.lost + this.doubled === 0 ? 100 : this.#choose(100);
    const copies = fate < this.lost ? 0 : fate < this.lost + this.doubled ? 2 : 1;
    for (let k = 0; k < copies; k++) void actor.turn().then(message);
  }
}
