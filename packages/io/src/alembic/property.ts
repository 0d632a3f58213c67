/** Access to properties: compounds by name, scalars and arrays by sample. */
import { InputError } from '@pelt/model';
import { decodeText } from './decode-text.ts';
import { type ArchiveTables, type PropertyHeader, readPropertyHeaders } from './headers.ts';
import type { ByteRange, OgawaFile, OgawaGroup } from './ogawa-file.ts';
import { decodeFloat32, decodeFloat64, decodeInt32, isNativeFloat32, isNumeric, podBytes } from './pod.ts';
import { ACYCLIC } from './time-sampling.ts';

/** Bytes of the key before every sample: a 128-bit hash of its data. */
export const KEY_BYTES = 16;

/** Limits on unstored repeats: samples in total, or per stored sample. Beyond both the header is taken as damaged. */
const MAX_HELD_SAMPLES = 100_000;
const MAX_HELD_RATIO = 16;

interface Child {
  readonly header: PropertyHeader;
  readonly number: number;
  /** Cached, so that no group is read twice. */
  content?: Compound | SampledProperty;
}

/** A compound property. */
export class Compound {
  readonly #file: OgawaFile;
  readonly #tables: ArchiveTables;
  readonly #group: OgawaGroup;
  readonly #label: string;
  readonly #children = new Map<string, Child>();

  /** @param label  for messages: `object '/a/b'` */
  constructor(file: OgawaFile, tables: ArchiveTables, group: OgawaGroup, label: string) {
    this.#file = file;
    this.#tables = tables;
    this.#group = group;
    this.#label = label;
    const last = group.count - 1;
    if (last < 0 || !group.isData(last)) return;
    const bytes = file.readStructure(file.data(group, last, `the property list of ${label}`));
    readPropertyHeaders(file, bytes, tables).forEach((header, number) => {
      this.#children.set(header.name, { header, number });
    });
  }

  /** Metadata of a child property; undefined if there is none of that name. */
  metadata(name: string): string | undefined {
    return this.#children.get(name)?.header.metadata;
  }

  compound(name: string): Compound | undefined {
    const child = this.#children.get(name);
    if (child?.header.kind !== 'compound') return undefined;
    child.content ??= new Compound(this.#file, this.#tables, this.#groupOf(child), this.#label);
    return child.content as Compound;
  }

  /** A scalar or array property; undefined if there is none of that name or it has no samples. */
  sampled(name: string): SampledProperty | undefined {
    const child = this.#children.get(name);
    if (!child || child.header.kind === 'compound' || child.header.samples === 0) return undefined;
    child.content ??= new SampledProperty(this.#file, child.header, this.#groupOf(child), this.#labelOf(child));
    return child.content as SampledProperty;
  }

  #groupOf(child: Child): OgawaGroup {
    return this.#file.group(this.#group, child.number, this.#labelOf(child));
  }

  #labelOf({ header }: Child): string {
    return `'${header.name}' of ${this.#label}`;
  }
}

/** A scalar or array property. Samples are read on demand and not cached. */
export class SampledProperty {
  readonly header: PropertyHeader;
  readonly label: string;
  readonly #file: OgawaFile;
  readonly #group: OgawaGroup;

  constructor(file: OgawaFile, header: PropertyHeader, group: OgawaGroup, label: string) {
    this.#file = file;
    this.header = header;
    this.#group = group;
    this.label = label;
    const { timePerCycle, times } = header.sampling;
    if (this.changes && timePerCycle >= ACYCLIC && times.length < header.samples) {
      throw this.#damaged(`has ${header.samples} samples but ${times.length} times`);
    }
    const stored = header.lastChanged - header.firstChanged + 2;
    if (header.samples > Math.max(MAX_HELD_SAMPLES, MAX_HELD_RATIO * stored)) {
      throw this.#damaged(`claims ${header.samples} samples but stores ${stored}`);
    }
  }

  get samples(): number {
    return this.header.samples;
  }

  /** Whether any sample differs from the first. */
  get changes(): boolean {
    return this.header.lastChanged > 0;
  }

  /** Index of the stored sample; samples with the same index are equal. */
  storedAs(sample: number): number {
    const { firstChanged, lastChanged } = this.header;
    if (sample < firstChanged || lastChanged === 0) return 0;
    return Math.min(sample, lastChanged) - firstChanged + 1;
  }

  /** Number of elements in a sample. */
  count(sample: number): number {
    return this.#payload(sample).count / this.#elementBytes();
  }

  /** Whether two samples are equal, judged by position or by key. */
  sameSample(a: number, b: number): boolean {
    if (this.storedAs(a) === this.storedAs(b)) return true;
    const first = this.#payload(a);
    const second = this.#payload(b);
    if (first.from === second.from || first.count !== second.count) return first.count === second.count;
    if (first.count === 0) return true;
    const key = this.#file.source.read(first.from - KEY_BYTES, KEY_BYTES).slice();
    return this.#file.source.read(second.from - KEY_BYTES, KEY_BYTES).every((byte, k) => byte === key[k]);
  }

  /** @param out  exactly as long as the sample; overwritten */
  readFloat32(sample: number, out: Float32Array): void {
    const { from, count } = this.#payload(sample);
    const size = podBytes(this.header.pod);
    if (count / size !== out.length) {
      throw this.#damaged(`has ${count / size} numbers in sample ${sample}, expected ${out.length}`);
    }
    if (count === 0) return;
    const { source } = this.#file;
    if (isNativeFloat32(this.header.pod)) {
      const target = new Uint8Array(out.buffer, out.byteOffset, out.byteLength);
      const bytes = source.read(from, count, target);
      if (bytes !== target) target.set(bytes);
    } else decodeFloat32(source.read(from, count), this.header.pod, out);
  }

  float32(sample: number): Float32Array<ArrayBuffer> {
    const out = new Float32Array(this.count(sample) * this.header.extent);
    this.readFloat32(sample, out);
    return out;
  }

  float64(sample: number): Float64Array {
    const { from, count } = this.#numbers(sample);
    return count === 0 ? new Float64Array(0) : decodeFloat64(this.#file.source.read(from, count), this.header.pod);
  }

  int32(sample: number): Int32Array {
    const { from, count } = this.#numbers(sample);
    return count === 0 ? new Int32Array(0) : decodeInt32(this.#file.source.read(from, count), this.header.pod);
  }

  /** The first string of a sample. */
  text(sample: number): string {
    const { from, count } = this.#range(sample);
    const bytes = count === 0 ? new Uint8Array(0) : this.#file.source.read(from, count);
    const end = bytes.indexOf(0);
    return decodeText(end < 0 ? bytes : bytes.subarray(0, end));
  }

  #elementBytes(): number {
    const { pod, extent } = this.header;
    if (!isNumeric(pod) || extent === 0) throw this.#damaged('is not numeric');
    return podBytes(pod) * extent;
  }

  #numbers(sample: number): ByteRange {
    this.#elementBytes();
    return this.#payload(sample);
  }

  /** The byte range of a numeric sample, checked to hold whole elements. */
  #payload(sample: number): ByteRange {
    const range = this.#range(sample);
    const size = this.#elementBytes();
    if (range.count % size !== 0) {
      throw this.#damaged(`has ${range.count} bytes in sample ${sample}, not a multiple of ${size}`);
    }
    return range;
  }

  #range(sample: number): ByteRange {
    // Array samples alternate with their dimensions, which add nothing to the size for our types.
    const child = this.storedAs(sample) * (this.header.kind === 'array' ? 2 : 1);
    const { from, count } = this.#file.data(this.#group, child, `sample ${sample} of ${this.label}`);
    if (count === 0) return { from, count };
    if (count < KEY_BYTES) throw this.#damaged(`has only ${count} bytes in sample ${sample}`);
    return { from: from + KEY_BYTES, count: count - KEY_BYTES };
  }

  #damaged(what: string): InputError {
    return new InputError(`${this.#file.label}: ${this.label} ${what}; the file is damaged, export it again`);
  }
}
