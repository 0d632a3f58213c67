/** Skinning at run time: linear blending, morph targets, displacements, palettes. */
export default {
  kernels: {
    linearBlend: {
      arguments: {
        rest: 'f32[3 * items]',
        bones: 'u16[items * K]',
        weights: 'f32[items * K]',
        K: 'i32',
        columns: 'f32[]',
        out: 'f32[3 * items]',
      },
    },
    /** Items are groups of four numbers. */
    addMorphTargets: {
      arguments: {
        rest: 'f32[4 * items]',
        deltas: 'f32[targets * stride]',
        targets: 'i32',
        stride: 'i32',
        shares: 'f32[targets]',
        out: 'f32[4 * items]',
      },
    },
    /** Records of vertices with `groups` of eight displacements. */
    displaceVertices: { arguments: { records: 'u8[items * (32 + 24 * groups)]', groups: 'i32' } },
    /** Items are transforms. */
    paletteProduct: {
      arguments: {
        starts: 'u32[items + 1]',
        places: 'u32[]',
        entries: 'f32[]',
        numbers: 'f32[]',
        out: 'f32[12 * items]',
      },
    },
  },
};
