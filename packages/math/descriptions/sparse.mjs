/** The supernodal factorisation and its substitution. */
export default {
  shared: {
    /** A front of the top. */
    Front: { arguments: { factorisation: 'u32[7]', s: 'i32', from: 'i32', pivots: 'address' } },
    /** Groups of panels; `starts` has the first panel of each group and of what follows. */
    Groups: {
      arguments: {
        panels: 'i32[]',
        slots: 'i32[]',
        values: 'address',
        solution: 'f64[]',
        lanes: 'i32',
        starts: 'address',
      },
    },
    /** Row blocks below one panel. */
    PanelRows: {
      arguments: { panel: 'address', slots: 'i32[]', values: 'address', solution: 'f64[]', lanes: 'i32' },
    },
    /** Rows of k numbers, between the caller's order and that of elimination. */
    Ordered: {
      arguments: {
        rows: 'address',
        order: 'i32[items]',
        n: 'i32',
        k: 'i32',
        solution: 'f64[]',
        lanes: 'i32',
        copies: 'i32',
      },
    },
  },
  scratch: {
    Subtree: {
      of: ['frontTiles', 'stackTiles'],
      parts: { pivots: 'f64[16 * frontTiles]', stack: 'f64[16 * stackTiles]' },
    },
    /** A panel's own rows: 64 of four numbers. */
    OwnRows: { of: [], parts: { rows: 'f64[256]' } },
  },
  kernels: {
    /** Items are subtrees. */
    sparseFactorSubtrees: {
      arguments: {
        factorisation: 'u32[7]',
        begins: 'i32[items]',
        ends: 'i32[items]',
        failures: 'i32[items]',
        arena: 'address',
        frontTiles: 'i32',
        stackTiles: 'i32',
      },
      scratch: 'Subtree(frontTiles, stackTiles)',
    },
    /** Items are row blocks below the panel. */
    sparseFactorRows: { extends: 'Front' },
    /** Items are tile columns right of the panel. */
    sparseUpdateColumns: { extends: 'Front', arguments: { arena: 'address' } },
    sparseForward: { extends: 'Groups', scratch: 'OwnRows()' },
    sparseBackward: { extends: 'Groups', scratch: 'OwnRows()' },
    sparseForwardRows: { extends: 'PanelRows' },
    sparseBackwardRows: { extends: 'PanelRows', arguments: { sums: 'f64[]', grain: 'i32' } },
    sparsePermute: { extends: 'Ordered' },
    sparseUnpermute: { extends: 'Ordered' },
  },
};
