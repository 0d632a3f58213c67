/**
 * Rigid parts from vertices that rotate alike. Equal rotations do not imply equal translations: two legs in step have the
 * same rotations and need two bones. The vertices of a mode are therefore split into components connected by edges, and
 * components are merged again if one rigid motion fits both: the many shells of a robot arm are one part.
 */
import { frameCount, type MeshSequence } from '@pelt/model';
import type { EdgeGraph } from '../../shared/mesh/edge-graph.ts';
import { RigidMoments } from './rigid-moments.ts';

export interface RigidParts {
  readonly count: number;
  /** n, the part whose core a vertex belongs to; −1 for none. Parts are sorted by decreasing size. */
  readonly partOf: Int32Array;
}

/** Minimum number of vertices that determine a rotation robustly. */
const LEAST_VERTICES = 4;
/** Tolerance for merging components, as a fraction of the bandwidth's angle. */
const SLACK = 0.1;

/**
 * @param modeOf    n, the mode of each vertex; −1 for none
 * @param angle     root mean square angle in radians within one mode
 * @param smallest  parts with fewer vertices are noise
 */
export function rigidParts(
  sequence: MeshSequence,
  graph: EdgeGraph,
  modeOf: Int32Array,
  angle: number,
  smallest: number,
): RigidParts {
  const pieces = connectedPieces(graph, modeOf).filter((piece) => piece.length >= LEAST_VERTICES);
  // Larger components first, so that small ones join large ones; the sort is stable.
  pieces.sort((a, b) => b.length - a.length);
  const parts: { mode: number; moments: RigidMoments; pieces: number[][] }[] = [];
  for (const piece of pieces) {
    const mode = modeOf[piece[0]];
    const moments = RigidMoments.of(sequence, piece);
    const rivals = parts.filter((part) => part.mode === mode);
    const home = rivals.find((part) => moveAsOne(part.moments.union(moments), SLACK * angle, frameCount(sequence)));
    if (home) {
      home.moments = home.moments.union(moments);
      home.pieces.push(piece);
    } else parts.push({ mode, moments, pieces: [piece] });
  }
  const large = parts.filter(({ moments }) => moments.count >= smallest);
  large.sort((a, b) => b.moments.count - a.moments.count);
  const partOf = new Int32Array(modeOf.length).fill(-1);
  large.forEach((part, index) => {
    for (const i of part.pieces.flat()) partOf[i] = index;
  });
  return { count: large.length, partOf };
}

function moveAsOne(moments: RigidMoments, angle: number, frames: number): boolean {
  return moments.residual() <= angle ** 2 * moments.spread * frames;
}

/** Connected components of the vertices of each mode. */
function connectedPieces(graph: EdgeGraph, modeOf: Int32Array): number[][] {
  const seen = new Uint8Array(modeOf.length);
  const pieces: number[][] = [];
  for (let seed = 0; seed < modeOf.length; seed++) {
    if (modeOf[seed] < 0 || seen[seed] === 1) continue;
    const piece = [seed];
    seen[seed] = 1;
    for (let k = 0; k < piece.length; k++) {
      for (let e = graph.starts[piece[k]]; e < graph.starts[piece[k] + 1]; e++) {
        const next = graph.neighbours[e];
        if (seen[next] === 1 || modeOf[next] !== modeOf[seed]) continue;
        seen[next] = 1;
        piece.push(next);
      }
    }
    pieces.push(piece);
  }
  return pieces;
}
