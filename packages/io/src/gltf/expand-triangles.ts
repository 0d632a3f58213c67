import { InputError } from '@pelt/model';

/**
 * A primitive's corners as plain triangles: glTF's strips and fans taken apart, in the order of section 3.7.2.1 of its
 * specification, every triangle counter-clockwise.
 */
export const TRIANGLES = 4;
export const TRIANGLE_STRIP = 5;
export const TRIANGLE_FAN = 6;

/**
 * @param mode      TRIANGLES, TRIANGLE_STRIP or TRIANGLE_FAN
 * @param corners   vertex indices in drawing order
 * @param vertices  how many vertices there are
 * @param where     begins the message
 * @return f × 3 vertex indices
 */
export function expandTriangles(
  mode: number,
  corners: ArrayLike<number>,
  vertices: number,
  where: string,
): Uint32Array {
  for (let k = 0; k < corners.length; k++) {
    if (corners[k] >= vertices) {
      throw new InputError(`${where}: index ${corners[k]} at ${k} is out of range, there are ${vertices} vertices`);
    }
  }
  if (mode === TRIANGLES) return Uint32Array.from(corners).subarray(0, corners.length - (corners.length % 3));
  const triangles: number[] = [];
  for (let k = 0; k + 2 < corners.length; k++) {
    if (mode === TRIANGLE_FAN) triangles.push(corners[k + 1], corners[k + 2], corners[0]);
    // Every second triangle of a strip comes the other way round.
    else triangles.push(corners[k], corners[k + 1 + (k % 2)], corners[k + 2 - (k % 2)]);
  }
  return Uint32Array.from(withoutDegenerate(triangles));
}

/** A strip jumps by triangles with two equal corners: they are joints, not surface. */
function withoutDegenerate(triangles: readonly number[]): number[] {
  const kept: number[] = [];
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = triangles.slice(k, k + 3);
    if (a !== b && b !== c && c !== a) kept.push(a, b, c);
  }
  return kept;
}
