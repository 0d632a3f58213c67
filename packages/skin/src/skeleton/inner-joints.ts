/**
 * Joints inside the mesh. Where skin slides over bones, the error can be lowest with a joint outside of the body. Such a
 * joint is moved towards where its bones meet, until it is inside; rotations and weights are then solved again.
 *
 * Inside is where the winding number exceeds ½. A joint is left alone if the place where its bones meet is not inside
 * either, as in a cloth or an open shell.
 */
import type { SkeletonTree } from '@pelt/kernels';
import type { WindingNumber } from '../shared/mesh/winding-number.ts';

/** Halvings of the way between a point inside and one outside. */
const HALVINGS = 12;
/** Fraction of the way to the surface that is taken. */
const TAKEN = 0.8;

/**
 * The joints, with those outside moved inside; undefined if none has to move.
 *
 * @param joints  m × 3; the root's means nothing
 * @param places  m × 3, where each bone meets its parent
 */
export function innerJoints(
  winding: WindingNumber,
  { parents }: SkeletonTree,
  joints: Float64Array,
  places: Float64Array,
): Float64Array | undefined {
  let moved: Float64Array | undefined;
  for (let k = 0; k < parents.length; k++) {
    if (parents[k] < 0) continue;
    const along = (t: number) => [0, 1, 2].map((d) => places[3 * k + d] + t * (joints[3 * k + d] - places[3 * k + d]));
    const inside = (t: number) => {
      const [x, y, z] = along(t);
      return winding.at(x, y, z) > 0.5;
    };
    if (inside(1) || !inside(0)) continue;
    let [near, far] = [0, 1];
    for (let turn = 0; turn < HALVINGS; turn++) {
      const middle = 0.5 * (near + far);
      if (inside(middle)) near = middle;
      else far = middle;
    }
    moved ??= joints.slice();
    moved.set(along(TAKEN * near), 3 * k);
  }
  return moved;
}
