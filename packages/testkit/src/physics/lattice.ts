/**
 * A lattice of masses and springs that hangs on moving bones: small enough to be integrated with steps far below its
 * shortest period, and to have its modes computed by a dense eigenanalysis.
 *
 * Springs are linear along their direction. A mass may be tied to the point that a bone carries: rigidly (it follows the
 * bone) or by a spring in all directions. Damping is Rayleigh's, αM + βK, with α measured against the carried points.
 */
import { symmetricEigen } from '@pelt/math';

export interface Spring {
  readonly a: number;
  readonly b: number;
  readonly stiffness: number;
}

export interface Lattice {
  /** n × 3, where nothing pulls */
  readonly positions: Float64Array;
  /** n */
  readonly masses: Float64Array;
  readonly springs: readonly Spring[];
  /** n × m weights of the bones that carry the point to which a mass is tied */
  readonly carriers: Float64Array;
  /** n stiffnesses of the tie; Infinity for a mass that follows its bone, 0 for a free one */
  readonly ties: Float64Array;
  /** α, per second */
  readonly drag: number;
  /** β, seconds */
  readonly viscosity: number;
}

/** Undamped frequency in Hz and damping ratio. */
export interface Mode {
  readonly frequency: number;
  readonly damping: number;
}

/** The lattice with all stiffnesses scaled so that its lowest mode has the given frequency in Hz. */
export function tuned(lattice: Lattice, frequency: number): Lattice {
  const factor = (frequency / modesOf(lattice)[0].frequency) ** 2;
  return {
    ...lattice,
    springs: lattice.springs.map((spring) => ({ ...spring, stiffness: factor * spring.stiffness })),
    ties: lattice.ties.map((tie) => factor * tie),
  };
}

/** Modes about the rest shape by the eigenvalues of M^(−1/2) K M^(−1/2), lowest first. */
export function modesOf({ positions, masses, springs, ties, drag, viscosity }: Lattice): Mode[] {
  const free = Array.from(ties.keys()).filter((i) => ties[i] !== Number.POSITIVE_INFINITY);
  const place = new Map(free.map((i, k) => [i, k]));
  const size = 3 * free.length;
  const K = new Float64Array(size * size);
  const add = (i: number, j: number, r: number, c: number, value: number) => {
    const [a, b] = [place.get(i), place.get(j)];
    if (a === undefined || b === undefined) return;
    K[(3 * a + r) * size + 3 * b + c] += value / Math.sqrt(masses[i] * masses[j]);
  };
  for (const { a, b, stiffness } of springs) {
    const d = [0, 1, 2].map((c) => positions[3 * b + c] - positions[3 * a + c]);
    const square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        const value = (stiffness * d[r] * d[c]) / square;
        add(a, a, r, c, value);
        add(b, b, r, c, value);
        add(a, b, r, c, -value);
        add(b, a, r, c, -value);
      }
    }
  }
  for (const i of free) for (let c = 0; c < 3; c++) add(i, i, c, c, ties[i]);
  return Array.from(symmetricEigen(K, size).values, (value) => {
    const omega = Math.sqrt(Math.max(0, value));
    const damping = omega > 0 ? 0.5 * (drag / omega + viscosity * omega) : 0;
    return { frequency: omega / (2 * Math.PI), damping };
  });
}
