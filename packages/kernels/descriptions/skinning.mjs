/**
 * Bones and weights from trajectories. Items are vertices unless stated otherwise; n × 3 rest positions, n × R coefficients of
 * their trajectories in a basis of r ≤ R rows, m bones with their products in the basis (m × 4 × R) and with each other
 * (m × m × 10), K slots of a vertex.
 */
export default {
  shared: {
    Vertices: {
      arguments: {
        rest: 'f64[3 * items]',
        coefficients: 'f64[items * R]',
        squaredNorms: 'f64[items]',
        projected: 'f64[m * 4 * R]',
        gram: 'f64[m * m * 10]',
        m: 'i32',
        R: 'i32',
      },
    },
    /** Slots of weight 0 are unused. */
    Weights: {
      extends: 'Vertices',
      arguments: { K: 'i32', bones: 'i32[items * K]', weights: 'f64[items * K]', error: 'f64[items]' },
    },
    /** Flags of bones that have a price at a vertex, what they cost, and from which weight on. */
    Prices: { extends: 'Weights', arguments: { priced: 'u8[items * m]?', price: 'f64', visible: 'f64' } },
    /** `idle` is 1 where the last search of a vertex found nothing: for quick searches. */
    Swaps: { extends: 'Prices', arguments: { mostSwaps: 'i32', leastGain: 'f64', idle: 'u8[items]?' } },
    /** The weights as they are, for the moments; P and Q per chunk, then their sums. */
    Moments: {
      arguments: {
        rest: 'f64[]',
        coefficients: 'f64[]',
        m: 'i32',
        R: 'i32',
        K: 'i32',
        bones: 'i32[]',
        weights: 'f64[]',
        momentParts: 'f64[chunks * m * m * 10]',
        trajectoryParts: 'f64[chunks * m * 4 * R]',
        grain: 'i32',
        chunks: 'i32',
        moments: 'f64[m * m * 10]',
        trajectoryMoments: 'f64[m * 4 * R]',
      },
    },
  },
  scratch: {
    /** Monomials of a vertex, its products with a bone. */
    Measure: { of: [], parts: { q: 'f64[16]', products: 'f64[8]' } },
    /** The same with the products of two vertices with all bones. */
    Pair: { of: ['m'], parts: { q: 'f64[16]', products: 'f64[8]', b: 'f64[m]', bSecond: 'f64[m]' } },
    /** A weight problem of up to c bones. */
    Weight: {
      of: ['m', 'c'],
      parts: {
        pair: 'Pair(m)',
        A: 'f64[c * c]',
        w: 'f64[c]',
        prices: 'f64[c]',
        list: 'i32[c]',
        support: 'i32[c]',
        start: 'i32[c]',
        inner: 'Priced(c)',
      },
    },
    BestSwap: {
      of: ['m', 'c'],
      parts: {
        search: 'Weight(m, c)',
        ranked: 'i32[2]',
        inverse: 'f64[c * c]',
        y: 'f64[c]',
        a: 'f64[c]',
        u: 'f64[c]',
      },
    },
    Dense: {
      of: ['m'],
      parts: {
        pair: 'Pair(m)',
        A: 'f64[m * m]',
        w: 'f64[m]',
        list: 'i32[m]',
        support: 'i32[m]',
        inner: 'Simplex(m)',
      },
    },
    Removal: {
      of: ['m', 'c'],
      parts: {
        pair: 'Pair(m)',
        A: 'f64[c * c]',
        w: 'f64[c]',
        list: 'i32[c]',
        support: 'i32[c]',
        inner: 'Simplex(c)',
      },
    },
    Estimate: {
      of: ['m', 'K'],
      parts: {
        pair: 'Pair(m)',
        A: 'f64[K * K]',
        inverse: 'f64[K * K]',
        w: 'f64[K]',
        y: 'f64[K]',
        a: 'f64[K]',
        u: 'f64[K]',
        lowest: 'f64[K]',
        list: 'i32[K]',
      },
    },
    Round: {
      of: ['K'],
      parts: {
        measure: 'Measure()',
        b: 'f64[K]',
        A: 'f64[K * K]',
        y: 'f64[K]',
        slots: 'i32[K]',
        steps: 'i32[K]',
        list: 'i32[K]',
      },
    },
    BoneSums: { of: ['m'], parts: { sums: 'f64[m]' } },
    /** Moments of two frames, a residual, and 3 × 3 matrices padded to ten numbers. */
    Rigid: {
      of: ['m'],
      parts: { frame: 'f64[12 * m]', next: 'f64[12 * m]', Y: 'f64[12]', H: 'f64[10]', rotation: 'f64[10]' },
    },
  },
  kernels: {
    /** Items are bones. M is S × m × 12, B is r × 3S. */
    projectBones: {
      arguments: {
        transforms: 'f64[S * m * 12]',
        basis: 'f64[r * 3 * S]',
        projected: 'f64[m * 4 * R]',
        m: 'i32',
        S: 'i32',
        r: 'i32',
        R: 'i32',
      },
    },
    /** Items are bones. */
    gramOfBones: { arguments: { transforms: 'f64[S * m * 12]', gram: 'f64[m * m * 10]', m: 'i32', S: 'i32' } },
    /** The best of the first `count` bones. */
    assignVertices: {
      extends: 'Vertices',
      arguments: { best: 'i32[items]', error: 'f64[items]', count: 'i32' },
      scratch: 'Pair(m)',
    },
    nearestBones: {
      extends: 'Vertices',
      arguments: { candidates: 'i32[items * count]', count: 'i32' },
      scratch: 'Pair(m)',
    },
    boneProducts: {
      arguments: {
        rest: 'f64[3 * items]',
        coefficients: 'f64[items * R]',
        projected: 'f64[m * 4 * R]',
        m: 'i32',
        R: 'i32',
        out: 'f64[items * m]',
      },
      scratch: 'Measure()',
    },
    measureWeights: { extends: 'Weights', scratch: 'Measure()' },
    weightsAmongCandidates: {
      extends: 'Prices',
      arguments: { candidates: 'i32[items * count]', count: 'i32', means: 'f64[items * count]?', lambda: 'f64' },
      scratch: 'Weight(m, count)',
    },
    weightsBySwaps: { extends: 'Swaps', scratch: 'Weight(m, K + 1)' },
    weightsByBestSwaps: { extends: 'Swaps', scratch: 'BestSwap(m, K + 1)' },
    weightsOverAll: { extends: 'Weights', scratch: 'Dense(m)' },
    /** Whole steps of 1/levels. */
    roundWeights: { extends: 'Weights', arguments: { levels: 'i32' }, scratch: 'Round(K)' },
    removalCosts: {
      extends: 'Weights',
      arguments: { costs: 'f64[m * chunks]', grain: 'i32' },
      scratch: 'Removal(m, K + 1)',
    },
    removalEstimates: {
      extends: 'Weights',
      arguments: { costs: 'f64[m * chunks]', grain: 'i32' },
      scratch: 'Estimate(m, K)',
    },
    diffuseCandidates: {
      arguments: {
        starts: 'i32[items + 1]',
        neighbours: 'i32[]',
        m: 'i32',
        K: 'i32',
        bones: 'i32[items * K]',
        weights: 'f64[items * K]',
        count: 'i32',
        candidates: 'i32[items * count]',
        own: 'f64',
        means: 'f64[items * count]?',
      },
      scratch: 'BoneSums(m)',
    },
    /** Items are chunks of `grain` vertices. */
    gatherMoments: { extends: 'Moments' },
    /** One item. */
    sumMoments: { extends: 'Moments' },
    /** Items are frames. */
    rigidBones: {
      arguments: {
        transforms: 'f64[S * m * 12]',
        basis: 'f64[r * 3 * S]',
        moments: 'f64[m * m * 10]',
        trajectoryMoments: 'f64[m * 4 * R]',
        m: 'i32',
        S: 'i32',
        r: 'i32',
        R: 'i32',
        sweeps: 'i32',
        locked: 'i32[m]',
        steadiness: 'f64',
      },
      scratch: 'Rigid(m)',
    },
    correctRest: {
      arguments: {
        rest: 'f64[3 * items]',
        coefficients: 'f64[items * R]',
        projected: 'f64[m * 4 * R]',
        gram: 'f64[m * m * 10]',
        m: 'i32',
        R: 'i32',
        K: 'i32',
        bones: 'i32[items * K]',
        weights: 'f64[items * K]',
        original: 'f64[3 * items]',
        stiffness: 'f64',
      },
      scratch: 'Measure()',
    },
  },
};
