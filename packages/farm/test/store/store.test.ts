/** What every store promises, on a folder and on a bucket. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NODE_DISK } from '../../src/machine/disk.ts';
import { FolderStore } from '../../src/store/folder-store.ts';
import { describeResult } from '../../src/store/marker.ts';
import { openStore } from '../../src/store/open-store.ts';
import { S3Store } from '../../src/store/s3-store.ts';
import type { Store } from '../../src/store/store.ts';
import { put, scratchFolder } from '../scratch.ts';
import { type Bucket, startBucket } from './bucket.ts';

const folder = scratchFolder();
const sha = (text: string) => createHash('sha256').update(text).digest('hex');
let bucket: Bucket;
beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(() => bucket.close());

let count = 0;
const openers: [string, () => Promise<Store>][] = [
  ['a folder', () => FolderStore.open(join(folder, `store-${count++}`))],
  ['a bucket', () => S3Store.open(`s3://pelt/prefix-${count++}`, bucket.env)],
];

/** A result, ready to be published. */
async function result(key: string, content: string): Promise<string> {
  const path = join(folder, `result-${count++}`);
  put(path, { 'out.glb': content, 'report.json': '{}' });
  put(path, { 'job.json': await describeResult(NODE_DISK, path, { key }) });
  return path;
}

describe.each(openers)('a store in %s', (_, open) => {
  it('gives back inputs by their content', async () => {
    const store = await open();
    const path = join(folder, `input-${count++}`);
    writeFileSync(path, 'hello');
    expect(await store.hasInput(sha('hello'))).toBe(false);
    await store.putInput(sha('hello'), path);
    await store.putInput(sha('hello'), path);
    expect(await store.hasInput(sha('hello'))).toBe(true);
    await store.fetchInput(sha('hello'), `${path}-back/x`);
    expect(readFileSync(`${path}-back/x`, 'utf8')).toBe('hello');
  });

  it('takes an empty file', async () => {
    const store = await open();
    const path = join(folder, `empty-${count++}`);
    writeFileSync(path, '');
    await store.putInput(sha(''), path);
    await store.fetchInput(sha(''), `${path}-back`);
    expect(readFileSync(`${path}-back`)).toHaveLength(0);
  });

  it('has a result as a whole, under its key', async () => {
    const store = await open();
    const key = sha('work');
    expect(await store.find(key)).toBeUndefined();
    expect(await store.publish(key, await result(key, 'bytes'))).toBe(true);
    const found = await store.find(key);
    expect([...(found?.files ?? [])].sort()).toEqual(['job.json', 'out.glb', 'report.json']);
    const back = join(folder, `back-${count++}.glb`);
    if (found) await store.fetch(found, 'out.glb', back);
    expect(readFileSync(back, 'utf8')).toBe('bytes');
  });

  it('keeps the first of two results that are published at once', async () => {
    const store = await open();
    const key = sha('race');
    const firsts = await Promise.all(
      (await Promise.all([1, 2, 3].map(() => result(key, 'same bytes')))).map((made) => store.publish(key, made)),
    );
    expect(firsts.filter(Boolean)).toHaveLength(1);
    expect((await store.find(key))?.files).toContain('out.glb');
  });

  it('refuses keys that are no hashes', async () => {
    const store = await open();
    for (const key of ['../../etc', 'ABC', '', 'a'.repeat(63)])
      await expect(store.find(key)).rejects.toThrow(/not a SHA-256/);
  });
});

describe('a store in a folder', () => {
  it('refuses an input that changed since it was hashed, and keeps nothing of it', async () => {
    const store = await FolderStore.open(join(folder, 'changing'));
    put(folder, { changed: 'after' });
    await expect(store.putInput(sha('before'), join(folder, 'changed'))).rejects.toThrow(/changed while it was read/);
    expect(readdirSync(join(folder, 'changing/inputs'))).toEqual([]);
    expect(readdirSync(join(folder, 'changing/tmp'))).toEqual([]);
  });

  it('sweeps what killed runs left, and leaves what is in use', async () => {
    const place = join(folder, 'sweep');
    const store = await FolderStore.open(place);
    const [old, young] = [(await store.scratch()).folder, (await store.scratch()).folder];
    const long = (Date.now() - 48 * 3600 * 1000) / 1000;
    utimesSync(old, long, long);
    await FolderStore.open(place);
    expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
  });

  it('says what is wrong with a place that cannot be written', async () => {
    put(folder, { file: '' });
    await expect(openStore(join(folder, 'file'))).rejects.toThrow(/cannot write/);
    await expect(openStore('ftp://x')).rejects.toThrow(/unknown store/);
  });
});

describe('a store in a bucket', () => {
  it('shows nothing before the marker is there', async () => {
    const store = await S3Store.open('s3://pelt/half', bucket.env);
    const key = sha('half');
    bucket.objects.set(`/pelt/half/objects/${key}/out.glb`, Buffer.from('half'));
    expect(await store.find(key)).toBeUndefined();
  });

  it('tries again where the server fails, and names the variables it needs', async () => {
    const store = await S3Store.open('s3://pelt/again', bucket.env);
    bucket.failNext(2);
    expect(await store.hasInput(sha('x'))).toBe(false);
    await expect(S3Store.open('s3://pelt', {})).rejects.toThrow(/AWS_ACCESS_KEY_ID/);
  });

  it('signs its requests', () => {
    expect(bucket.unsigned()).toBe(0);
  });
});
