/** Which vertices coincide: hashes of trajectories, and the mesh that is left when equal ones are one. */

/**
 * For each vertex the number of the first that has its trajectory, and that first.
 *
 * @param rest    n × 3
 * @param frames  S × n × 3
 */
export function mergeCoinciding(rest: Float32Array, frames: Float32Array, S: number) {
  const n = rest.length / 3;
  const same = (a: Float32Array, offset: number, i: number, k: number) =>
    a[offset + 3 * i] === a[offset + 3 * k] &&
    a[offset + 3 * i + 1] === a[offset + 3 * k + 1] &&
    a[offset + 3 * i + 2] === a[offset + 3 * k + 2];
  const coincide = (i: number, k: number) => {
    if (!same(rest, 0, i, k)) return false;
    for (let t = 0; t < S; t++) if (!same(frames, 3 * n * t, i, k)) return false;
    return true;
  };

  // Chained hashing over the whole trajectory: a hash of the rest pose alone would put all vertices of a mesh that
  // rests collapsed (to a plane, to a point) into one chain.
  const buckets = new Int32Array(powerOfTwoAbove(2 * n)).fill(-1);
  const next = new Int32Array(n).fill(-1);
  const hashes = new Int32Array(n);
  addToHashes(hashes, rest);
  for (let t = 0; t < S; t++) addToHashes(hashes, frames.subarray(3 * n * t, 3 * n * (t + 1)));
  const map = new Uint32Array(n);
  const first: number[] = [];
  for (let i = 0; i < n; i++) {
    const bucket = hashes[i] & (buckets.length - 1);
    let welded = buckets[bucket];
    while (welded >= 0 && !coincide(i, first[welded])) welded = next[welded];
    if (welded < 0) {
      welded = first.length;
      first.push(i);
      next[welded] = buckets[bucket];
      buckets[bucket] = welded;
    }
    map[i] = welded;
  }
  return { map, first: Uint32Array.from(first) };
}

/** Stirs the three coordinates of each vertex into its hash. */
export function addToHashes(hashes: Int32Array, positions: Float32Array): void {
  const scratch = new Float32Array(1);
  const bits = new Int32Array(scratch.buffer);
  for (let k = 0; k < positions.length; k++) {
    // Adding 0 makes −0 and 0, which compare equal, hash alike.
    scratch[0] = positions[k] + 0;
    const i = Math.floor(k / 3);
    const hash = Math.imul(hashes[i] ^ bits[0], 0x85ebca6b);
    hashes[i] = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  }
}

function powerOfTwoAbove(count: number): number {
  let size = 1;
  while (size < count) size *= 2;
  return size;
}

export function remapTriangles(triangles: Uint32Array, map: Uint32Array): Uint32Array {
  const out = new Uint32Array(triangles.length);
  let length = 0;
  for (let k = 0; k < triangles.length; k += 3) {
    const a = map[triangles[k]];
    const b = map[triangles[k + 1]];
    const c = map[triangles[k + 2]];
    if (a === b || b === c || c === a) continue;
    out[length++] = a;
    out[length++] = b;
    out[length++] = c;
  }
  return out.slice(0, length);
}
