/**
 * Names in results come from inside the files, or from the user, and never from what files are called or where they lie:
 * the same contents give the same bytes.
 */
import type { Mesh, MeshSequence, Rig } from '@pelt/model';

/** What is called nothing, or by several names. */
const [MESH, CLIP] = ['mesh', 'clip'];

/** A mesh by the name that all of its parts have (objects of an OBJ, meshes of a glTF). */
export function namedMesh(mesh: Mesh): Mesh {
  const names = new Set(mesh.parts?.map(({ name }) => name));
  const [name] = names;
  return { ...mesh, name: (names.size === 1 && name) || MESH };
}

/** @param animation  its name in the file, where it has one */
export function namedSequence(sequence: MeshSequence, animation = ''): MeshSequence {
  return { ...sequence, name: animation || CLIP, rest: namedMesh(sequence.rest) };
}

/** A rig by a name, or by that of its mesh. */
export function namedRig(rig: Rig, name = rig.mesh.name): Rig {
  return { ...rig, name, mesh: { ...rig.mesh, name } };
}
