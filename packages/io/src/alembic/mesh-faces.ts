/**
 * Triangulates the faces of a mesh, with the mapping back to the archive's faces and corners. Alembic faces wind
 * clockwise seen from outside, so the corners of each face are reversed. Face sets become contiguous runs, in their
 * order.
 */
import { InputError } from '@pelt/model';
import { trianglesOfFaces } from '../faces.ts';
import type { WarningTally } from '../warning-tally.ts';
import type { AlembicMesh } from './mesh-object.ts';

export interface MeshFaces {
  /** f × 3 vertices */
  readonly triangles: Uint32Array;
  /** f × 3 corner numbers in the archive's order */
  readonly corners: Uint32Array;
  /** Corner count of each of the archive's faces. */
  readonly counts: Int32Array;
  /** Runs of triangles, one per face set; faces in no set form a last, unnamed run. */
  readonly runs: readonly FaceRun[];
  /** Total number of corners in the archive. */
  readonly cornerCount: number;
}

export interface FaceRun {
  readonly name: string;
  readonly triangleCount: number;
}

/**
 * @param positions  n × 3 rest positions, which determine the triangulation for all frames
 * @param mirrored   whether the world transform is a reflection, which reverses the winding
 */
export function readMeshFaces(
  mesh: AlembicMesh,
  positions: Float32Array,
  mirrored: boolean,
  label: string,
  warnings: WarningTally,
): MeshFaces {
  const { faceCounts, faceIndices } = mesh.content;
  const counts = faceCounts?.int32(0) ?? new Int32Array(0);
  const indices = faceIndices?.int32(0) ?? new Int32Array(0);
  const firsts = firstCorners(mesh, counts, indices, positions.length / 3, label);
  const { order, runs } = orderBySets(mesh, counts, label, warnings);
  if (order.length < counts.length) warnings.add(`a face of '${mesh.path}' has fewer than 3 corners and was skipped`);

  const sizes = order.map((face) => counts[face]);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const cornerOf = new Uint32Array(total);
  let next = 0;
  for (const face of order) {
    const [first, count] = [firsts[face], counts[face]];
    for (let k = 0; k < count; k++) cornerOf[next++] = mirrored ? first + k : first + count - 1 - k;
  }
  const vertices = cornerOf.map((corner) => indices[corner]);
  const cut = trianglesOfFaces(positions, sizes, vertices, label);
  const corners = cut.cornerOf ? cut.cornerOf.map((corner) => cornerOf[corner]) : cornerOf;
  return {
    triangles: cut.triangles,
    corners,
    counts,
    runs: runs.map(({ name, faces }) => ({
      name,
      triangleCount: faces.reduce((sum, face) => sum + counts[face] - 2, 0),
    })),
    cornerCount: indices.length,
  };
}

/** f × 3: the archive's face of each triangle corner. */
export function facesOfCorners({ corners, counts, cornerCount }: MeshFaces): Uint32Array {
  const faceOf = new Uint32Array(cornerCount);
  let next = 0;
  counts.forEach((count, face) => {
    faceOf.fill(face, next, next + count);
    next += count;
  });
  return corners.map((corner) => faceOf[corner]);
}

/** The first corner of each face. */
function firstCorners(
  mesh: AlembicMesh,
  counts: Int32Array,
  indices: Int32Array,
  vertices: number,
  label: string,
): Uint32Array {
  const fail = (what: string): never => {
    throw new InputError(`${label}: '${mesh.path}' ${what}; the file is damaged, export it again`);
  };
  const firsts = new Uint32Array(counts.length);
  let next = 0;
  for (let face = 0; face < counts.length; face++) {
    firsts[face] = next;
    if (counts[face] < 0) return fail(`has a face of ${counts[face]} corners`);
    next += counts[face];
  }
  if (next !== indices.length) return fail(`has face counts that sum to ${next}, but ${indices.length} face indices`);
  for (let k = 0; k < indices.length; k++) {
    if (indices[k] < 0 || indices[k] >= vertices) {
      return fail(`refers to vertex ${indices[k]} of ${vertices} at corner ${k}`);
    }
  }
  return firsts;
}

interface OrderedFaces {
  /** Faces with at least three corners, grouped by set. */
  readonly order: Uint32Array;
  readonly runs: readonly { readonly name: string; readonly faces: Uint32Array }[];
}

/** A face in several sets belongs to the first. */
function orderBySets(mesh: AlembicMesh, counts: Int32Array, label: string, warnings: WarningTally): OrderedFaces {
  const NONE = -1;
  const setOf = new Int32Array(counts.length).fill(NONE);
  const sets = mesh.content.object.children.filter((child) => child.kind === 'FaceSet');
  sets.forEach((object, set) => {
    for (const face of object.schema?.sampled('.faces')?.int32(0) ?? []) {
      if (face < 0 || face >= counts.length) {
        throw new InputError(
          `${label}: face set '${object.path}' refers to face ${face} of ${counts.length}; export it again`,
        );
      }
      if (setOf[face] === NONE) setOf[face] = set;
      else if (setOf[face] !== set)
        warnings.add(`a face of '${mesh.path}' is in several face sets; the first one is used`);
    }
  });
  // Counting sort: faces keep their order within a set.
  const starts = new Uint32Array(sets.length + 2);
  for (let face = 0; face < counts.length; face++) {
    if (counts[face] >= 3) starts[slotOf(setOf[face], sets.length) + 1]++;
  }
  for (let slot = 0; slot <= sets.length; slot++) starts[slot + 1] += starts[slot];
  const order = new Uint32Array(starts[sets.length + 1]);
  const next = starts.slice();
  for (let face = 0; face < counts.length; face++) {
    if (counts[face] >= 3) order[next[slotOf(setOf[face], sets.length)]++] = face;
  }
  const runs = Array.from({ length: sets.length + 1 }, (_, slot) => ({
    name: slot < sets.length ? sets[slot].name : '',
    faces: order.subarray(starts[slot], starts[slot + 1]),
  }));
  return { order, runs: runs.filter(({ faces }) => faces.length > 0) };
}

/** Faces in no set follow all sets. */
function slotOf(set: number, sets: number): number {
  return set < 0 ? sets : set;
}
