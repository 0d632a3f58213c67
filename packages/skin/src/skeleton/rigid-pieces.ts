/**
 * Pieces of skin that move as rigid bodies to within rounding: what one bone moves alone, in motion that was made by skinning.
 * Three vertices that keep their distances in every frame define a motion; a piece is what that carries along near them.
 */
import type { EdgeGraph } from '../shared/mesh/edge-graph.ts';
import { patchAround } from '../shared/mesh/patch.ts';
import { type PatchMotion, type RigidMotion, rigidMotion } from './motion-subspace.ts';
import { gather, type VertexMotion } from './vertex-motion.ts';

export interface RigidPiece extends RigidMotion {
  readonly vertices: readonly number[];
}

/** Vertices around another among which those are looked for that move with it. */
const NEAR = 32;
/** Height of the triangle that defines a motion, in multiples of what counts as rounding. */
const LEAST_HEIGHT = 200;

/** Largest distance, in units of the positions, that counts as rounding. */
export function roundingOf({ rounding }: VertexMotion): number {
  return Math.max(16 * rounding, 1e-5);
}

/** Pieces in the motion of a mesh. */
export function rigidPieces(motion: VertexMotion, graph: EdgeGraph): RigidPiece[] {
  const limit = roundingOf(motion);
  const n = graph.starts.length - 1;
  const taken = new Uint8Array(n);
  const pieces: RigidPiece[] = [];
  for (let i = 0; i < n; i++) {
    if (taken[i]) continue;
    const near = patchAround(graph, i, NEAR).filter((k) => k === i || keepsDistance(motion, i, k, limit));
    const core = triangleOf(motion, near, limit);
    if (!core) continue;
    const first = rigidMotion(gather(motion, core), [0, 1, 2]);
    const vertices = near.filter((k) => core.includes(k) || isCarried(motion, first, k, 4 * limit));
    for (const k of vertices) taken[k] = 1;
    const patch = gather(motion, vertices);
    pieces.push({ vertices, ...rigidMotion(patch, Array.from(vertices.keys())) });
  }
  return pieces;
}

/** The first vertex and two others that keep their distances, as far from a line as there are; undefined if all are on one. */
function triangleOf(motion: VertexMotion, near: readonly number[], limit: number): number[] | undefined {
  const [i] = near;
  let best: number[] | undefined;
  let most = LEAST_HEIGHT * limit;
  for (let a = 1; a < near.length; a++) {
    for (let b = 1; b < a; b++) {
      const corners = [i, near[a], near[b]];
      const height = heightOf(motion, corners);
      if (height <= most || !keepsDistance(motion, near[a], near[b], limit)) continue;
      [best, most] = [corners, height];
    }
  }
  return best;
}

/** Largest distance between the vertices of a patch and where a rigid motion carries them. */
export function rigidResidual({ positions, size }: PatchMotion, { rotations, translations }: RigidMotion): number {
  let most = 0;
  for (let t = 1; 3 * t * size < positions.length; t++) {
    for (let d = 0; d < 3; d++) {
      for (let a = 0; a < size; a++) {
        let off = translations[3 * t + d] - positions[(3 * t + d) * size + a];
        for (let e = 0; e < 3; e++) off += rotations[9 * t + 3 * d + e] * positions[e * size + a];
        most = Math.max(most, Math.abs(off));
      }
    }
  }
  return most;
}

/** Whether two vertices are as far from each other in every frame as at rest. */
function keepsDistance(motion: VertexMotion, i: number, k: number, limit: number): boolean {
  const rest = lengthOf(motion, 0, i, k);
  for (let t = 1; t < motion.frames; t++) if (Math.abs(lengthOf(motion, t, i, k) - rest) > limit) return false;
  return true;
}

function lengthOf({ at }: VertexMotion, t: number, i: number, k: number): number {
  return Math.hypot(at(t, i, 0) - at(t, k, 0), at(t, i, 1) - at(t, k, 1), at(t, i, 2) - at(t, k, 2));
}

/** Of a triangle at rest, over its longest edge. */
function heightOf(motion: VertexMotion, [a, b, c]: readonly number[]): number {
  const [x, y, z] = [lengthOf(motion, 0, a, b), lengthOf(motion, 0, b, c), lengthOf(motion, 0, c, a)];
  const half = (x + y + z) / 2;
  const squared = half * (half - x) * (half - y) * (half - z);
  const longest = Math.max(x, y, z);
  return longest > 0 ? (2 * Math.sqrt(Math.max(squared, 0))) / longest : 0;
}

function isCarried(motion: VertexMotion, whole: RigidMotion, i: number, limit: number): boolean {
  return rigidResidual(gather(motion, [i]), whole) <= limit;
}
