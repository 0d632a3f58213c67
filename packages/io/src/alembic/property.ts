/** Properties: compounds by name, and the samples of the rest as numbers or text. */
import { InputError } from '@pelt/model';
import { decodeText } from './decode-text.ts';
import { type ArchiveTables, type PropertyHeader, readPropertyHeaders } from './headers.ts';
import type { ByteRange, OgawaFile, OgawaGroup } from './ogawa-file.ts';
import { decodeFloat32, decodeFloat64, decodeInt32, isNativeFloat32, isNumeric, podBytes } from './pod.ts';
import { ACYCLIC } from './time-sampling.ts';

/** Bytes in front of every sample: a 128-bit hash of what follows. */
export const KEY_BYTES = 16;

/** A property may hold its value for so many samples, or for so many times those that it stores; more is damage. */
const MAX_HELD_SAMPLES = 100_000;
const MAX_HELD_RATIO = 16;

interface Child {
  readonly header: PropertyHeader;
  readonly number: number;
  /** Made when it is first asked for, so that no group is read twice. */
  content?: Compound | SampledProperty;
}

/** A property that holds others. */
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

  /** Metadata of a property of any kind; undefined where there is none of that name. */
  metadata(name: string): string | undefined {
    return this.#children.get(name)?.header.metadata;
  }

  compound(name: string): Compound | undefined {
    const child = this.#children.get(name);
    if (child?.header.kind !== 'compound') return undefined;
    child.content ??= new Compound(this.#file, this.#tables, this.#groupOf(child), this.#label);
    return child.content as Compound;
  }

  /** A scalar or an array; undefined where there is none of that name, or it has no samples. */
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

/** A property with samples. They are read when asked for, and not kept. */
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
      throw this.#damaged(`has ${header.samples} samples, but times for ${times.length}`);
    }
    const stored = header.lastChanged - header.firstChanged + 2;
    if (header.samples > Math.max(MAX_HELD_SAMPLES, MAX_HELD_RATIO * stored)) {
      throw this.#damaged(`is said to have ${header.samples} samples, of which ${stored} are stored`);
    }
  }

  get samples(): number {
    return this.header.samples;
  }

  /** Whether any sample differs from the first. */
  get changes(): boolean {
    return this.header.lastChanged > 0;
  }

  /** Number of the first sample that is stored as one with this one; samples with equal numbers are equal. */
  storedAs(sample: number): number {
    const { firstChanged, lastChanged } = this.header;
    if (sample < firstChanged || lastChanged === 0) return 0;
    return Math.min(sample, lastChanged) - firstChanged + 1;
  }

  /** Elements of a sample: points, faces, indices. */
  count(sample: number): number {
    return this.#payload(sample).count / this.#elementBytes();
  }

  /** Whether two samples hold the same: by their place in the file, else by their keys, which are hashes. */
  sameSample(a: number, b: number): boolean {
    if (this.storedAs(a) === this.storedAs(b)) return true;
    const first = this.#payload(a);
    const second = this.#payload(b);
    if (first.from === second.from || first.count !== second.count) return first.count === second.count;
    if (first.count === 0) return true;
    const key = this.#file.source.read(first.from - KEY_BYTES, KEY_BYTES).slice();
    return this.#file.source.read(second.from - KEY_BYTES, KEY_BYTES).every((byte, k) => byte === key[k]);
  }

  /** @param out  receives all numbers of the sample; exactly as long */
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
    if (!isNumeric(pod) || extent === 0) throw this.#damaged('does not hold numbers');
    return podBytes(pod) * extent;
  }

  #numbers(sample: number): ByteRange {
    this.#elementBytes();
    return this.#payload(sample);
  }

  /** Where the numbers of a sample lie: whole elements, of any number. */
  #payload(sample: number): ByteRange {
    const range = this.#range(sample);
    const size = this.#elementBytes();
    if (range.count % size !== 0) {
      throw this.#damaged(`has ${range.count} bytes in sample ${sample}, not a multiple of ${size}`);
    }
    return range;
  }

  #range(sample: number): ByteRange {
    // Arrays have their dimensions behind each sample, which say nothing that its size does not.
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
