/**
 * Vertices that turn alike as parts that also move as one. Turning alike says nothing of translation: two legs in step
 * have the same rotations and are two bones. So the vertices of a mode fall into pieces that hang together over edges,
 * and pieces are put together again where one rigid motion serves them nearly as well: the many shells of a machine's
 * arm are one part.
 */
import { frameCount, type MeshSequence } from '@pelt/model';
import type { EdgeGraph } from '../../shared/mesh/edge-graph.ts';
import { RigidMoments } from './rigid-moments.ts';

export interface RigidParts {
  readonly count: number;
  /** n, the part that a vertex is a core of; −1 for none. The largest part comes first. */
  readonly partOf: Int32Array;
}

/** Vertices that a bone needs at least for its rotation. */
const LEAST_VERTICES = 4;
/** Share of the bandwidth's angle that pieces of one part may move apart. */
const SLACK = 0.1;

/**
 * @param modeOf    n, the mode of each vertex; −1 for none
 * @param angle     root mean square angle in radians that one mode may turn apart
 * @param smallest  parts of fewer vertices are noise
 */
export function rigidParts(
  sequence: MeshSequence,
  graph: EdgeGraph,
  modeOf: Int32Array,
  angle: number,
  smallest: number,
): RigidParts {
  const pieces = connectedPieces(graph, modeOf).filter((piece) => piece.length >= LEAST_VERTICES);
  // Larger pieces first, so that small ones are put to large ones; ties stay in the order of their first vertex.
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

/** Vertices of one mode that hang together over edges. */
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
