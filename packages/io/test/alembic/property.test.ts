import { InputError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import type { PropertyContent } from '../../src/alembic/archive-writer.ts';
import { writeArchive } from '../../src/alembic/archive-writer.ts';
import { ByteWriter } from '../../src/alembic/byte-writer.ts';
import { metadataValue, readObjectHeaders, readPropertyHeaders } from '../../src/alembic/headers.ts';
import { OgawaFile } from '../../src/alembic/ogawa-file.ts';
import { POD, type Pod } from '../../src/alembic/pod.ts';
import type { Compound } from '../../src/alembic/property.ts';
import { arrayContent, compoundContent, scalarContent } from '../../src/alembic/property-content.ts';
import { IDENTITY_SAMPLING } from '../../src/alembic/time-sampling.ts';
import { sourceOfBytes } from '../../src/index.ts';
import { acyclic, buildArchive, floats, integers, openBytes } from './scene.ts';

function write(properties: readonly PropertyContent[], times?: readonly number[]): Compound {
  const timeSamplings = [IDENTITY_SAMPLING, ...(times ? [acyclic(...times)] : [])];
  return openBytes(writeArchive({ metadata: '', timeSamplings, properties, children: [] })).top.properties;
}

const one = { sampling: 0, samples: 1 };
const ints = (name: string, samples: readonly number[][], sampling = 0) =>
  arrayContent(name, { pod: POD.int32, extent: 1 }, { sampling, samples: samples.length }, (t) => integers(samples[t]));
const text = (value: string) => new TextEncoder().encode(`${value}\0`);

describe('properties', () => {
  it('are found by name and kind', () => {
    const top = write([
      compoundContent('c', 'a=1;b=2', [ints('inside', [[1]])]),
      ints('array', [[1, 2, 3]]),
      scalarContent('scalar', { pod: POD.float32, extent: 2 }, one, () => floats([4, 5])),
    ]);
    expect([...(top.compound('c')?.sampled('inside')?.int32(0) ?? [])]).toEqual([1]);
    expect([...(top.sampled('array')?.int32(0) ?? [])]).toEqual([1, 2, 3]);
    expect([...(top.sampled('scalar')?.float64(0) ?? [])]).toEqual([4, 5]);
    expect(top.metadata('c')).toBe('a=1;b=2');
    expect([top.sampled('c'), top.compound('array'), top.sampled('none'), top.metadata('none')]).toEqual(
      new Array(4).fill(undefined),
    );
    expect(top.compound('c')).toBe(top.compound('c'));
  });

  it('keep every sample, however they repeat', () => {
    const samples = [[1], [1], [2, 3], [2, 3], [], [1], [1], [1]];
    const property = write([ints('p', samples)]).sampled('p');
    expect(samples.map((_, t) => [...(property?.int32(t) ?? [])])).toEqual(samples);
    expect(samples.map((_, t) => property?.count(t))).toEqual(samples.map((values) => values.length));
    // Stored: the first, then all from the first change to the last.
    expect(property?.header).toMatchObject({ samples: 8, firstChanged: 2, lastChanged: 5 });
    const same = (a: number, b: number) => property?.sameSample(a, b);
    expect([same(0, 1), same(0, 5), same(2, 3), same(0, 2), same(0, 4), same(4, 4)]).toEqual([
      true,
      true,
      true,
      false,
      false,
      true,
    ]);
  });

  it('share equal samples', () => {
    const large = Array.from({ length: 1000 }, (_, k) => k);
    const size = (properties: PropertyContent[]) => buildWith(properties).length;
    expect(size([ints('a', [large]), ints('b', [large])]) - size([ints('a', [large])])).toBeLessThan(100);
  });

  it('may hold text', () => {
    const top = write([
      scalarContent('s', { pod: POD.string, extent: 1 }, one, () => text('héllo')),
      arrayContent('a', { pod: POD.string, extent: 1 }, one, () => Uint8Array.from([...text('x'), ...text('yz')])),
    ]);
    expect(top.sampled('s')?.text(0)).toBe('héllo');
    expect(top.sampled('a')?.text(0)).toBe('x');
    expect(() => top.sampled('s')?.float64(0)).toThrow("'s' of object '' is not numeric");
  });

  it.each([5, 300, 70_000])('may have names, metadata and samples of %d', (length) => {
    const name = 'n'.repeat(length);
    const metadata = `key=${'v'.repeat(length)}`;
    const top = write([
      arrayContent(name, { pod: POD.int32, extent: 1, metadata }, { sampling: 0, samples: length }, (t) =>
        t < 2 ? integers([t]) : undefined,
      ),
    ]);
    expect(top.metadata(name)).toBe(metadata);
    expect([...(top.sampled(name)?.int32(length - 1) ?? [])]).toEqual([1]);
  });

  it('may have more kinds of metadata than the table holds', () => {
    const properties = Array.from({ length: 300 }, (_, k) => compoundContent(`p${k}`, `k=${k}`, []));
    const top = write(properties);
    expect(properties.every(({ name, metadata }) => top.metadata(name) === metadata)).toBe(true);
  });

  it('reads a key of metadata', () => {
    expect(metadataValue('a=1;bb=2;b=3', 'b')).toBe('3');
    expect(metadataValue('a=1', 'b')).toBe('');
    expect(metadataValue('', 'a')).toBe('');
  });

  it.each([
    ['samples without times', [ints('p', [[1], [2], [3]], 1)], 'has 3 samples but 2 times'],
    [
      'bytes that are no whole numbers',
      [arrayContent('p', { pod: POD.float32, extent: 3 }, one, () => integers([1, 2]))],
      'has 8 bytes in sample 0, not a multiple of 12',
    ],
    [
      'samples beyond reason',
      [
        arrayContent('p', { pod: POD.int32, extent: 1 }, { sampling: 0, samples: 100_001 }, (t) =>
          t < 2 ? integers([t]) : undefined,
        ),
      ],
      'claims 100001 samples but stores 2',
    ],
  ] as [string, PropertyContent[], string][])('refuse %s', (_, properties, message) => {
    const attempt = () => write(properties, [0, 1]).sampled('p')?.count(0);
    expect(attempt).toThrow(InputError);
    expect(attempt).toThrow(message);
  });
});

function buildWith(properties: readonly PropertyContent[]): Uint8Array {
  return writeArchive({ metadata: '', timeSamplings: [IDENTITY_SAMPLING], properties, children: [] });
}

describe('headers', () => {
  const file = new OgawaFile(sourceOfBytes(buildArchive([])), 'a.abc');
  const tables = { metadata: ['', 'a=1'], timeSamplings: [IDENTITY_SAMPLING] };
  /** A property's word, and the bytes behind it. */
  const property = (word: number, ...rest: number[]) =>
    readPropertyHeaders(file, new ByteWriter().uint(word, 4).bytes(Uint8Array.from(rest)).toBytes(), tables);
  const scalar = (pod: Pod | 14) => 1 | (pod << 4) | (1 << 12);

  it('are read field by field', () => {
    // 5 samples of which 2 to 3 change, named 'p', metadata 1.
    expect(property(scalar(POD.float64) | 0x200 | (1 << 20), 5, 2, 3, 1, 112)).toEqual([
      {
        name: 'p',
        kind: 'scalar',
        metadata: 'a=1',
        pod: POD.float64,
        extent: 1,
        samples: 5,
        firstChanged: 2,
        lastChanged: 3,
        sampling: IDENTITY_SAMPLING,
      },
    ]);
  });

  it.each([
    ['an unknown type', [scalar(14) | 0x800, 1, 1, 112], "property 'p' has the unknown type 14"],
    ['an unknown size of numbers', [scalar(1) | 0xc, 1], 'has an unknown width'],
    ['metadata that is not there', [scalar(1) | 0x800 | (2 << 20), 1, 1, 112], 'a header refers to metadata 2 of 2'],
    ['a time sampling that is not there', [scalar(1) | 0x900, 1, 7], 'a property refers to time sampling 7 of 1'],
    [
      'changes that end before they begin',
      [scalar(1) | 0x200, 5, 3, 2, 1, 112],
      'has 5 samples but its changes span 3 to 2',
    ],
    [
      'changes behind the last sample',
      [scalar(1) | 0x200, 5, 3, 5, 1, 112],
      'has 5 samples but its changes span 3 to 5',
    ],
    ['changes of a single sample', [scalar(1), 1, 1, 112], 'has 1 samples but its changes span 1 to 0'],
    ['a name that is cut short', [scalar(1) | 0x800, 1, 9, 112], "'name of a property' needs 9 bytes"],
    ['half a word', [], ''],
  ])('refuse %s', (_, [word = 0, ...rest], message) => {
    if (message === '') {
      expect(() => readPropertyHeaders(file, Uint8Array.of(1, 2), tables)).toThrow(InputError);
      return;
    }
    expect(() => property(word, ...rest)).toThrow(InputError);
    expect(() => property(word, ...rest)).toThrow(message);
  });

  it('of objects are read, without the hashes behind them', () => {
    const hashes = new Uint8Array(32);
    const bytes = new ByteWriter()
      .uint(1, 4)
      .text('o')
      .uint(1, 1)
      .uint(1, 4)
      .text('q')
      .uint(255, 1)
      .uint(3, 4)
      .text('b=2');
    expect(readObjectHeaders(file, bytes.bytes(hashes).toBytes(), tables)).toEqual([
      { name: 'o', metadata: 'a=1' },
      { name: 'q', metadata: 'b=2' },
    ]);
    expect(readObjectHeaders(file, hashes, tables)).toEqual([]);
    const long = new ByteWriter()
      .uint(2 ** 32 - 1, 4)
      .text('o')
      .bytes(hashes)
      .toBytes();
    expect(() => readObjectHeaders(file, long, tables)).toThrow("'name of an object' needs 4294967295 bytes");
  });
});
