/** Reads a whole archive back into what `writeArchive` takes, so that archives of other writers can be written again. */
import type { ArchiveContent, ObjectContent, PropertyContent } from '../../src/alembic/archive-writer.ts';
import { readMetadataTable, readObjectHeaders, readPropertyHeaders } from '../../src/alembic/headers.ts';
import { murmur3 } from '../../src/alembic/murmur3.ts';
import { OgawaFile, type OgawaGroup } from '../../src/alembic/ogawa-file.ts';
import { ROOT } from '../../src/alembic/open-alembic.ts';
import { readTimeSamplings } from '../../src/alembic/time-sampling.ts';
import { ByteCursor } from '../../src/cursor.ts';
import { sourceOfBytes } from '../../src/index.ts';

export interface ReadContent {
  readonly content: ArchiveContent;
  /** Behind the headers of each object's children: the hashes of its properties and of its children. */
  readonly objectHashes: readonly string[];
  /** Samples, and those whose key is the hash of what they hold. */
  readonly samples: number;
  readonly rightKeys: number;
}

export function archiveContent(bytes: Uint8Array): ReadContent {
  const file = new OgawaFile(sourceOfBytes(bytes), 'a.abc');
  const objectHashes: string[] = [];
  let samples = 0;
  let rightKeys = 0;
  const dataOf = (group: OgawaGroup, child: number) => {
    const { from, count } = file.data(group, child, 'data');
    return bytes.subarray(from, from + count);
  };
  const cursor = (child: number) => new ByteCursor(dataOf(file.root, child), 'Alembic', 'a.abc', true);
  const timeSamplings = readTimeSamplings(cursor(ROOT.timeSamplings));
  const tables = { metadata: readMetadataTable(cursor(ROOT.metadataTable)), timeSamplings };

  const propertiesOf = (group: OgawaGroup): PropertyContent[] => {
    if (group.count === 0) return [];
    return readPropertyHeaders(file, dataOf(group, group.count - 1), tables).map((header, k): PropertyContent => {
      const { name, metadata, kind, pod, extent, firstChanged, lastChanged } = header;
      const own = file.group(group, k, name);
      if (kind === 'compound') return { kind, name, metadata, properties: propertiesOf(own) };
      const stride = kind === 'array' ? 2 : 1;
      for (let child = 0; child < own.count; child += stride) {
        const data = dataOf(own, child);
        if (data.length === 0) continue;
        samples++;
        if (murmur3(data.subarray(16)).every((byte, at) => byte === data[at])) rightKeys++;
      }
      const stored = (t: number) =>
        t < firstChanged || lastChanged === 0 ? 0 : Math.min(t, lastChanged) - firstChanged + 1;
      const sampling = timeSamplings.indexOf(header.sampling);
      const sample = (t: number) => dataOf(own, stride * stored(t)).subarray(16);
      return { kind, name, metadata, pod, extent, sampling, samples: header.samples, sample };
    });
  };
  const inside = (group: OgawaGroup): Pick<ObjectContent, 'properties' | 'children'> => {
    const list = dataOf(group, group.count - 1);
    objectHashes.push([...list.subarray(-32)].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
    const properties = propertiesOf(file.group(group, 0, 'properties'));
    const children = readObjectHeaders(file, list, tables).map((header, k) => ({
      ...header,
      ...inside(file.group(group, k + 1, header.name)),
    }));
    return { properties, children };
  };
  const metadata = new TextDecoder().decode(dataOf(file.root, ROOT.metadata));
  const content = { metadata, timeSamplings, ...inside(file.group(file.root, ROOT.top, 'top')) };
  return { content, objectHashes, samples, rightKeys };
}
