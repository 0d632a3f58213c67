/** Dense matrices: products, L D Lᵀ, the reduction to tridiagonal form, the secular equation. */
export default {
  scratch: {
    /** A block of rows of A in panels of four rows and 256 columns, and a tile at the border. */
    Gemm: { of: ['rows'], parts: { packed: 'f64[256 * ((rows + 3) & ~3)]', spare: 'f64[16]' } },
    Tile: { of: [], parts: { spare: 'f64[16]' } },
    FourColumns: { of: ['n'], parts: { panel: 'f64[4 * n]' } },
  },
  kernels: {
    /** Items are panels of four columns. */
    gemmPack: {
      arguments: {
        b: 'address',
        rowBytes: 'bytes',
        columnBytes: 'bytes',
        steps: 'i32',
        columns: 'i32',
        packed: 'f64[4 * items * steps]',
      },
    },
    /** Items are rows, in blocks of `block`. */
    gemmRows: {
      arguments: {
        a: 'address',
        aRow: 'bytes',
        aColumn: 'bytes',
        packed: 'f64[columns * steps]',
        c: 'address',
        cRow: 'bytes',
        columns: 'i32',
        steps: 'i32',
        alpha: 'f64',
        beta: 'f64',
        block: 'i32',
      },
      scratch: 'Gemm(block)',
    },
    /** Items are groups of four rows. */
    factorPanel: {
      arguments: {
        a: 'address',
        stride: 'bytes',
        rows: 'i32',
        block: 'address',
        size: 'i32',
        packedW: 'address',
        packedL: 'address',
      },
    },
    /** Items are groups of four rows. */
    factorUpdate: {
      arguments: {
        a: 'address',
        stride: 'bytes',
        rows: 'i32',
        size: 'i32',
        packedW: 'address',
        packedL: 'address',
      },
      scratch: 'Tile()',
    },
    /** Items are groups of four right-hand sides. */
    factorSolve: {
      arguments: { factor: 'f64[n * n]', stride: 'bytes', n: 'i32', x: 'f64[n * count]', count: 'i32' },
      scratch: 'FourColumns(n)',
    },
    tridiagonalPass: {
      arguments: {
        a: 'f64[items * items]',
        stride: 'bytes',
        v: 'address',
        w: 'f64[items]?',
        x: 'address',
        sums: 'f64[items * chunks]',
        size: 'i32',
        grain: 'i32',
      },
    },
    secularRoots: {
      arguments: {
        k: 'i32',
        poles: 'f64[k]',
        squares: 'f64[k]',
        inverseRho: 'f64',
        table: 'f64[k * k]',
        origins: 'f64[k]',
        shifts: 'f64[k]',
      },
    },
    secularWeights: {
      arguments: {
        k: 'i32',
        poles: 'f64[k]',
        weights: 'f64[k]',
        inverseRho: 'f64',
        table: 'f64[k * k]',
        out: 'f64[k]',
      },
    },
    secularVectors: { arguments: { k: 'i32', weights: 'f64[k]', table: 'f64[k * k]' } },
  },
};
