/**
 * The elimination tree of a symmetric pattern under an order, and the number of non-zeros in each column of its Cholesky
 * factor, both without computing the factor: the parent of column j is the first row below the diagonal in column j of L.
 *
 * References: Liu. The role of elimination trees in sparse factorization. SIAM J. Matrix Anal. Appl., 1990 (algorithm
 * 4.2). Gilbert, Ng, Peyton. An efficient algorithm to compute row and column counts for sparse Cholesky factorization.
 * SIAM J. Matrix Anal. Appl., 1994 (figure 3).
 */
import type { Graph } from './graph.ts';

export interface EliminationTree {
  /** n vertices of the graph in the order of elimination: the given order, postordered */
  readonly order: Int32Array;
  /** n positions in `order`, by vertex */
  readonly positions: Int32Array;
  /** parent column of each column, always larger; −1 for a root */
  readonly parents: Int32Array;
  /** non-zeros in each column of the factor, the diagonal included */
  readonly counts: Int32Array;
}

/**
 * @param order  n vertices in the order of elimination; the result's order differs from it only in ways that leave the
 *               fill as it is
 */
export function eliminationTree(graph: Graph, order: Int32Array): EliminationTree {
  const positions = inverse(order);
  const given = parentsOf(graph, order, positions);
  const post = postorder(given);
  const newPlace = inverse(post);
  const parents = new Int32Array(order.length);
  const postordered = new Int32Array(order.length);
  for (let j = 0; j < order.length; j++) {
    const old = post[j];
    postordered[j] = order[old];
    parents[j] = given[old] < 0 ? -1 : newPlace[given[old]];
  }
  const tree = { order: postordered, positions: inverse(postordered), parents };
  return { ...tree, counts: columnCounts(graph, tree) };
}

function inverse(permutation: Int32Array): Int32Array {
  const result = new Int32Array(permutation.length);
  for (let k = 0; k < permutation.length; k++) result[permutation[k]] = k;
  return result;
}

/** Liu's algorithm: row by row, each entry's column climbs to the top of its subtree, over compressed paths. */
function parentsOf(graph: Graph, order: Int32Array, positions: Int32Array): Int32Array {
  const { starts, neighbours } = graph;
  const n = order.length;
  const parents = new Int32Array(n).fill(-1);
  const ancestors = new Int32Array(n).fill(-1);
  for (let row = 0; row < n; row++) {
    const vertex = order[row];
    for (let p = starts[vertex]; p < starts[vertex + 1]; p++) {
      let j = positions[neighbours[p]];
      while (j >= 0 && j < row) {
        const up = ancestors[j];
        ancestors[j] = row;
        if (up < 0) parents[j] = row;
        j = up;
      }
    }
  }
  return parents;
}

/** The nodes of a forest, children before parents, each subtree contiguous, siblings in ascending order. */
function postorder(parents: Int32Array): Int32Array {
  const n = parents.length;
  const firstChild = new Int32Array(n).fill(-1);
  const nextSibling = new Int32Array(n).fill(-1);
  for (let j = n - 1; j >= 0; j--) {
    const parent = parents[j];
    if (parent < 0) continue;
    nextSibling[j] = firstChild[parent];
    firstChild[parent] = j;
  }
  const post = new Int32Array(n);
  const stack = new Int32Array(n);
  let k = 0;
  for (let root = 0; root < n; root++) {
    if (parents[root] >= 0) continue;
    let depth = 0;
    stack[0] = root;
    while (depth >= 0) {
      const j = stack[depth];
      const child = firstChild[j];
      if (child < 0) {
        post[k++] = j;
        depth--;
      } else {
        firstChild[j] = nextSibling[child];
        stack[++depth] = child;
      }
    }
  }
  return post;
}

/**
 * The nodes of row i's subtree are the columns with a non-zero in row i. Its leaves are found from first descendants;
 * each leaf adds its path up to the least common ancestor with the leaf before, as differences that are summed up the
 * tree at the end.
 */
function columnCounts(graph: Graph, tree: Omit<EliminationTree, 'counts'>): Int32Array {
  const { order, positions, parents } = tree;
  const { starts, neighbours } = graph;
  const n = order.length;
  const counts = new Int32Array(n);
  // In a postorder a subtree is an interval, so its first descendant and its leaves need no search.
  const firstDescendants = new Int32Array(n).fill(-1);
  for (let j = 0; j < n; j++) {
    if (firstDescendants[j] < 0) {
      firstDescendants[j] = j;
      counts[j] = 1;
    }
    const parent = parents[j];
    if (parent >= 0 && firstDescendants[parent] < 0) firstDescendants[parent] = firstDescendants[j];
  }
  const lastFirst = new Int32Array(n).fill(-1);
  const lastLeaf = new Int32Array(n).fill(-1);
  const sets = new Int32Array(n);
  for (let j = 0; j < n; j++) sets[j] = j;
  for (let j = 0; j < n; j++) {
    const parent = parents[j];
    if (parent >= 0) counts[parent]--;
    const vertex = order[j];
    for (let p = starts[vertex]; p < starts[vertex + 1]; p++) {
      const row = positions[neighbours[p]];
      if (row <= j || firstDescendants[j] <= lastFirst[row]) continue;
      lastFirst[row] = firstDescendants[j];
      counts[j]++;
      const previous = lastLeaf[row];
      lastLeaf[row] = j;
      if (previous >= 0) counts[findRoot(sets, previous)]--;
    }
    if (parent >= 0) sets[j] = parent;
  }
  for (let j = 0; j < n; j++) if (parents[j] >= 0) counts[parents[j]] += counts[j];
  return counts;
}

function findRoot(sets: Int32Array, node: number): number {
  let root = node;
  while (sets[root] !== root) root = sets[root];
  for (let j = node; j !== root; ) {
    const up = sets[j];
    sets[j] = root;
    j = up;
  }
  return root;
}
