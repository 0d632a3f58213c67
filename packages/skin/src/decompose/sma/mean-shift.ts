/**
 * Mean shift with a flat kernel: every point ascends the density f(z) = Σ_j k(‖z − z_j‖²/h²) to a mode by moving to the
 * mean of the points within the bandwidth h until it converges. Modes closer than h are merged. Points close to a
 * trajectory end at the same mode and are not iterated themselves.
 *
 * References: Cheng. Mean shift, mode seeking, and clustering. 1995. Christoudias, Georgescu, Meer. Synergism in low
 * level vision. 2002 (points near a trajectory). Le, Deng. Mesh animation decomposition and compression. SIGGRAPH course
 * 2014, equation 12.
 */
import type { KdTree } from '@pelt/math';
import { checkCancelled, type RunContext } from '@pelt/model';

export interface Modes {
  /** modes × d, by decreasing mass */
  readonly centres: Float64Array;
  /** g, the mode that each point ascends to */
  readonly modeOf: Int32Array;
}

/** Convergence: step length relative to the bandwidth. */
const RESTING_STEP = 1e-3;
const MOST_STEPS = 100;
/** Points within this fraction of the bandwidth of a trajectory share its mode. */
const TAKEN_ALONG = 0.2;

/**
 * @param tree     over `points`
 * @param points   g × dimension
 * @param weights  g
 */
export function meanShift(
  tree: KdTree,
  points: Float64Array,
  weights: Float64Array,
  bandwidth: number,
  context?: RunContext,
): Modes {
  const { dimension } = tree;
  const ends: Float64Array[] = [];
  const mass: number[] = [];
  const endOf = new Int32Array(weights.length).fill(-1);
  const taken = (TAKEN_ALONG * bandwidth) ** 2;
  for (let k = 0; k < weights.length; k++) {
    if (endOf[k] >= 0) continue;
    checkCancelled(context);
    const z = points.slice(k * dimension, (k + 1) * dimension);
    endOf[k] = ends.length;
    let total = 0;
    for (let step = 0; step < MOST_STEPS; step++) {
      const mean = new Float64Array(dimension);
      total = 0;
      for (const other of tree.within(z, 0, bandwidth)) {
        const at = other * dimension;
        const weight = weights[other];
        total += weight;
        let squared = 0;
        for (let d = 0; d < dimension; d++) {
          const x = points[at + d];
          mean[d] += weight * x;
          squared += (x - z[d]) ** 2;
        }
        if (squared <= taken && endOf[other] < 0) endOf[other] = ends.length;
      }
      let moved = 0;
      for (let d = 0; d < dimension; d++) {
        const next = mean[d] / total;
        moved += (next - z[d]) ** 2;
        z[d] = next;
      }
      if (moved <= (RESTING_STEP * bandwidth) ** 2) break;
    }
    ends.push(z);
    mass.push(total);
  }
  return mergeEnds(ends, mass, endOf, bandwidth);
}

/** Ends in order of mass: one within the bandwidth of previous modes joins the nearest, any other is a new mode. */
function mergeEnds(
  ends: readonly Float64Array[],
  mass: readonly number[],
  endOf: Int32Array,
  bandwidth: number,
): Modes {
  const order = Array.from(mass.keys()).sort((a, b) => mass[b] - mass[a] || a - b);
  const modes: Float64Array[] = [];
  const modeOfEnd = new Int32Array(ends.length);
  for (const k of order) {
    let nearest = -1;
    let least = bandwidth * bandwidth;
    modes.forEach((mode, index) => {
      let squared = 0;
      for (let d = 0; d < mode.length; d++) squared += (ends[k][d] - mode[d]) ** 2;
      if (squared < least) {
        least = squared;
        nearest = index;
      }
    });
    if (nearest < 0) nearest = modes.push(ends[k]) - 1;
    modeOfEnd[k] = nearest;
  }
  const centres = new Float64Array(modes.length * (ends[0]?.length ?? 0));
  modes.forEach((mode, k) => {
    centres.set(mode, k * mode.length);
  });
  return { centres, modeOf: endOf.map((end) => modeOfEnd[end]) };
}
