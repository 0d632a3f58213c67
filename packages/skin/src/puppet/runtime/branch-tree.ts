/**
 * Minimum spanning tree of the performer's poses, rooted at the neutral one (Prim. Shortest connection networks and some
 * generalizations. 1957). Rotations are unwrapped along it, from each pose to its nearest neighbours.
 *
 * @param features  N × D, row-major
 * @returns N: the parent of each pair, −1 for the neutral one
 */
export function branchTree(features: Float64Array, pairs: number, neutral: number): Int32Array {
  const D = features.length / pairs;
  const tree = new Int32Array(pairs).fill(neutral);
  tree[neutral] = -1;
  const nearest = new Float64Array(pairs).fill(Number.POSITIVE_INFINITY);
  const done = new Uint8Array(pairs);
  let last = neutral;
  done[neutral] = 1;
  for (let round = 1; round < pairs; round++) {
    let next = -1;
    for (let i = 0; i < pairs; i++) {
      if (done[i] === 1) continue;
      let squared = 0;
      for (let d = 0; d < D; d++) squared += (features[i * D + d] - features[last * D + d]) ** 2;
      if (squared < nearest[i]) {
        nearest[i] = squared;
        tree[i] = last;
      }
      if (next < 0 || nearest[i] < nearest[next]) next = i;
    }
    done[next] = 1;
    last = next;
  }
  return tree;
}
