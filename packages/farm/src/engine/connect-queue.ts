/**
 * BullMQ on the server that a URL names: Redis or PostgreSQL, one API. What differs between them is here alone.
 */
import { InputError, UsageError } from '@pelt/model';
import { loadPeer } from '../load-peer.ts';

type BullMq = typeof import('bullmq');

/** Makes the parts of BullMQ for one server and one queue. */
export interface QueueConnection {
  readonly queue: () => InstanceType<BullMq['Queue']>;
  readonly events: () => InstanceType<BullMq['QueueEvents']>;
  readonly worker: (
    process: (job: import('bullmq').Job) => Promise<unknown>,
    options: { concurrency: number; lease: number; maxStalledCount: number },
  ) => InstanceType<BullMq['Worker']>;
  readonly relay: () => InstanceType<BullMq['Relay']>;
  readonly UnrecoverableError: BullMq['UnrecoverableError'];
}

const REDIS = /^rediss?:\/\//;
const POSTGRES = /^postgres(?:ql)?:\/\//;

export function isQueueUrl(engine: string): boolean {
  return REDIS.test(engine) || POSTGRES.test(engine);
}

/**
 * @param url      `redis://host:port/db` or `postgres://user@host:port/database`
 * @param version  of pelt: each has a queue of its own, for another one may give other bytes
 */
export async function connectQueue(url: string, version: string): Promise<QueueConnection> {
  if (!isQueueUrl(url)) throw new UsageError(`unknown engine '${url}'; give local, redis://… or postgres://…`);
  const bull = await loadPeer<BullMq>('bullmq', url.split(':')[0]);
  await loadPeer(REDIS.test(url) ? 'ioredis' : 'pg', url.split(':')[0]);
  const { Queue, QueueEvents, Worker, Relay, UnrecoverableError } = bull;
  const redis = REDIS.test(url);
  // Colons separate the parts of a key in Redis, and dots those of a topic.
  const name = `pelt-${version.replaceAll(/[^\w-]/g, '_')}`;
  // The connection of each part is its own: a worker's blocks while it waits. BullMQ insists on endless retries there.
  const connection = redis ? { url, maxRetriesPerRequest: null } : { connectionString: url, migrate: true };
  // The types of the two back ends have no common form.
  const options = { connection } as never;
  const backend = (redis ? undefined : bull.createPostgresBackend) as never;
  const relayBackend = redis ? undefined : bull.createPostgresRelayBackend;
  return {
    queue: () => listening(new Queue(name, options, backend)),
    events: () => listening(new QueueEvents(name, options, backend)),
    worker: (process, { concurrency, lease, maxStalledCount }) => {
      const terms = { concurrency, lockDuration: lease, stalledInterval: lease, maxStalledCount, autorun: false };
      return listening(new Worker(name, process, { connection, ...terms } as never, backend));
    },
    relay: () =>
      listening(new Relay({ connection, namespace: name, ...(relayBackend && { backend: relayBackend }) } as never)),
    UnrecoverableError,
  };
}
/** A connection that is lost is opened again; without a listener its error would end the process. */
function listening<T extends { on(event: 'error', listener: (error: Error) => void): unknown }>(part: T): T {
  part.on('error', () => {});
  return part;
}

/** Milliseconds after which a server that does not answer is said to be unreachable. */
const PATIENCE_MS = 10_000;

interface Part {
  waitUntilReady(): Promise<unknown>;
  close(): Promise<unknown>;
}

/** Waits until every part is connected; where one is not to be had, all are closed. */
export async function whenReady(parts: readonly Part[], url: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it does not answer')), PATIENCE_MS);
  });
  try {
    await Promise.race([Promise.all(parts.map((part) => part.waitUntilReady())), late]);
  } catch (error) {
    // A part that never connected may never close either.
    for (const part of parts) void part.close().catch(() => {});
    const { protocol, host } = new URL(url);
    throw new InputError(`cannot reach ${protocol}//${host}: ${(error as Error).message}; is the server running?`, {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}
