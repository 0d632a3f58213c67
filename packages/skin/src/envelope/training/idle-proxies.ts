/**
 * Leaves out the proxies that move no vertex. Where linear blending serves most of a character, proxies are decomposed for
 * all of it but used by the rest alone, and the matrices that drive them are the largest part of a file.
 */
import type { ReducedEnvelope } from '@pelt/model';

/** Rows of the driving matrices for each proxy. */
const ROWS = 4;

export function withoutIdleProxies(reduced: ReducedEnvelope): ReducedEnvelope {
  const { proxies: P, skin, fromKeys, fromBones } = reduced;
  const isUsed = new Uint8Array(P);
  skin.weights.forEach((weight, k) => {
    if (weight > 0 && skin.bones[k] < P) isUsed[skin.bones[k]] = 1;
  });
  const used = Uint16Array.from(isUsed.keys()).filter((p) => isUsed[p] === 1);
  if (used.length === P) return reduced;
  const numbers = new Map(Array.from(used, (p, k) => [p, k]));
  const idle = P - used.length;
  return {
    ...reduced,
    proxies: used.length,
    fromKeys: rowsOf(fromKeys, fromKeys.length / P, used),
    fromBones: rowsOf(fromBones, fromBones.length / P, used),
    skin: {
      ...skin,
      // What stands behind the proxies moves up; slots without weight may name anything, and name the first.
      bones: skin.bones.map((bone, k) => {
        if (skin.weights[k] === 0) return 0;
        return bone < P ? (numbers.get(bone) as number) : bone - idle;
      }),
    },
  };
}

/** @param size  numbers for each proxy, `ROWS` rows of them */
function rowsOf(matrix: Float64Array, size: number, used: Uint16Array): Float64Array {
  if (size % ROWS !== 0) throw new RangeError(`a proxy has ${size} numbers, which are not ${ROWS} rows`);
  const out = new Float64Array(size * used.length);
  used.forEach((p, k) => {
    out.set(matrix.subarray(p * size, (p + 1) * size), k * size);
  });
  return out;
}
