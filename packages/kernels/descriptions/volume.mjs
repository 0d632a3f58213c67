/**
 * Tetrahedra in blocks of pairs: first pair and first entry of each block and the ends, the list of vertices of the blocks,
 * corners of the pairs. Sums have four numbers per entry of the list, of which copies of a vertex are found by `copies`.
 */
export default {
  shared: {
    /** Items are blocks. */
    Blocks: {
      arguments: { pairStarts: 'i32[items + 1]', listStarts: 'i32[items + 1]', list: 'i32[]', corners: 'i32[]' },
    },
    /** Gradient operators, stretches (if any), and where the vertices are. */
    Bodies: {
      extends: 'Blocks',
      arguments: { operators: 'f64[]', shapes: 'f64[]?', positions: 'f64[]', sums: 'f64[]', mostVertices: 'i32' },
    },
  },
  scratch: {
    /** Room for the rotation of a flat tetrahedron, a block's own copies of vertices and of their Laplacians. */
    Block: { of: ['vertices'], parts: { room: 'f64[10]', local: 'f64[8 * vertices]' } },
  },
  kernels: {
    /**
     * `weight` of the volume, mean dilatations of vertices, rotations of bones (pairs × 8) with their weight κ, and for
     * bending: Laplacians at rest, sums of turned ones, whether a pair touches the surface.
     */
    volumeTargets: {
      extends: 'Bodies',
      arguments: {
        weight: 'f64',
        dilatations: 'f64[]',
        quaternions: 'f64[]?',
        prior: 'f64',
        laplacians: 'f64[]?',
        turned: 'f64[]?',
        touches: 'i32[]?',
      },
      scratch: 'Block(mostVertices)',
    },
    volumeDilatation: { extends: 'Bodies', scratch: 'Block(mostVertices)' },
    /** Items are vertices. */
    volumeDilatationOfVertices: {
      arguments: {
        starts: 'i32[items + 1]',
        copies: 'i32[]',
        sums: 'f64[]',
        inverses: 'f64[items]',
        out: 'f64[items]',
      },
    },
    /** Items are rows of a sparse matrix. */
    volumeAverage: {
      arguments: { starts: 'i32[items + 1]', columns: 'i32[]', values: 'f64[]', x: 'f64[items]', out: 'f64[items]' },
    },
    volumeRotations: { extends: 'Blocks', arguments: { quaternions: 'f64[]', out: 'f64[]' } },
    /** Items are vertices of the surface. */
    volumeBend: {
      arguments: {
        vertices: 'i32[items]',
        starts: 'i32[]',
        copies: 'i32[]',
        turned: 'f64[]',
        neighbourStarts: 'i32[items + 1]',
        neighbours: 'i32[]',
        positions: 'f64[]',
        stiffness: 'f64',
        out: 'f64[3 * items]',
      },
    },
    /** Items are free vertices; the last four for bending. */
    volumeGather: {
      arguments: {
        free: 'i32[items]',
        starts: 'i32[]',
        copies: 'i32[]',
        sums: 'f64[]',
        out: 'f64[3 * items]',
        surface: 'i32[]?',
        neighbourStarts: 'i32[]?',
        neighbours: 'i32[]?',
        misses: 'f64[]?',
      },
    },
    /** Items are free vertices. */
    volumePlace: {
      arguments: { values: 'f64[3 * items]', free: 'i32[items]', positions: 'f64[]', copy: 'f64[3 * items]?' },
    },
    /** Items are pairs of vertices; histories have `slots` rows of `stride` bytes. */
    volumeMeasure: {
      arguments: {
        y: 'f64[6 * items]',
        look: 'f64[6 * items]',
        lastY: 'f64[6 * items]',
        lastMiss: 'f64[6 * items]',
        misses: 'f64[6 * items * slots]',
        steps: 'f64[6 * items * slots]',
        stride: 'bytes',
        slots: 'i32',
        slot: 'i32',
        sums: 'f64[(5 + 3 * slots) * chunks]',
        grain: 'i32',
      },
    },
    /** Items are pairs of vertices. */
    volumeLookAhead: {
      arguments: {
        y: 'f64[6 * items]',
        look: 'f64[6 * items]',
        steps: 'f64[6 * items * slots]',
        stride: 'bytes',
        slots: 'i32',
        factors: 'f64[slots]',
      },
    },
  },
};
