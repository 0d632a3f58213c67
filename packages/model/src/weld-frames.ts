/**
 * Welding of an animation that is larger than memory: the vertices that `weldSequence` merges, found from a hash of each
 * trajectory and confirmed frame by frame. Only where vertices coincide at rest are the frames read at all, and then
 * twice.
 */
import type { FrameReader } from './frame-reader.ts';
import { checkCancelled, type RunContext } from './run-context.ts';
import { addToHashes, mergeCoinciding, remapTriangles } from './weld-vertices.ts';

/** How the vertices of a mesh became fewer. */
export interface FrameWeld {
  /** n indices: the welded vertex of each vertex of the input */
  readonly map: Uint32Array;
  /** The first vertex of the input that became each welded vertex, increasing. */
  readonly first: Uint32Array;
  /** Of the welded vertices; those that collapsed are left out. */
  readonly triangles: Uint32Array;
}

/**
 * Merges vertices that coincide exactly at rest and in every frame, as `weldSequence` does, without keeping the frames.
 * @example
 * {@includeCode ../examples/sequence.ts}
 */
export function weldFrames(reader: FrameReader, context?: RunContext): FrameWeld {
  const { rest } = reader;
  const n = rest.positions.length / 3;
  const atRest = mergeCoinciding(rest.positions, new Float32Array(0), 0);
  if (atRest.first.length === n) return { ...atRest, triangles: rest.triangles };

  const leader = leaders(reader, atRest.map, context);
  const map = new Uint32Array(n);
  const first = new Uint32Array(n);
  let welded = 0;
  for (let i = 0; i < n; i++) {
    // A leader comes before those that follow it.
    if (leader[i] === i) {
      first[welded] = i;
      map[i] = welded++;
    } else map[i] = map[leader[i]];
  }
  if (welded === n) return { map, first, triangles: rest.triangles };
  return { map, first: first.slice(0, welded), triangles: remapTriangles(rest.triangles, map) };
}

/** For each vertex the first one whose trajectory it has, which may be itself. @param places  n, equal where at rest equal */
function leaders(reader: FrameReader, places: Uint32Array, context?: RunContext): Uint32Array {
  const { times } = reader;
  const n = places.length;
  const frame = new Float32Array(3 * n);
  const hashes = new Int32Array(n);
  for (let t = 0; t < times.length; t++) {
    checkCancelled(context);
    reader.readFrame(t, frame);
    addToHashes(hashes, frame);
  }
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  order.sort((a, b) => places[a] - places[b] || hashes[a] - hashes[b] || a - b);
  const leader = Uint32Array.from({ length: n }, (_, i) => i);
  const followers: number[] = [];
  for (let k = 1; k < n; k++) {
    const [before, i] = [order[k - 1], order[k]];
    if (places[i] !== places[before] || hashes[i] !== hashes[before]) continue;
    leader[i] = leader[before];
    followers.push(i);
  }
  // A hash is not proof: vertices that differ in any frame stay apart.
  for (let t = 0; t < times.length; t++) {
    checkCancelled(context);
    reader.readFrame(t, frame);
    for (const i of followers) {
      const a = 3 * i;
      const b = 3 * leader[i];
      if (frame[a] !== frame[b] || frame[a + 1] !== frame[b + 1] || frame[a + 2] !== frame[b + 2]) leader[i] = i;
    }
  }
  return leader;
}
