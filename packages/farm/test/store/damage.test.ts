/** What a store does with contents that are not what they were: it never hands them out, and mends itself. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NODE_DISK } from '../../src/machine/disk.ts';
import { FolderStore } from '../../src/store/folder-store.ts';
import { describeResult } from '../../src/store/marker.ts';
import { S3Store } from '../../src/store/s3-store.ts';
import { DamagedResult, LostInput, type Store } from '../../src/store/store.ts';
import { verifyStore } from '../../src/store/verify-store.ts';
import { put, scratchFolder } from '../scratch.ts';
import { type Bucket, startBucket } from './bucket.ts';

const folder = scratchFolder();
const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const key = sha('work');
let bucket: Bucket;
let count = 0;
beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(() => bucket.close());

async function publish(store: Store, content = 'right'): Promise<boolean> {
  const path = join(folder, `result-${count++}`);
  put(path, { 'out.glb': content, 'report.json': '{}' });
  put(path, { 'job.json': await describeResult(NODE_DISK, path, { key }) });
  return store.publish(key, path);
}

/** The content of a result, or what became of it. */
async function fetched(store: Store): Promise<string> {
  const found = await store.find(key);
  if (!found) return 'absent';
  const path = join(folder, `back-${count++}`);
  try {
    await store.fetch(found, 'out.glb', path);
    return readFileSync(path, 'utf8');
  } catch (error) {
    expect(error).toBeInstanceOf(DamagedResult);
    expect(existsSync(path)).toBe(false);
    return 'damaged';
  }
}

const ACCIDENTS: Readonly<Record<string, (place: string) => void>> = {
  'a flipped bit': (place) => writeFileSync(join(place, 'out.glb'), 'rigHt'),
  'a cut file': (place) => writeFileSync(join(place, 'out.glb'), 'rig'),
  'an empty file': (place) => writeFileSync(join(place, 'out.glb'), ''),
  'a lost file': (place) => rmSync(join(place, 'out.glb')),
  'a broken report': (place) => writeFileSync(join(place, 'report.json'), '{'),
  'a broken marker': (place) => writeFileSync(join(place, 'job.json'), '{"key'),
  'an empty marker': (place) => writeFileSync(join(place, 'job.json'), ''),
  'a marker of an older pelt': (place) => writeFileSync(join(place, 'job.json'), JSON.stringify({ key, files: ['x'] })),
  'a link in place of a file': (place) => {
    renameSync(join(place, 'out.glb'), join(folder, `away-${count}`));
    symlinkSync(join(folder, `away-${count++}`), join(place, 'out.glb'));
  },
  'a link in place of the whole': (place) => {
    renameSync(place, join(folder, `away-${count}`));
    symlinkSync(join(folder, `away-${count++}`), place);
  },
  'a file in place of the folder': (place) => {
    rmSync(place, { recursive: true });
    writeFileSync(place, '');
  },
};

describe.each(Object.entries(ACCIDENTS))('a result with %s', (_, happen) => {
  it('is not delivered, and the next one takes its place', async () => {
    const store = await FolderStore.open(join(folder, `store-${count++}`));
    await publish(store);
    happen(store.objectPath(key));
    // A report is looked at when it is wanted: until then the rest is right.
    expect(await fetched(store)).toMatch(/^(?:absent|damaged|right)$/);
    await publish(store);
    expect(await fetched(store)).toBe('right');
    expect(JSON.parse(readFileSync(join(store.objectPath(key), 'report.json'), 'utf8'))).toEqual({});
    expect(readdirSync(join(store.folder, 'tmp'))).toEqual([]);
  });

  it('is found by a check of the store, which removes it', async () => {
    const store = await FolderStore.open(join(folder, `store-${count++}`));
    await publish(store);
    expect(await verifyStore(store)).toMatchObject({ results: 1, damagedResults: 0 });
    happen(store.objectPath(key));
    expect(await verifyStore(store, { repair: false })).toMatchObject({ results: 1, damagedResults: 1 });
    expect(await verifyStore(store)).toMatchObject({ results: 1, damagedResults: 1 });
    expect(await verifyStore(store)).toMatchObject({ results: 0, damagedResults: 0 });
    expect(await fetched(store)).toBe('absent');
  });
});

describe('a whole result', () => {
  it('stays where another is published', async () => {
    const store = await FolderStore.open(join(folder, `store-${count++}`));
    expect(await publish(store, 'first')).toBe(true);
    expect(await publish(store, 'second')).toBe(false);
    expect(await fetched(store)).toBe('first');
  });

  it('goes back where it was taken for a damaged one', async () => {
    const store = await FolderStore.open(join(folder, `store-${count++}`));
    await publish(store);
    expect(await store.discard(key)).toBe(false);
    expect(await fetched(store)).toBe('right');
  });
});

describe('an input', () => {
  const content = 'v 0 0 0\n';
  const path = join(folder, 'input.obj');
  writeFileSync(path, content);
  const [own, back] = [sha(content), join(folder, 'input-back')];

  it.each(['flipped', '', 'v 0 0 1\n'])('that became %j is not handed out, and is put again', async (damage) => {
    const store = await FolderStore.open(join(folder, `store-${count++}`));
    await store.putInput(own, path);
    writeFileSync(store.inputPath(own), damage);
    await expect(store.fetchInput(own, back)).rejects.toThrow(LostInput);
    await store.putInput(own, path);
    await store.fetchInput(own, back);
    expect(readFileSync(back, 'utf8')).toBe(content);
    rmSync(back);
  });

  it('that is a link is none', async () => {
    const store = await FolderStore.open(join(folder, `store-${count++}`));
    symlinkSync(path, store.inputPath(own));
    await expect(store.fetchInput(own, back)).rejects.toThrow(LostInput);
    expect(await verifyStore(store)).toMatchObject({ inputs: 1, damagedInputs: 1 });
  });
});

describe('a bucket', () => {
  const open = () => S3Store.open(`s3://pelt/damage-${count++}`, bucket.env);
  const objects = (end: string) => [...bucket.objects.keys()].filter((name) => name.endsWith(end));

  it('hands out no damaged result, and takes a new one', async () => {
    const store = await open();
    await publish(store);
    const [name] = objects('/out.glb');
    for (const damage of ['rigHt', 'rig']) {
      bucket.objects.set(name, Buffer.from(damage));
      expect(await fetched(store)).toMatch(/^(?:absent|damaged)$/);
      expect(await publish(store)).toBe(true);
      expect(await fetched(store)).toBe('right');
    }
  });

  it('hands out no damaged input', async () => {
    const store = await open();
    const path = join(folder, 'bucket-input');
    writeFileSync(path, 'hello');
    await store.putInput(sha('hello'), path);
    const [name] = objects(sha('hello'));
    bucket.objects.set(name, Buffer.from('hEllo'));
    await expect(store.fetchInput(sha('hello'), `${path}-back`)).rejects.toThrow(LostInput);
    await store.putInput(sha('hello'), path);
    await store.fetchInput(sha('hello'), `${path}-back`);
    expect(readFileSync(`${path}-back`, 'utf8')).toBe('hello');
  });

  it('keeps the marker and the report of one publisher together', async () => {
    const store = await open();
    // The second comes between the files and the marker of the first.
    await Promise.all([publish(store, 'right'), publish(store, 'right')]);
    const found = await store.find(key);
    if (!found) throw new Error('it is there');
    await store.fetch(found, 'report.json', join(folder, `report-${count++}`));
  });
});
