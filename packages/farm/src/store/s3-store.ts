/**
 * A store in a bucket: `s3://bucket/prefix`, of Amazon or of any server with its protocol. Objects cannot be renamed, so
 * that the marker of a result goes last, and only if there is none (`If-None-Match`): of two publishers one wins, and
 * nobody reads a result before its marker is there. Both bring the same bytes, for results do not depend on where they
 * are computed.
 *
 * Region and credentials come from the usual variables: AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY,
 * AWS_SESSION_TOKEN; another server from AWS_ENDPOINT_URL.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InputError, OutputError } from '@pelt/model';
import { loadPeer } from '../load-peer.ts';
import { hexadecimal } from './folder-store.ts';
import { MARKER, type Store, type StoredObject } from './store.ts';

type Client = InstanceType<typeof import('aws4fetch')['AwsClient']>;

/** Tries of a request that the server or the way to it failed. */
const TRIES = 3;

export class S3Store implements Store {
  readonly folder = undefined;
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

  async hasInput(sha: string): Promise<boolean> {
    return this.#has(`inputs/${hexadecimal(sha)}`);
  }

  async putInput(sha: string, path: string): Promise<void> {
    if (!(await this.hasInput(sha))) await this.#put(`inputs/${hexadecimal(sha)}`, path);
  }

  async fetchInput(sha: string, path: string): Promise<void> {
    await this.#get(`inputs/${hexadecimal(sha)}`, path);
  }

  async find(key: string): Promise<StoredObject | undefined> {
    const response = await this.#request('GET', `objects/${hexadecimal(key)}/${MARKER}`);
    if (response.status === 404) return undefined;
    this.#require(response);
    const { files } = (await response.json()) as { files: string[] };
    return { key, files };
  }

  async fetch(key: string, name: string, path: string): Promise<void> {
    await this.#get(`objects/${hexadecimal(key)}/${name}`, path);
  }

  async publish(key: string, folder: string): Promise<boolean> {
    const names = (await readdir(folder)).sort();
    const prefix = `objects/${hexadecimal(key)}`;
    for (const name of names) if (name !== MARKER) await this.#put(`${prefix}/${name}`, join(folder, name));
    const marker = { ...(JSON.parse(await readFile(join(folder, MARKER), 'utf8')) as object), files: names };
    const response = await this.#request('PUT', `${prefix}/${MARKER}`, JSON.stringify(marker), {
      'if-none-match': '*',
    });
    // 412: there is one; 409: another is being written at this moment.
    if (response.status === 412 || response.status === 409) return false;
    this.#require(response);
    return true;
  }

  async #has(name: string): Promise<boolean> {
    const response = await this.#request('HEAD', name);
    if (response.status === 404) return false;
    this.#require(response);
    return true;
  }

  async #put(name: string, path: string): Promise<void> {
    const { size } = await stat(path);
    const body = size === 0 ? '' : () => Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
    this.#require(
      await this.#request('PUT', name, body, {
        'content-length': String(size),
        'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
      }),
    );
  }

  async #get(name: string, path: string): Promise<void> {
    const response = await this.#request('GET', name);
    if (response.status === 404 || !response.body)
      throw new InputError(`the store has no '${name}'; run the batch again`);
    this.#require(response);
    await mkdir(dirname(path), { recursive: true });
    await pipeline(
      Readable.fromWeb(response.body as import('node:stream/web').ReadableStream),
      createWriteStream(path),
    );
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
