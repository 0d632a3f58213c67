/** How far a fit has moved the rest pose. */
import { distance3 } from '@pelt/math';
import type { Mesh } from '@pelt/model';

/** Displacement of a rest pose. */
export interface RestDisplacement {
  /** Root mean square, in the unit of the E_RMS of the frames, so that the two can be compared. */
  readonly eRms: number;
  /** Largest displacement of a vertex, in model units. */
  readonly max: number;
}

/** @param radius  of the rest pose's enclosing ball, in model units */
export function restDisplacement(given: Mesh, moved: Mesh, radius: number): RestDisplacement {
  let [sum, max] = [0, 0];
  for (let k = 0; k < given.positions.length; k += 3) {
    const squared = distance3(given.positions, k, moved.positions, k) ** 2;
    sum += squared;
    max = Math.max(max, squared);
  }
  return { eRms: (1000 * Math.sqrt(sum / given.positions.length)) / radius, max: Math.sqrt(max) };
}
