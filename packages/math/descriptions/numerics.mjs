/** The pool's own test, batches of 3 × 3 matrices, and small programmes on the simplex. */
export default {
  scratch: {
    /** Of the solver for c columns: its factor and two vectors. */
    Simplex: { of: ['c'], parts: { l: 'f64[c * c]', y: 'f64[c]', gradient: 'f64[c]' } },
    /** The same with prices: two matrices, two sets of weights, columns and supports. */
    Priced: {
      of: ['c'],
      parts: {
        matrix: 'f64[c * c]',
        mixed: 'f64[c * c]',
        u: 'f64[c]',
        others: 'f64[c]',
        columns: 'i32[c]',
        used: 'i32[2 * c]',
        inner: 'Simplex(c)',
      },
    },
    SimplexBatch: { of: ['c'], parts: { A: 'f64[c * c]', support: 'i32[c]', inner: 'Simplex(c)' } },
  },
  kernels: {
    sumOfChunk: { arguments: { values: 'f64[items]', sums: 'f64[chunks]', grain: 'i32' } },
    polarBatch: { arguments: { f: 'f64[9 * items]', rotations: 'f64[9 * items]', stretches: 'f64[9 * items]' } },
    simplexBatch: {
      arguments: {
        gram: 'f64[items * c * c]',
        rhs: 'f64[items * c]',
        squaredNorms: 'f64[items]',
        c: 'i32',
        limit: 'i32',
        x: 'f64[items * c]',
      },
      scratch: 'SimplexBatch(c)',
    },
  },
};
