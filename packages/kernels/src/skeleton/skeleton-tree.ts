/** Which bone hangs on which. Bones keep their numbers; parents need not come before children. */
export interface SkeletonTree {
  /** m, the parent of each bone; −1 for the root, of which there is one */
  readonly parents: Int32Array;
  /** m, bones in an order that has every parent before its children; the root is first */
  readonly order: Int32Array;
}

/**
 * The tree of bones with given parents. Throws `RangeError` where the parents do not make one tree.
 *
 * @param parents  m parent indices; −1 for the root
 * @example
 * {@includeCode ../../examples/decomposition.ts}
 */
export function skeletonTree(parents: ArrayLike<number>): SkeletonTree {
  const m = parents.length;
  const children: number[][] = Array.from({ length: m }, () => []);
  const order: number[] = [];
  for (let k = 0; k < m; k++) {
    if (parents[k] < 0) order.push(k);
    else children[parents[k]]?.push(k);
  }
  const roots = order.length;
  for (let at = 0; at < order.length; at++) order.push(...children[order[at]]);
  if (roots !== 1 || order.length !== m) {
    throw new RangeError(`skeletonTree: ${roots} roots that reach ${order.length} of ${m} bones are no tree`);
  }
  return { parents: Int32Array.from(parents), order: Int32Array.from(order) };
}

/**
 * Adds to every bone's row those of all bones below it.
 *
 * @param rows  m × columns, changed
 */
export function sumOverSubtrees({ parents, order }: SkeletonTree, rows: Float64Array, columns: number): void {
  for (let at = order.length - 1; at > 0; at--) {
    const from = order[at] * columns;
    const to = parents[order[at]] * columns;
    for (let c = 0; c < columns; c++) rows[to + c] += rows[from + c];
  }
}

/**
 * From rows of w_k p̂ (4 for each bone: x, y, z, 1) to rows of c_k = w_k p − W_k o_k + Σ_{children a} W_a o_a (3 for each
 * bone), W the weight of a whole subtree: what each rotation turns when all joints hold.
 *
 * @param joints   m × 3, each bone's joint with its parent; the root's is not read
 * @param rows     4m × columns, rows `stride` apart
 * @param out      3m × columns, rows `outStride` apart
 * @param scratch  m × columns
 */
export function throughJoints(
  tree: SkeletonTree,
  joints: Float64Array,
  rows: Float64Array,
  stride: number,
  out: Float64Array,
  outStride: number,
  columns: number,
  scratch: Float64Array,
): void {
  const { parents, order } = tree;
  for (let k = 0; k < order.length; k++) {
    for (let d = 0; d < 3; d++) {
      const [from, to] = [(4 * k + d) * stride, (3 * k + d) * outStride];
      for (let c = 0; c < columns; c++) out[to + c] = rows[from + c];
    }
    for (let c = 0; c < columns; c++) scratch[k * columns + c] = rows[(4 * k + 3) * stride + c];
  }
  sumOverSubtrees(tree, scratch, columns);
  for (let at = 1; at < order.length; at++) {
    const k = order[at];
    for (let d = 0; d < 3; d++) {
      const o = joints[3 * k + d];
      const [own, above] = [(3 * k + d) * outStride, (3 * parents[k] + d) * outStride];
      for (let c = 0; c < columns; c++) {
        const product = o * scratch[k * columns + c];
        out[own + c] -= product;
        out[above + c] += product;
      }
    }
  }
}
