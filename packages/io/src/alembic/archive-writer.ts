/**
 * Writes an Alembic archive from objects and properties: samples in order of time, then the groups of properties and
 * objects, leaves first, with the headers and hashes of the Alembic library.
 *
 * Reference: the Alembic sources, lib/Alembic/AbcCoreOgawa.
 */
import { ByteWriter, textBytes } from './byte-writer.ts';
import { METADATA_FOLLOWS, WORD } from './headers.ts';
import { type OgawaChild, OgawaWriter } from './ogawa-writer.ts';
import { FILE_VERSION } from './open-alembic.ts';
import { type SampledContent, SampleWriter, type WrittenSamples } from './sample-writer.ts';
import { type Hash128, hashBytes, spookyHash } from './spooky.ts';
import type { TimeSampling } from './time-sampling.ts';

export interface CompoundContent {
  readonly kind: 'compound';
  readonly name: string;
  readonly metadata: string;
  readonly properties: readonly PropertyContent[];
}

export type PropertyContent = CompoundContent | SampledContent;

export interface ObjectContent {
  readonly name: string;
  readonly metadata: string;
  readonly properties: readonly PropertyContent[];
  readonly children: readonly ObjectContent[];
}

export interface ArchiveContent {
  readonly metadata: string;
  readonly timeSamplings: readonly TimeSampling[];
  readonly properties: readonly PropertyContent[];
  readonly children: readonly ObjectContent[];
}

/** The library release whose layout is written: 1.8.0. */
const LIBRARY_VERSION = 10800;
/** Strings of this length or more, and strings beyond the table's capacity, are written inline. */
const LONG_METADATA = 256;
const MAX_METADATA = 254;

export function writeArchive(content: ArchiveContent): Uint8Array<ArrayBuffer> {
  return new ArchiveWriter(content).write();
}

interface WrittenGroup {
  readonly child: OgawaChild;
  readonly hash: Hash128;
}

class ArchiveWriter {
  readonly #content: ArchiveContent;
  readonly #writer = new OgawaWriter();
  readonly #samples = new Map<SampledContent, SampleWriter>();
  readonly #metadata = new Map<string, number>();

  constructor(content: ArchiveContent) {
    this.#content = content;
  }

  write(): Uint8Array<ArrayBuffer> {
    const { metadata, timeSamplings, properties, children } = this.#content;
    const writer = this.#writer;
    const version = writer.data(new ByteWriter().uint(FILE_VERSION, 4).toBytes());
    const library = writer.data(new ByteWriter().uint(LIBRARY_VERSION, 4).toBytes());
    this.#writeSamples();
    const top = this.#writeObject({ name: '', metadata: '', properties, children });
    const described = writer.data(new ByteWriter().text(metadata).toBytes());
    const times = new ByteWriter();
    timeSamplings.forEach((sampling, k) => {
      times.uint(this.#longest(k), 4).bytes(encodedSampling(sampling));
    });
    const samplings = writer.data(times.toBytes());
    const table = new ByteWriter();
    for (const text of this.#metadata.keys()) table.uint(textBytes(text), 1).text(text);
    const root = writer.group([version, library, top.child, described, samplings, writer.data(table.toBytes())]);
    return writer.finish(root);
  }

  /** Sample t of all properties before sample t + 1 of any, so that playback reads sequentially. */
  #writeSamples(): void {
    const written: WrittenSamples = new Map();
    const sampled = sampledIn(this.#content).map((content) => new SampleWriter(content, this.#writer, written));
    for (const writer of sampled) this.#samples.set(writer.content, writer);
    const longest = sampled.reduce((most, { content }) => Math.max(most, content.samples), 0);
    for (let t = 0; t < longest; t++) for (const writer of sampled) if (t < writer.content.samples) writer.write(t);
  }

  /** The largest sample count of a property with this time sampling; constant properties count as one. */
  #longest(sampling: number): number {
    let longest = 0;
    for (const { content, lastChanged } of this.#samples.values()) {
      if (content.sampling !== sampling) continue;
      longest = Math.max(longest, lastChanged === 0 ? Math.min(content.samples, 1) : content.samples);
    }
    return longest;
  }

  #writeObject({ name, metadata, properties, children }: ObjectContent): WrittenGroup {
    const written = properties.map((property) => this.#writeProperty(property));
    const below = children.map((child) => this.#writeObject(child));
    const headers = new ByteWriter();
    for (const child of children) this.#addObjectHeader(headers, child);
    const propertyHash = hashBytes(spookyHash(joined(written)));
    const childHash = below.length > 0 ? hashBytes(spookyHash(joined(below))) : new Uint8Array(16);
    const list = this.#writer.data(headers.bytes(propertyHash).bytes(childHash).toBytes());
    const own = this.#writer.group([...written.map(({ child }) => child), ...this.#propertyList(properties)]);
    const child = this.#writer.group([own, ...below.map((group) => group.child), list]);
    const hashed = new ByteWriter().bytes(joined(below)).bytes(propertyHash).text(metadata).text(name);
    return { child, hash: spookyHash(hashed.toBytes()) };
  }

  #writeProperty(property: PropertyContent): WrittenGroup {
    if (property.kind === 'compound') {
      const written = property.properties.map((each) => this.#writeProperty(each));
      const list = this.#propertyList(property.properties);
      const hashed = new ByteWriter().bytes(joined(written)).text(property.name).text(property.metadata);
      const child = this.#writer.group([...written.map((group) => group.child), ...list]);
      return { child, hash: spookyHash(hashed.toBytes()) };
    }
    const { children, hash } = this.#samplesOf(property);
    const { name, metadata, pod, extent, kind, sampling } = property;
    const { timePerCycle, times } = this.#content.timeSamplings[sampling];
    const hashed = new ByteWriter().text(name).text(metadata).uint(pod, 1).uint(extent, 1);
    if (kind === 'scalar') hashed.uint(0, 1);
    hashed.float64(timePerCycle).uint(times.length, 4);
    for (const time of times) hashed.float64(time);
    if (property.samples > 0) hashed.bytes(hashBytes(hash));
    return { child: this.#writer.group(children), hash: spookyHash(hashed.toBytes()) };
  }

  #propertyList(properties: readonly PropertyContent[]): OgawaChild[] {
    if (properties.length === 0) return [];
    const headers = new ByteWriter();
    for (const property of properties) this.#addPropertyHeader(headers, property);
    return [this.#writer.data(headers.toBytes())];
  }

  #addObjectHeader(out: ByteWriter, { name, metadata }: ObjectContent): void {
    out.uint(textBytes(name), 4).text(name);
    const entry = this.#metadataEntry(metadata);
    out.uint(entry, 1);
    if (entry === METADATA_FOLLOWS) out.uint(textBytes(metadata), 4).text(metadata);
  }

  #addPropertyHeader(out: ByteWriter, property: PropertyContent): void {
    const { name, metadata } = property;
    const nameBytes = textBytes(name);
    const metadataBytes = textBytes(metadata);
    const entry = this.#metadataEntry(metadata);
    const samples = property.kind === 'compound' ? 0 : property.samples;
    const sampling = property.kind === 'compound' ? 0 : property.sampling;
    const largest = Math.max(nameBytes, metadataBytes, samples, sampling);
    const hint = largest < 256 ? 0 : largest < 65536 ? 1 : 2;
    const size = ([1, 2, 4] as const)[hint];
    let word = (hint << 2) | (entry << 20);
    if (property.kind === 'compound') out.uint(word, 4);
    else {
      const { firstChanged, lastChanged, scalarLike, homogeneous } = this.#samplesOf(property);
      const constant = lastChanged === 0;
      const ranged = !constant && (firstChanged !== 1 || lastChanged !== samples - 1);
      word |= (property.kind === 'scalar' ? 1 : scalarLike ? 3 : 2) | (property.pod << 4) | (property.extent << 12);
      if (sampling > 0) word |= WORD.hasTimeSampling;
      if (ranged) word |= WORD.hasChangeRange;
      if (homogeneous) word |= WORD.homogeneous;
      if (constant) word |= WORD.constant;
      out.uint(word, 4).uint(samples, size);
      if (ranged) out.uint(firstChanged, size).uint(lastChanged, size);
      if (sampling > 0) out.uint(sampling, size);
    }
    out.uint(nameBytes, size).text(name);
    if (entry === METADATA_FOLLOWS) out.uint(metadataBytes, size).text(metadata);
  }

  #metadataEntry(metadata: string): number {
    if (metadata === '') return 0;
    const known = this.#metadata.get(metadata);
    if (known !== undefined) return known;
    if (textBytes(metadata) >= LONG_METADATA || this.#metadata.size >= MAX_METADATA) return METADATA_FOLLOWS;
    this.#metadata.set(metadata, this.#metadata.size + 1);
    return this.#metadata.size;
  }

  #samplesOf(content: SampledContent): SampleWriter {
    const writer = this.#samples.get(content);
    if (!writer) throw new Error(`property '${content.name}' has no samples written`);
    return writer;
  }
}

/** All scalar and array properties, in archive order. */
function sampledIn({ properties, children }: Pick<ObjectContent, 'properties' | 'children'>): SampledContent[] {
  const inside = (property: PropertyContent): SampledContent[] =>
    property.kind === 'compound' ? property.properties.flatMap(inside) : [property];
  return [...properties.flatMap(inside), ...children.flatMap(sampledIn)];
}

function encodedSampling({ timePerCycle, times }: TimeSampling): Uint8Array {
  const out = new ByteWriter().float64(timePerCycle).uint(times.length, 4);
  for (const time of times) out.float64(time);
  return out.toBytes();
}

function joined(groups: readonly WrittenGroup[]): Uint8Array {
  const out = new Uint8Array(groups.length * 16);
  groups.forEach(({ hash }, k) => {
    out.set(hashBytes(hash), 16 * k);
  });
  return out;
}
