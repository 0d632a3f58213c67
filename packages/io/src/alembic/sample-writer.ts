/**
 * Writes the samples of one property, as the Alembic library does: a sample that is equal to the one before is not
 * written until another differs, and one that any property of the archive has written already is shared.
 */

import { ByteWriter } from './byte-writer.ts';
import { murmur3 } from './murmur3.ts';
import { EMPTY_DATA, type OgawaChild, type OgawaWriter } from './ogawa-writer.ts';
import { type Pod, podBytes } from './pod.ts';
import { combineHashes, type Hash128, hashOfBytes, spookyHash } from './spooky.ts';

export interface SampledContent {
  readonly kind: 'scalar' | 'array';
  readonly name: string;
  readonly metadata: string;
  /** Of numbers, or `string`, whose bytes end in 0 each. */
  readonly pod: Pod;
  readonly extent: number;
  /** Number of its time sampling. */
  readonly sampling: number;
  readonly samples: number;
  /** Bytes of sample t, little-endian; undefined: as the one before. */
  readonly sample: (t: number) => Uint8Array | undefined;
}

/** Samples that the archive holds, by their size and key. */
export type WrittenSamples = Map<string, OgawaChild>;

export class SampleWriter {
  readonly content: SampledContent;
  readonly #children: OgawaChild[] = [];
  readonly #writer: OgawaWriter;
  readonly #written: WrittenSamples;
  #next = 0;
  #firstChanged = 0;
  #lastChanged = 0;
  #scalarLike = true;
  #homogeneous = true;
  #keyName = '';
  #child: OgawaChild = EMPTY_DATA;
  #dimensions: OgawaChild = EMPTY_DATA;
  /** Of the last sample, with its dimensions, and of all. */
  #sampleHash: Hash128 = [0n, 0n];
  #hash: Hash128 = [0n, 0n];

  constructor(content: SampledContent, writer: OgawaWriter, written: WrittenSamples) {
    this.content = content;
    this.#writer = writer;
    this.#written = written;
  }

  get firstChanged(): number {
    return this.#firstChanged;
  }

  get lastChanged(): number {
    return this.#lastChanged;
  }

  /** Whether every sample of an array has one element. */
  get scalarLike(): boolean {
    return this.content.kind === 'array' && this.#scalarLike;
  }

  /**
   * Whether the size of the samples stays the same. The library counts numbers on one side and elements on the other,
   * so that it never says so of arrays of vectors, and neither is it said here.
   */
  get homogeneous(): boolean {
    return this.#homogeneous;
  }

  /** Of all samples in their order. */
  get hash(): Hash128 {
    return this.#hash;
  }

  get children(): readonly OgawaChild[] {
    return this.#children;
  }

  /** Writes sample t, which follows the last. */
  write(t: number): void {
    const bytes = this.content.sample(t);
    if (bytes) this.#set(bytes);
    this.#hash = this.#next === 0 ? this.#sampleHash : combineHashes(this.#hash, this.#sampleHash);
    this.#next++;
  }

  #set(bytes: Uint8Array): void {
    const { kind, pod, extent } = this.content;
    const key = murmur3(bytes);
    const isText = podBytes(pod) === undefined;
    const name = `${isText ? 'text' : ''}${bytes.byteLength} ${key.join()}`;
    if (this.#next > 0 && name === this.#keyName) return;
    if (this.#firstChanged !== 0) {
      for (let k = this.#lastChanged + 1; k < this.#next; k++) this.#push();
    }
    const elements = isText
      ? bytes.reduce((sum, byte) => sum + (byte === 0 ? 1 : 0), 0) / extent
      : bytes.byteLength / (podBytes(pod) * extent);
    this.#child = this.#written.get(name) ?? (bytes.byteLength === 0 ? EMPTY_DATA : this.#writer.data(key, bytes));
    this.#written.set(name, this.#child);
    this.#keyName = name;
    this.#sampleHash = kind === 'array' ? hashWithDimensions(key, elements) : hashOfBytes(key);
    this.#dimensions =
      kind === 'array' && isText
        ? this.#writer.data(new ByteWriter().uint(elements, 4).uint(0, 4).toBytes())
        : EMPTY_DATA;
    this.#push();
    if (elements !== 1) this.#scalarLike = false;
    if (kind === 'array' && elements * extent !== elements) this.#homogeneous = false;
    if (this.#firstChanged === 0) this.#firstChanged = this.#next;
    this.#lastChanged = this.#next;
  }

  /** An array's samples have their dimensions behind them, which are empty where the size of the data says it all. */
  #push(): void {
    this.#children.push(this.#child);
    if (this.content.kind === 'array') this.#children.push(this.#dimensions);
  }
}

function hashWithDimensions(key: Uint8Array, elements: number): Hash128 {
  return spookyHash(new ByteWriter().uint(elements, 4).uint(0, 4).bytes(key).toBytes());
}
