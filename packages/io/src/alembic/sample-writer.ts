/**
 * Writes the samples of one property as the Alembic library does: repeats are written only once a later sample differs,
 * and samples equal to any already in the archive are shared.
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
  /** A numeric type, or `string` with null-terminated values. */
  readonly pod: Pod;
  readonly extent: number;
  /** Time sampling index. */
  readonly sampling: number;
  readonly samples: number;
  /** Little-endian bytes of sample t; undefined: equal to the previous one. */
  readonly sample: (t: number) => Uint8Array | undefined;
}

/** Samples in the archive, by size and key. */
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
  /** Hash of the last sample with its dimensions, and of all samples so far. */
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

  /** Whether all samples of an array have exactly one element. */
  get scalarLike(): boolean {
    return this.content.kind === 'array' && this.#scalarLike;
  }

  /**
   * Whether all samples have the same size. The library compares a count of numbers with a count of elements, so that it
   * never sets this flag for arrays of vectors; this is reproduced here.
   */
  get homogeneous(): boolean {
    return this.#homogeneous;
  }

  /** Hash of all samples in order. */
  get hash(): Hash128 {
    return this.#hash;
  }

  get children(): readonly OgawaChild[] {
    return this.#children;
  }

  /** Writes sample t; call in order. */
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

  /** Array samples are followed by their dimensions, which are empty for one-dimensional numeric data. */
  #push(): void {
    this.#children.push(this.#child);
    if (this.content.kind === 'array') this.#children.push(this.#dimensions);
  }
}

function hashWithDimensions(key: Uint8Array, elements: number): Hash128 {
  return spookyHash(new ByteWriter().uint(elements, 4).uint(0, 4).bytes(key).toBytes());
}
