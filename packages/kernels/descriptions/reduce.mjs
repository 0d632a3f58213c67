/** Two-layer skins and weights that keep Laplacians. Trajectories are rows of R numbers. */
export default {
  shared: {
    /** Two atoms (virtual bones) per vertex, and the share of the first. */
    AtomPairs: {
      arguments: {
        rest: 'f64[]',
        coefficients: 'f64[]',
        atoms: 'f64[]',
        R: 'i32',
        starts: 'i32[]',
        neighbours: 'i32[]',
        pairs: 'i32[]',
        shares: 'f64[]',
        error: 'f64[]',
      },
    },
    /** Weights of K candidates per vertex. */
    Candidates: {
      arguments: {
        rest: 'f64[3 * items]',
        coefficients: 'f64[items * R]',
        projected: 'f64[]',
        R: 'i32',
        candidates: 'i32[items * K]',
        weights: 'f64[items * K]',
        K: 'i32',
      },
    },
  },
  scratch: {
    /** Up to 24 atoms that a vertex looks at: what they miss, the products of these, their list. */
    AtomPair: { of: ['R'], parts: { misses: 'f64[24 * R]', products: 'f64[576]', list: 'i32[24]' } },
    AtomStep: {
      of: ['h', 'R'],
      parts: {
        q: 'f64[16]',
        Q: 'f64[16]',
        T: 'f64[4 * R]',
        u: 'f64[R]',
        products: 'f64[h]',
        A: 'f64[h * h]',
        w: 'f64[h]',
        old: 'f64[h]',
        list: 'i32[h]',
        support: 'i32[h]',
        inner: 'Simplex(h)',
      },
    },
    Laplacian: {
      of: ['K', 'R'],
      parts: {
        images: 'f64[K * R]',
        target: 'f64[R]',
        moved: 'f64[R]',
        A: 'f64[K * K]',
        w: 'f64[K]',
        support: 'i32[K]',
        inner: 'Simplex(K)',
      },
    },
    Row: { of: ['R'], parts: { row: 'f64[R]' } },
  },
  kernels: {
    chooseAtomPairs: { extends: 'AtomPairs', arguments: { nextPairs: 'i32[2 * items]' }, scratch: 'AtomPair(R)' },
    /** One item. */
    spreadAtom: {
      extends: 'AtomPairs',
      arguments: { vertex: 'i32', atom: 'i32', queue: 'i32[]', visited: 'i32[]', mark: 'i32' },
      scratch: 'AtomPair(R)',
    },
    refreshAtomPairs: { extends: 'AtomPairs', scratch: 'AtomPair(R)' },
    /** Items are atoms: V_r ← Σ_j D_jr N_j. */
    blendAtoms: {
      arguments: { projected: 'f64[]', R: 'i32', atoms: 'address', bones: 'address', weights: 'address', c: 'i32' },
    },
    /** Items are bones. */
    gramOfRows: { arguments: { projected: 'f64[m * 4 * R]', R: 'i32', gram: 'f64[m * m * 10]', m: 'i32' } },
    /** Items are atoms; starts and uses (2i + slot) list the vertices that blend each, candidates its bones. */
    stepAtoms: {
      arguments: {
        rest: 'f64[]',
        coefficients: 'f64[]',
        projected: 'f64[m * 4 * R]',
        gram: 'f64[m * m * 10]',
        m: 'i32',
        R: 'i32',
        atoms: 'f64[items * 4 * R]',
        bones: 'i32[items * c]',
        weights: 'f64[items * c]',
        c: 'i32',
        starts: 'i32[items + 1]',
        uses: 'i32[]',
        pairs: 'i32[]',
        shares: 'f64[]',
        candidates: 'i32[items * width]',
        width: 'i32',
      },
      scratch: 'AtomStep(width, R)',
    },
    /** The operator L by its neighbours and its diagonal; residuals L(x − v). */
    laplacianWeightSweep: {
      extends: 'Candidates',
      arguments: {
        starts: 'i32[items + 1]',
        neighbours: 'i32[]',
        values: 'f64[]',
        diagonal: 'f64[items]',
        residuals: 'f64[items * R]',
      },
      scratch: 'Laplacian(K, R)',
    },
    weightedMisses: { extends: 'Candidates', arguments: { out: 'f64[items * R]' }, scratch: 'Row(R)' },
  },
};
