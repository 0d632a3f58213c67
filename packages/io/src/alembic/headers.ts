/**
 * Object and property headers: names, types and counts, packed without padding.
 *
 *   object    u32 length, name, u8 metadata
 *   property  u32 word, [count, [first, last], [time sampling]], length, name
 *
 * The numbers in a property header are 1, 2 or 4 bytes wide, as its word says. Metadata is `key=value;key=value`,
 * usually stored as an index into a table shared by the whole archive; index 255 means that it follows inline.
 *
 * Reference: the Alembic sources, lib/Alembic/AbcCoreOgawa.
 */
import { InputError } from '@pelt/model';
import { ByteCursor } from '../cursor.ts';
import { decodeText } from './decode-text.ts';
import type { OgawaFile } from './ogawa-file.ts';
import { POD, type Pod } from './pod.ts';
import type { TimeSampling } from './time-sampling.ts';

/** Tables that headers index into. */
export interface ArchiveTables {
  /** Metadata; entry 0 is empty. */
  readonly metadata: readonly string[];
  readonly timeSamplings: readonly TimeSampling[];
}

export interface ObjectHeader {
  readonly name: string;
  readonly metadata: string;
}

export type PropertyKind = 'compound' | 'scalar' | 'array';

export interface PropertyHeader {
  readonly name: string;
  readonly kind: PropertyKind;
  readonly metadata: string;
  readonly pod: Pod;
  /** Numbers per element: 3 for points. */
  readonly extent: number;
  /** Number of samples; repeats before the first change and after the last one are not stored. */
  readonly samples: number;
  /** Both 0 if all samples are equal. */
  readonly firstChanged: number;
  readonly lastChanged: number;
  readonly sampling: TimeSampling;
}

/** Bit masks of a property's word. */
export const WORD = {
  kind: 0x3,
  sizeHint: 0xc,
  pod: 0xf0,
  hasTimeSampling: 0x100,
  hasChangeRange: 0x200,
  homogeneous: 0x400,
  constant: 0x800,
  extent: 0xff000,
  metadata: 0xff00000,
} as const;

/** Metadata index: the string follows inline. */
export const METADATA_FOLLOWS = 0xff;
/** Bytes of hashes after the headers of an object's children. */
export const OBJECT_HASH_BYTES = 32;

const KINDS: readonly PropertyKind[] = ['compound', 'scalar', 'array', 'array'];

/** The value of a key in `key=value;key=value`; empty if absent. */
export function metadataValue(metadata: string, key: string): string {
  for (const entry of metadata.split(';')) if (entry.startsWith(`${key}=`)) return entry.slice(key.length + 1);
  return '';
}

/** The metadata table: u8 length and text per entry; entry 0, the empty string, is not stored. */
export function readMetadataTable(cursor: ByteCursor): string[] {
  const table = [''];
  while (cursor.remaining > 0) table.push(readText(cursor, cursor.u8('indexed metadata'), 'indexed metadata'));
  return table;
}

export function readObjectHeaders(file: OgawaFile, bytes: Uint8Array, tables: ArchiveTables): ObjectHeader[] {
  if (bytes.length <= OBJECT_HASH_BYTES) return [];
  const cursor = new ByteCursor(bytes.subarray(0, bytes.length - OBJECT_HASH_BYTES), 'Alembic', file.name, true);
  const headers: ObjectHeader[] = [];
  while (cursor.remaining > 0) {
    const name = readText(cursor, cursor.u32('length of an object’s name'), 'name of an object');
    const entry = cursor.u8('metadata of an object');
    const metadata =
      entry === METADATA_FOLLOWS
        ? readText(cursor, cursor.u32('length of metadata'), 'metadata of an object')
        : metadataEntry(cursor, tables, entry);
    headers.push({ name, metadata });
  }
  return headers;
}

export function readPropertyHeaders(file: OgawaFile, bytes: Uint8Array, tables: ArchiveTables): PropertyHeader[] {
  const cursor = new ByteCursor(bytes, 'Alembic', file.name, true);
  const headers: PropertyHeader[] = [];
  while (cursor.remaining > 0) headers.push(readPropertyHeader(cursor, tables));
  return headers;
}

function readPropertyHeader(cursor: ByteCursor, tables: ArchiveTables): PropertyHeader {
  const word = cursor.u32('word of a property');
  const hint = (word & WORD.sizeHint) >> 2;
  const number = (field: string) => readHinted(cursor, hint, field);
  const kind = KINDS[word & WORD.kind];
  let samples = 0;
  let range = [0, 0];
  let sampling = tables.timeSamplings[0];
  if (kind !== 'compound') {
    samples = number('samples of a property');
    if (word & WORD.hasChangeRange) range = [number('first changed sample'), number('last changed sample')];
    else if (!(word & WORD.constant)) range = [1, samples - 1];
    if (word & WORD.hasTimeSampling) sampling = samplingEntry(cursor, tables, number('time sampling of a property'));
  }
  const name = readText(cursor, number('length of a property’s name'), 'name of a property');
  const entry = (word & WORD.metadata) >>> 20;
  const metadata =
    entry === METADATA_FOLLOWS
      ? readText(cursor, number('length of metadata'), 'metadata of a property')
      : metadataEntry(cursor, tables, entry);
  const [firstChanged, lastChanged] = range;
  const pod = (word & WORD.pod) >> 4;
  const extent = (word & WORD.extent) >> 12;
  if (kind !== 'compound') {
    if (pod > POD.wstring) throw damaged(cursor, `property '${name}' has the unknown type ${pod}`);
    if (firstChanged > lastChanged || lastChanged > Math.max(samples - 1, 0)) {
      throw damaged(
        cursor,
        `property '${name}' has ${samples} samples but its changes span ${firstChanged} to ${lastChanged}`,
      );
    }
  }
  return { name, kind, metadata, pod: pod as Pod, extent, samples, firstChanged, lastChanged, sampling };
}

function readHinted(cursor: ByteCursor, hint: number, field: string): number {
  if (hint === 0) return cursor.u8(field);
  if (hint === 1) return cursor.view.getUint16(cursor.take(2, field), true);
  if (hint === 2) return cursor.u32(field);
  throw damaged(cursor, `'${field}' has an unknown width`);
}

function readText(cursor: ByteCursor, length: number, field: string): string {
  const start = cursor.take(length, field);
  return decodeText(cursor.bytes.subarray(start, start + length));
}

function metadataEntry(cursor: ByteCursor, { metadata }: ArchiveTables, entry: number): string {
  if (entry < metadata.length) return metadata[entry];
  throw damaged(cursor, `a header refers to metadata ${entry} of ${metadata.length}`);
}

function samplingEntry(cursor: ByteCursor, { timeSamplings }: ArchiveTables, entry: number): TimeSampling {
  if (entry < timeSamplings.length) return timeSamplings[entry];
  throw damaged(cursor, `a property refers to time sampling ${entry} of ${timeSamplings.length}`);
}

function damaged(cursor: ByteCursor, what: string): InputError {
  return new InputError(`${cursor.label}: ${what}; the file is damaged, export it again`);
}
