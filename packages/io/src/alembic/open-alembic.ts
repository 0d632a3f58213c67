/**
 * Opens an Alembic archive: reads the object hierarchy and describes the meshes. Samples are read later, by range.
 *
 * Layout of the root group: i32 file version, i32 library version, top object, metadata, time samplings, metadata
 * table.
 */
import { resolveOptions, UnsupportedError } from '@pelt/model';
import type { ByteSource } from '../byte-source.ts';
import { ByteCursor } from '../cursor.ts';
import { stemOf } from '../read-options.ts';
import { decodeText } from './decode-text.ts';
import { type ArchiveTables, metadataValue, readMetadataTable } from './headers.ts';
import { type AlembicMesh, readMeshObject, type Visibility } from './mesh-object.ts';
import { type AbcObject, objectsIn, readObjectTree } from './object-tree.ts';
import { OgawaFile } from './ogawa-file.ts';
import { readTimeSamplings } from './time-sampling.ts';

export interface OpenAlembicOptions {
  /** File name, for messages and as the default name of the result. */
  readonly name: string;
}

export const OPEN_ALEMBIC_DEFAULTS: OpenAlembicOptions = { name: '' };

export interface AlembicArchive {
  /** File name without folder and extension. */
  readonly name: string;
  /** Begins every message: `Alembic 'clip.abc'`. */
  readonly label: string;
  /** Name of the program that wrote it; empty if not recorded. */
  readonly application: string;
  /** Polygon meshes and subdivision surfaces, in archive order. */
  readonly meshes: readonly AlembicMesh[];
  /** Number of objects per schema: `PolyMesh`, `Xform`, `Camera`, … */
  readonly kinds: ReadonlyMap<string, number>;
  /** Root of the object hierarchy. */
  readonly top: AbcObject;
}

/** Children of the root group. */
export const ROOT = { version: 0, libraryVersion: 1, top: 2, metadata: 3, timeSamplings: 4, metadataTable: 5 } as const;
/** The only file version so far. */
export const FILE_VERSION = 0;
/** The first library version that wrote Ogawa archives. */
const FIRST_LIBRARY = 9999;

/**
 * Opens an Alembic archive in the Ogawa format: reads its object hierarchy, not its samples.
 * @example
 * {@includeCode ../../examples/alembic.ts}
 */
export function openAlembic(source: ByteSource, options?: Partial<OpenAlembicOptions>): AlembicArchive {
  const { name } = resolveOptions('openAlembic', OPEN_ALEMBIC_DEFAULTS, options);
  const file = new OgawaFile(source, name);
  requireVersion(file);
  const timeSamplings = readTimeSamplings(rootCursor(file, ROOT.timeSamplings, 'the time samplings'));
  const metadata = readMetadataTable(rootCursor(file, ROOT.metadataTable, 'the metadata table'));
  const tables: ArchiveTables = { metadata, timeSamplings };
  const top = readObjectTree(file, file.group(file.root, ROOT.top, 'the top object'), tables);

  const meshes: AlembicMesh[] = [];
  const kinds = new Map<string, number>();
  const visibilities = new Map<AbcObject, Visibility>();
  for (const object of objectsIn(top)) {
    const { kind } = object;
    if (kind) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const mesh = readMeshObject(object, visibilities);
    if (mesh) meshes.push(mesh);
  }
  const archiveMetadata = rootCursor(file, ROOT.metadata, 'the archive’s metadata');
  return {
    name: stemOf(name),
    label: file.label,
    application: metadataValue(decodeText(archiveMetadata.bytes), '_ai_Application'),
    meshes,
    kinds,
    top,
  };
}

function requireVersion(file: OgawaFile): void {
  const version = rootCursor(file, ROOT.version, 'the file version').i32('file version');
  if (version !== FILE_VERSION) {
    throw new UnsupportedError(`${file.label}: file version ${version}, only ${FILE_VERSION} is known`);
  }
  const library = rootCursor(file, ROOT.libraryVersion, 'the library version').i32('library version');
  if (library < FIRST_LIBRARY) {
    throw new UnsupportedError(`${file.label}: library version ${library}, expected ${FIRST_LIBRARY} or later`);
  }
}

function rootCursor(file: OgawaFile, child: number, what: string): ByteCursor {
  return new ByteCursor(file.readStructure(file.data(file.root, child, what)), 'Alembic', file.name, true);
}
