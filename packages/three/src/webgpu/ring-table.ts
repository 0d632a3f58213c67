/**
 * The triangles round every vertex as fans of neighbours: the sum of (a − p) × (b − p) over consecutive neighbours is the
 * area-weighted normal, from positions alone, in any pose.
 *
 * Vertices that lie in one place with one normal at rest (split along a seam of texture coordinates) are one vertex here,
 * so that no seam shows; those with different normals (a hard edge) keep their own fans. A closed fan repeats its first
 * neighbour at the end; the fan of an open boundary does not; where the surface is not a manifold a vertex has several,
 * with the vertex itself between them, whose arm of length 0 adds nothing and begins anew. Fans of any length are kept
 * whole: a pole costs what it has.
 */

export interface Rings {
  /** n + 1: where the ring of each vertex begins */
  readonly starts: Uint32Array;
  /** Neighbours in turn. */
  readonly entries: Uint32Array;
}

/** Cosine above which two normals at one place are the same. */
const SAME_NORMAL = 0.9998;

/**
 * @param positions  n × 3 at rest
 * @param normals    n × 3 at rest; absent: vertices in one place are one
 * @param triangles  f × 3
 */
export function ringsOf(positions: Float32Array, normals: Float32Array | undefined, triangles: Uint32Array): Rings {
  const n = positions.length / 3;
  const group = weldSeams(positions, normals);
  const wedges: [number, number][][] = Array.from({ length: n }, () => []);
  for (let t = 0; t < triangles.length; t += 3) {
    for (let c = 0; c < 3; c++) {
      const [a, b, d] = [triangles[t + c], triangles[t + ((c + 1) % 3)], triangles[t + ((c + 2) % 3)]];
      if (a !== b && b !== d && a !== d) wedges[group[a]].push([b, d]);
    }
  }
  const starts = new Uint32Array(n + 1);
  const entries: number[] = [];
  const rings = new Map<number, readonly number[]>();
  for (let i = 0; i < n; i++) {
    let ring = rings.get(group[i]);
    if (!ring) {
      ring = fansOf(wedges[group[i]], group).flatMap((fan, k) => (k === 0 ? fan : [group[i], ...fan]));
      rings.set(group[i], ring);
    }
    for (const neighbour of ring) entries.push(neighbour);
    starts[i + 1] = entries.length;
  }
  return { starts, entries: Uint32Array.from(entries) };
}

/** The first vertex at the same place with the same normal, for each. */
function weldSeams(positions: Float32Array, normals: Float32Array | undefined): Uint32Array {
  const n = positions.length / 3;
  const group = new Uint32Array(n);
  const places = new Map<string, number[]>();
  for (let i = 0; i < n; i++) {
    // Adding 0 makes −0 and 0 one place.
    const key = `${positions[3 * i] + 0},${positions[3 * i + 1] + 0},${positions[3 * i + 2] + 0}`;
    const there = places.get(key);
    const same = there?.find((k) => !normals || cosine(normals, i, k) > SAME_NORMAL);
    group[i] = same ?? i;
    if (same !== undefined) continue;
    if (there) there.push(i);
    else places.set(key, [i]);
  }
  return group;
}

/** Wedges (a, b) of one vertex joined where one ends with the welded vertex that another begins with. */
function fansOf(wedges: readonly [number, number][], group: Uint32Array): number[][] {
  const next = new Map<number, number[]>();
  const incoming = new Map<number, number>();
  wedges.forEach(([a, b], k) => {
    next.set(group[a], [...(next.get(group[a]) ?? []), k]);
    incoming.set(group[b], (incoming.get(group[b]) ?? 0) + 1);
  });
  const used = new Uint8Array(wedges.length);
  const fans: number[][] = [];
  const follow = (start: number) => {
    const fan = [wedges[start][0]];
    for (let k: number | undefined = start; k !== undefined; ) {
      used[k] = 1;
      fan.push(wedges[k][1]);
      k = next.get(group[wedges[k][1]])?.find((other) => !used[other]);
    }
    fans.push(fan);
  };
  // Open fans begin where nothing comes in; what is left is closed.
  wedges.forEach(([a], k) => {
    if (!used[k] && !incoming.has(group[a])) follow(k);
  });
  wedges.forEach((_, k) => {
    if (!used[k]) follow(k);
  });
  return fans;
}

function cosine(normals: Float32Array, i: number, k: number): number {
  let [dot, a, b] = [0, 0, 0];
  for (let c = 0; c < 3; c++) {
    dot += normals[3 * i + c] * normals[3 * k + c];
    a += normals[3 * i + c] ** 2;
    b += normals[3 * k + c] ** 2;
  }
  return dot / (Math.sqrt(a * b) || 1);
}
