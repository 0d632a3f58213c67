/**
 * Every number of the search for bones of a decomposition. None changes what is minimised; each changes which local minimum
 * is found, and how fast. `npm run bench -- sensitivity` halves and doubles them one by one; those that did nothing on any
 * animation have become what follows from the others (docs/experiments/search-numbers.md).
 */
import type { Seeding } from '../shared/search/cluster-start.ts';

export interface FitPlan {
  // Rounds.
  /** Rounds of diffusion at the start, and of swaps and of diffusion (a kick) in each following period. */
  readonly diffusing: number;
  readonly swapping: number;
  readonly kick: number;
  /** Maximum swaps per vertex and round. */
  readonly swaps: number;
  /** Sweeps over the rigid bones per round. */
  readonly sweeps: number;
  /** Σ_i w_ij² below which a bone is unused and starts again where the error is largest. */
  readonly support: number;
  /** Share of the rounds after which the price of islands is at its end: the others converge with it. */
  readonly priced: number;

  // Clusters.
  /** Vertices that define a new bone. */
  readonly seed: number;
  /** Assign-and-refit iterations after each new cluster. */
  readonly turns: number;
  /** The second initialisation begins with so many times the final weights per vertex. */
  readonly otherSlots: number;

  // The sample on which bones are found.
  readonly vertices: number;
  readonly frames: number;

  // Breathing.
  /** Share of the bones that the first breath adds. */
  readonly breath: number;
  /** Rounds of diffusion with the added bones, so that they spread. */
  readonly spreading: number;
  /** Ratio of errors (E_RMS) to the best fit above which another period after the removal never fell below it. */
  readonly hopeless: number;
  /** Share of the squared error that a breath must gain for another one of as many bones. */
  readonly worthwhile: number;
  /** Rings over which errors are averaged to find where bones are missing. */
  readonly rings: number;

  // Dense weights.
  /** Vertices of the sample, and weights per vertex of the sparse initialisation. */
  readonly denseVertices: number;
  readonly sparseWeights: number;
  /** Fraction of the bones that the grown initialisation takes from clusters. */
  readonly clustered: number;
  /** With fewer bones clusters are enough. */
  readonly denseBones: number;

  // The number of bones.
  /** Initial estimate of a fit's error as a fraction of its clusters' error. */
  readonly share: number;
  /** Fits from clusters before bones are removed one by one. */
  readonly fits: number;
  /** Maximum number of bones that `auto` considers, and the vertices of the sample on which it does. */
  readonly kneeBones: number;
  readonly kneeVertices: number;
  /** A plateau of the error curve: this share of bones more leaves at least this share of the error. */
  readonly plateauBones: number;
  readonly plateauError: number;
  /** E_RMS of a fit that has found what there is, but not all digits of its motion. */
  readonly nearlyExact: number;
}

export const FIT_PLAN: FitPlan = {
  diffusing: 10,
  swapping: 5,
  kick: 3,
  swaps: 3,
  sweeps: 4,
  support: 3,
  priced: 0.8,
  seed: 20,
  turns: 2,
  otherSlots: 1.5,
  vertices: 1500,
  frames: 64,
  breath: 0.25,
  spreading: 4,
  hopeless: 1.07,
  worthwhile: 0.01,
  rings: 2,
  denseVertices: 2000,
  sparseWeights: 4,
  clustered: 0.7,
  denseBones: 6,
  share: 0.3,
  fits: 4,
  kneeBones: 64,
  kneeVertices: 800,
  plateauBones: 0.4,
  plateauError: 0.84,
  nearlyExact: 0.1,
};

/** Rounds of every stage of a search: whole periods, which end with swaps. */
export function roundsOf({ diffusing, swapping, kick, spreading }: FitPlan) {
  const opening = diffusing + swapping;
  const period = swapping + kick;
  const ending = (periods: number) => periods * period + swapping;
  return {
    opening,
    period,
    /** Before and after the better initialisation breathes, and then on the full mesh. */
    unbreathed: ending(2),
    breathed: ending(5),
    onAll: ending(2),
    /** A caller who asks for fewer rounds does not want a converged model: one initialisation, no breathing. */
    converged: opening + ending(5),
    /** With the bones of a breath. */
    grown: spreading + swapping,
    /** Before the next bone of a dense fit is added: fewer fail. */
    growing: 3 * period,
    /** Before bones are removed one by one for the curve of errors, and after a bone that a limit of the error lets go. */
    counting: opening + 2 * period,
    pruning: 2 * period,
    /** On fixed supports, last of all. */
    settling: 1.5 * period,
  };
}

/** Clusters one at a time, the next at the worst vertex. */
export function clusterSeeding({ seed, turns }: FitPlan): Seeding {
  return { vertices: seed, rings: 0, batch: 0, apart: 0.5, turns, lastTurns: 2 * turns, steadiness: 0 };
}
