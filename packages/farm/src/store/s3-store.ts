/**
 * A store in a bucket: `s3://bucket/prefix`, of Amazon or of any server with its protocol. Objects cannot be renamed, so
 * that the marker of a result goes last, and only if there is none (`If-None-Match`): of two publishers one wins, and
 * nobody reads a result before its marker is there. Both bring the same bytes, for results do not depend on where they
 * are computed.
 *
 * Region and credentials come from the usual variables: AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY,
 * AWS_SESSION_TOKEN; another server from AWS_ENDPOINT_URL.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InputError, OutputError } from '@pelt/model';
import { loadPeer } from '../load-peer.ts';
import { SYSTEM_CLOCK } from '../machine/clock.ts';
import { NODE_DISK } from '../machine/disk.ts';
import { readMarker } from './marker.ts';
import {
  ChangedInput,
  DamagedResult,
  hexadecimal,
  LostInput,
  MARKER,
  type Scratch,
  type Store,
  type StoredFile,
  type StoredObject,
} from './store.ts';

type Client = InstanceType<typeof import('aws4fetch')['AwsClient']>;

/** Tries of a request that the server or the way to it failed. */
const TRIES = 3;

export class S3Store implements Store {
  readonly folder = undefined;
  readonly disk = NODE_DISK;
  readonly clock = SYSTEM_CLOCK;
  readonly #client: Client;
  readonly #base: string;

  private constructor(client: Client, base: string) {
    this.#client = client;
    this.#base = base;
  }

  /** @param url  `s3://bucket` or `s3://bucket/prefix` */
  static async open(url: string, env: NodeJS.ProcessEnv = process.env): Promise<S3Store> {
    const { AwsClient } = await loadPeer<typeof import('aws4fetch')>('aws4fetch', 's3://');
    const { hostname: bucket, pathname } = new URL(url);
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
    if (!accessKeyId || !secretAccessKey) {
      throw new InputError(`${url} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment`);
    }
    const region = env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? 'us-east-1';
    const sessionToken = env.AWS_SESSION_TOKEN;
    const client = new AwsClient({
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
      ...(sessionToken && { sessionToken }),
    });
    const endpoint = env.AWS_ENDPOINT_URL?.replace(/\/$/, '');
    const root = endpoint ? `${endpoint}/${bucket}` : `https://${bucket}.s3.${region}.amazonaws.com`;
    return new S3Store(client, `${root}${pathname.replace(/\/$/, '')}`);
  }

  async scratch(): Promise<Scratch> {
    const folder = await mkdtemp(join(tmpdir(), 'pelt-job-'));
    return { folder, release: () => rm(folder, { recursive: true, force: true }) };
  }

  async hasInput(sha: string): Promise<boolean> {
    return (await this.#sizeOf(`inputs/${hexadecimal(sha)}`)) !== undefined;
  }

  async putInput(sha: string, path: string): Promise<void> {
    if (await this.hasInput(sha)) return;
    if ((await this.#put(`inputs/${hexadecimal(sha)}`, path, sha)) === 'other content') throw new ChangedInput(path);
  }

  async fetchInput(sha: string, path: string): Promise<void> {
    const name = `inputs/${hexadecimal(sha)}`;
    const found = await this.#get(name, path);
    if (found === sha) return;
    await rm(path, { force: true });
    if (found !== undefined) await this.#request('DELETE', name);
    throw new LostInput(sha);
  }

  async find(key: string): Promise<StoredObject | undefined> {
    const prefix = `objects/${hexadecimal(key)}`;
    const response = await this.#request('GET', `${prefix}/${MARKER}`);
    if (response.status === 404) return undefined;
    this.#require(response);
    const found = readMarker(await response.text(), key);
    for (const [name, file] of Object.entries(found?.contents ?? {}))
      if ((await this.#sizeOf(placeOf(prefix, name, file))) !== file.bytes) return undefined;
    return found;
  }

  async fetch({ key, contents }: StoredObject, name: string, path: string): Promise<void> {
    const prefix = `objects/${hexadecimal(key)}`;
    const place = name === MARKER ? `${prefix}/${MARKER}` : placeOf(prefix, name, contents[name]);
    const found = await this.#get(place, path);
    if (found !== undefined && (name === MARKER || found === contents[name].sha)) return;
    await rm(path, { force: true });
    // Without its marker it is not found, and the next publisher writes all of it again.
    await this.#request('DELETE', `${prefix}/${MARKER}`);
    throw new DamagedResult(key, name);
  }

  async publish(key: string, folder: string): Promise<boolean> {
    const prefix = `objects/${hexadecimal(key)}`;
    const marker = await readFile(join(folder, MARKER), 'utf8');
    const result = readMarker(marker, key);
    if (!result) throw new DamagedResult(key, MARKER);
    if (await this.find(key)) return false;
    // What is found no more though its marker is there is damaged: the marker would keep the new one out.
    await this.#request('DELETE', `${prefix}/${MARKER}`);
    for (const [name, file] of Object.entries(result.contents)) {
      if ((await this.#put(placeOf(prefix, name, file), join(folder, name), file.sha)) === 'other content')
        throw new DamagedResult(key, name);
    }
    const response = await this.#request('PUT', `${prefix}/${MARKER}`, marker, { 'if-none-match': '*' });
    // 412: there is one; 409: another is being written at this moment.
    if (response.status === 412 || response.status === 409) return false;
    this.#require(response);
    return true;
  }

  /** Bytes of an object; undefined where there is none. */
  async #sizeOf(name: string): Promise<number | undefined> {
    const response = await this.#request('HEAD', name);
    if (response.status === 404) return undefined;
    this.#require(response);
    return Number(response.headers.get('content-length') ?? Number.NaN);
  }

  /** The server compares what arrives with the hash, and keeps nothing else. */
  async #put(name: string, path: string, sha: string): Promise<'stored' | 'other content'> {
    const { size } = await stat(path);
    if ((await this.disk.hash(path)) !== sha) return 'other content';
    const body = size === 0 ? '' : () => Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
    const headers = { 'content-length': String(size), 'x-amz-content-sha256': sha };
    const response = await this.#request('PUT', name, body, headers);
    if (response.status === 400 && /sha256/i.test(await response.clone().text())) return 'other content';
    this.#require(response);
    return 'stored';
  }

  /** @returns the hash of what came; undefined where there is nothing */
  async #get(name: string, path: string): Promise<string | undefined> {
    const response = await this.#request('GET', name);
    if (response.status === 404) return undefined;
    this.#require(response);
    await mkdir(dirname(path), { recursive: true });
    const hash = createHash('sha256');
    if (!response.body) await pipeline(Readable.from([]), createWriteStream(path));
    else {
      await pipeline(
        Readable.fromWeb(response.body as import('node:stream/web').ReadableStream),
        async function* (chunks: AsyncIterable<Uint8Array>) {
          for await (const chunk of chunks) {
            hash.update(chunk);
            yield chunk;
          }
        },
        createWriteStream(path),
      );
    }
    return hash.digest('hex');
  }

  async #request(
    method: string,
    name: string,
    body?: string | (() => ReadableStream<Uint8Array>),
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const url = `${this.#base}/${name.split('/').map(encodeURIComponent).join('/')}`;
    for (let tries = 1; ; tries++) {
      try {
        const streamed = typeof body === 'function';
        const init = {
          method,
          headers,
          ...(body !== undefined && { body: streamed ? body() : body }),
          ...(streamed && { duplex: 'half' }),
        };
        const signed = await this.#client.sign(url, init as RequestInit);
        const response = await fetch(signed);
        if (response.status < 500 || tries === TRIES) return response;
      } catch (error) {
        if (tries === TRIES)
          throw new OutputError(`the store does not answer: ${(error as Error).message}`, { cause: error });
      }
    }
  }

  #require(response: Response): void {
    if (!response.ok)
      throw new OutputError(`the store refused ${response.url}: ${response.status} ${response.statusText}`);
  }
}

/** With the hash in it: of two publishers neither writes over what the marker of the other names. */
function placeOf(prefix: string, name: string, { sha }: StoredFile): string {
  return `${prefix}/${sha.slice(0, 16)}/${name}`;
}
