/**
 * The first layer of a two-layer skin on the GPU: V_r = Σⱼ D_jr Mⱼ for all virtual bones, of one mesh or of all instances
 * of a crowd. Only the master bones are uploaded.
 *
 * Reference: Le, Deng. Two-layer sparse compression of dense-weight blend skinning. 2013.
 */
import { float, int, vec4 } from 'three/tsl';
import type { PeltModel } from '../model/pelt-model.ts';
import { TexelPass } from './texel-pass.ts';
import { PALETTE_ROW, type PaletteNode, paletteSize, type TexelTable } from './texel-table.ts';

function masterTexelsPerBone({ masters }: PeltModel): number {
  return Math.ceil((masters?.slots ?? 0) / 2);
}

/** Two masters a texel: joint and weight of each. */
export function masterTexels(model: PeltModel): Float32Array {
  const { added, masters } = model;
  if (!masters) return new Float32Array(0);
  const perBone = masterTexelsPerBone(model);
  const out = new Float32Array(4 * perBone * added);
  for (let r = 0; r < added; r++) {
    for (let s = 0; s < masters.slots; s++) {
      const at = 4 * (r * perBone + (s >> 1)) + 2 * (s & 1);
      out[at] = masters.bones[r * masters.slots + s];
      out[at + 1] = masters.weights[r * masters.slots + s];
    }
  }
  return out;
}

/**
 * A pass over palettes of virtual bones, one below the other: texel (x, y) is a row of a bone, the same row of its
 * masters blended.
 *
 * @param source   palettes of the masters, one below the other as well
 * @param masters  of `masterTexels`
 */
export function blendVirtualBones(model: PeltModel, source: PaletteNode, masters: TexelTable): TexelPass {
  const perBone = masterTexelsPerBone(model);
  const { height } = paletteSize(model.added, 3);
  return new TexelPass('pelt virtual bones', (x, y) => {
    // Whole quotients by float: integer division is slow on GPUs, and these numbers are small.
    const palette =
      height === 1
        ? y
        : int(
            float(y)
              .add(0.5)
              .mul(1 / height),
          ).toVar();
    const column = int(
      float(x)
        .add(0.5)
        .mul(1 / 3),
    ).toVar();
    const row = x.sub(column.mul(int(3))).toVar();
    const line = y.sub(palette.mul(int(height)));
    const bone = line.mul(int(PALETTE_ROW)).add(column).mul(int(perBone)).toVar();
    const top = palette.mul(int(source.rows)).toVar();
    const sum = vec4(0).toVar();
    for (let k = 0; k < perBone; k++) {
      const pair = masters.at(bone.add(int(k))).toVar();
      sum.addAssign(source.texel(int(pair.x), row, top).mul(pair.y));
      sum.addAssign(source.texel(int(pair.z), row, top).mul(pair.w));
    }
    return sum;
  });
}
