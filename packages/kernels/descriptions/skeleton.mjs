/** Rotations and joints of a skeleton from moments. */
export default {
  scratch: {
    /** Trial rotations, their residual moments, the normal matrix, its diagonal, gradient, step, three rows of products. */
    GaussNewton: {
      of: ['m', 'stride'],
      parts: {
        trial: 'f64[9 * m]',
        trialU: 'f64[3 * stride]',
        A: 'f64[3 * m * stride]',
        diagonal: 'f64[stride]',
        gradient: 'f64[stride]',
        step: 'f64[stride]',
        Z: 'f64[3 * stride]',
      },
    },
    /** Residual moments, and two 3 × 3 matrices padded to ten numbers. */
    Rotations: {
      of: ['m', 'stride'],
      parts: { U: 'f64[3 * stride]', H: 'f64[20]', inner: 'GaussNewton(m, stride)' },
    },
  },
  kernels: {
    /** Items are frames. Rows of C and Y are `stride` numbers, 3m made even. */
    skeletonRotations: {
      arguments: {
        rotations: 'f64[items * m * 9]',
        C: 'f64[3 * m * stride]',
        Y: 'f64[3 * items * stride]',
        m: 'i32',
        stride: 'i32',
        sweeps: 'i32',
        steps: 'i32',
      },
      scratch: 'Rotations(m, stride)',
    },
    /** Items are joints, q of them. */
    jointRows: {
      arguments: {
        rotations: 'f64[S * m * 9]',
        bones: 'i32[q]',
        parents: 'i32[q]',
        pairs: 'f64[q * q]',
        moved: 'f64[3 * S * q]',
        rest: 'f64[q * m * 3]',
        A: 'f64[9 * q * q]',
        b: 'f64[3 * q]',
        m: 'i32',
        S: 'i32',
        q: 'i32',
      },
    },
  },
};
