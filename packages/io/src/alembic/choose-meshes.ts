/** Selects meshes by name, by path or by the name of a group that contains them; by default all visible ones. */
import { InputError, UnsupportedError, UsageError } from '@pelt/model';
import type { WarningTally } from '../warning-tally.ts';
import type { AlembicMesh } from './mesh-object.ts';
import { objectsIn } from './object-tree.ts';
import type { AlembicArchive } from './open-alembic.ts';

/** How many names a message lists before it abbreviates. */
const LISTED = 8;

export function chooseMeshes(
  archive: AlembicArchive,
  wanted: string | readonly string[] | undefined,
  warnings: WarningTally,
): readonly AlembicMesh[] {
  if (archive.meshes.length === 0) throw noMesh(archive);
  const chosen = wanted === undefined ? visibleMeshes(archive, warnings) : namedMeshes(archive, wanted);
  const filled = chosen.filter(({ vertices }) => vertices > 0);
  if (filled.length === 0) throw new InputError(`${archive.label}: '${chosen[0].path}' has no vertices`);
  for (const { path, vertices } of chosen) if (vertices === 0) warnings.add(`'${path}' has no vertices`);
  return filled;
}

function visibleMeshes({ meshes, label }: AlembicArchive, warnings: WarningTally): readonly AlembicMesh[] {
  const visible = meshes.filter((mesh) => mesh.visible);
  if (visible.length === 0) {
    throw new UsageError(`${label}: all meshes are hidden; choose one by name: ${listed(meshes)}`);
  }
  for (const { path, visible: shown } of meshes) if (!shown) warnings.add(`'${path}' is hidden and was skipped`);
  return visible;
}

function namedMeshes(archive: AlembicArchive, wanted: string | readonly string[]): readonly AlembicMesh[] {
  const names = typeof wanted === 'string' ? [wanted] : wanted;
  const left = new Set(names);
  const below = new Set<unknown>();
  for (const object of objectsIn(archive.top)) {
    const own = names.filter((name) => name === object.name || isPath(name, object.path));
    if (own.length > 0 || below.has(object.parent)) below.add(object);
    for (const name of own) left.delete(name);
  }
  const chosen = archive.meshes.filter(({ content }) => below.has(content.object));
  const [missing] = left;
  if (missing !== undefined || chosen.length === 0) {
    throw new UsageError(
      `${archive.label}: there is no mesh '${missing ?? names[0]}'; the archive has ${listed(archive.meshes)}`,
    );
  }
  return chosen;
}

/** Compares lengths first: in deep trees a path is a rope that a comparison would flatten. */
function isPath(name: string, path: string): boolean {
  return name.length === path.length && name === path;
}

function noMesh({ label, kinds }: AlembicArchive): UnsupportedError {
  const others = [...kinds].map(([kind, count]) => `${count} ${kind}`).join(', ');
  return new UnsupportedError(
    `${label}: the archive contains no polygon meshes${others ? ` (only ${others})` : ''}; export the meshes`,
  );
}

function listed(meshes: readonly AlembicMesh[]): string {
  const names = meshes.slice(0, LISTED).map(({ path }) => `'${path}'`);
  const more = meshes.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
