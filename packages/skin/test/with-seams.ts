/** Scenes whose meshes are split along every edge, as a file with facet normals has them: nothing but seams. */
import { gatherVertices, type Mesh, type Rig } from '@pelt/model';
import type { Scene } from '@pelt/testkit';

/** The scene with a vertex of its own for every corner of a triangle. */
export function withSeams({ rig, clip, sequence }: Scene): Scene {
  const corners = rig.mesh.triangles;
  const size = rig.mesh.positions.length;
  const mesh: Mesh = {
    name: rig.mesh.name,
    positions: gatherVertices(rig.mesh.positions, 3, corners),
    triangles: corners.map((_, k) => k),
  };
  const S = sequence.times.length;
  const frames = new Float32Array(S * 3 * corners.length);
  for (let t = 0; t < S; t++) {
    frames.set(gatherVertices(sequence.frames.subarray(t * size, (t + 1) * size), 3, corners), 3 * corners.length * t);
  }
  return { clip, rig: withVertices(rig, mesh, corners), sequence: { ...sequence, rest: mesh, frames } };
}

/** A rig on another mesh, whose vertices take the weights of those that `map` names. */
export function withVertices(rig: Rig, mesh: Mesh, map: Uint32Array): Rig {
  const { slots, bones, weights } = rig.weights;
  const gathered = { bones: gatherVertices(bones, slots, map), weights: gatherVertices(weights, slots, map) };
  return { ...rig, mesh, weights: { slots, ...gathered } };
}
