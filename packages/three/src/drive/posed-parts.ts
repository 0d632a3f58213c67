import { type Poser, type Rig, UsageError, vertexCount } from '@pelt/model';
import type { Object3D } from 'three';
import { type PeltMesh, peltMeshesOf } from '../mesh/pelt-mesh.ts';

/** Meshes on the same palette in the scene that a mesh is in, in the order of their vertices. */
export function posedParts(mesh: PeltMesh): { readonly mesh: PeltMesh; readonly first: number }[] {
  if (!mesh.model.part) return [{ mesh, first: 0 }];
  let root: Object3D = mesh;
  while (root.parent) root = root.parent;
  return peltMeshesOf(root)
    .filter(({ skeleton }) => skeleton === mesh.skeleton)
    .map((part) => ({ mesh: part, first: part.model.part?.first ?? 0 }))
    .sort((a, b) => a.first - b.first);
}

/** Throws `UsageError` where a poser is of more than what shares the skeleton of a mesh: other skins, parts without one. */
export function requireWholePoser(name: string, { vertexProxies }: Pick<Poser, 'vertexProxies'>, { mesh }: Rig): void {
  const n = vertexCount(mesh);
  if (vertexProxies.length === n) return;
  throw new UsageError(
    `the poser of '${name}' is of ${vertexProxies.length} vertices, and ${n} of them share its skin; give all meshes one ` +
      'skin before pelt pose --save',
  );
}
