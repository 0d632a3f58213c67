/**
 * Seams split vertices in a file: a point with two UVs or two normals is stored twice. Fitting wants the point once, or
 * the seam would open; the file that comes out wants both back. Welding merges the vertices that coincide, exactly, at
 * rest and in every frame: vertices that only touch for a while, or nearly, stay apart.
 */
import type { ReducedEnvelope } from './envelope.ts';
import { InputError } from './errors.ts';
import { type Mesh, vertexCount } from './mesh.ts';
import { frameAt, frameCount, type MeshSequence } from './mesh-sequence.ts';
import type { Poser } from './poser.ts';
import type { Rig } from './rig.ts';
import { gatherVertices, gatherWeights } from './vertex-rows.ts';
import { mergeCoinciding, remapTriangles } from './weld-vertices.ts';

export interface Weld {
  /** The welded sequence: positions and triangles, without the look. The input itself where nothing coincided. */
  readonly sequence: MeshSequence;
  /** n indices: the welded vertex of each vertex of the input */
  readonly map: Uint32Array;
  /** The first vertex of the input that became each welded vertex. */
  readonly first: Uint32Array;
}

/**
 * Merges vertices that coincide exactly at rest and in every frame. Welded vertices keep the order of their first
 * appearance; triangles that collapse are left out.
 * @example
 * {@includeCode ../examples/sequence.ts}
 */
export function weldSequence(sequence: MeshSequence): Weld {
  const { rest, frames } = sequence;
  const S = frameCount(sequence);
  const { map, first } = mergeCoinciding(rest.positions, frames, S);
  if (first.length === map.length) return { sequence, map, first };

  const positions = gatherVertices(rest.positions, 3, first);
  const moved = new Float32Array(positions.length * S);
  for (let t = 0; t < S; t++) moved.set(gatherVertices(frameAt(sequence, t), 3, first), positions.length * t);
  const mesh: Mesh = { name: rest.name, positions, triangles: remapTriangles(rest.triangles, map) };
  return { sequence: { ...sequence, rest: mesh, frames: moved }, map, first };
}

/**
 * A rig of the input's vertices as one of the welded vertices. Each takes its rest position and weights from the first
 * vertex that became it, as the welded sequence does, for a rig may weight the vertices of a seam differently. The rig
 * itself where nothing coincided.
 * @example
 * {@includeCode ../examples/rig.ts}
 */
export function weldRig(rig: Rig, { sequence, map, first }: Weld): Rig {
  if (vertexCount(rig.mesh) !== map.length) {
    throw new InputError(
      `rig '${rig.name}' has ${vertexCount(rig.mesh)} vertices, the sequence ${map.length}; they must be of one mesh`,
    );
  }
  // Nothing is welded and nothing has another place.
  if (first.length === map.length && first.every((i, k) => i === k)) return rig;
  const { name, positions } = rig.mesh;
  const mesh = { name, positions: gatherVertices(positions, 3, first), triangles: sequence.rest.triangles };
  return { ...rig, mesh, weights: gatherWeights(rig.weights, first) };
}

/**
 * The rig of the welded mesh, given back to the vertices of the original one: its weights, and its rest positions,
 * which a fit may have corrected. Everything else of the mesh is the original's.
 *
 * @param map  the welded vertex of each vertex of `original`
 * @example
 * {@includeCode ../examples/rig.ts}
 */
export function unweldRig(rig: Rig, map: Uint32Array, original: Mesh): Rig {
  const positions = gatherVertices(rig.mesh.positions, 3, map);
  return { ...rig, mesh: { ...original, positions }, weights: gatherWeights(rig.weights, map) };
}

/**
 * The poser of the welded mesh, given back to the vertices of the original one, with all that it keeps per vertex.
 *
 * @param map  the welded vertex of each vertex of `original`
 * @example
 * {@includeCode ../examples/poser.ts}
 */
export function unweldPoser(poser: Poser, map: Uint32Array, original: Mesh): Poser {
  return {
    ...poser,
    rig: unweldRig(poser.rig, map, original),
    vertexProxies: gatherVertices(poser.vertexProxies, 1, map),
    exampleDetails: poser.exampleDetails.map((detail) => gatherVertices(detail, 3, map)),
  };
}

/**
 * The reduced envelope of the welded mesh, given back to the vertices of the original one.
 *
 * @param map  the welded vertex of each vertex of `original`
 * @example
 * {@includeCode ../examples/envelope.ts}
 */
export function unweldReducedEnvelope(envelope: ReducedEnvelope, map: Uint32Array, original: Mesh): ReducedEnvelope {
  const { rig, skin, displacements: given } = envelope;
  return {
    ...envelope,
    rig: unweldRig(rig, map, original),
    skin: gatherWeights(skin, map),
    ...(given && { displacements: gatherDisplacements(given, vertexCount(rig.mesh), map) }),
  };
}

function gatherDisplacements(
  { displacements, axes, ...given }: NonNullable<ReducedEnvelope['displacements']>,
  n: number,
  map: Uint32Array,
): NonNullable<ReducedEnvelope['displacements']> {
  const gathered = new Float32Array((displacements.length / n) * map.length);
  for (let e = 0; 3 * n * e < displacements.length; e++) {
    const part = displacements.subarray(3 * n * e, 3 * n * (e + 1));
    gathered.set(gatherVertices(part, 3, map), 3 * map.length * e);
  }
  return { ...given, displacements: gathered, axes: gatherVertices(axes, 1, map) };
}
