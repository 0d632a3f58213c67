/**
 * Every number of the search for bones of a decomposition. None changes what is minimised; each changes which local minimum
 * is found, and how fast. `npm run bench -- sensitivity` halves and doubles them one by one.
 */
import type { MomentumPlan } from '../shared/search/bone-momentum.ts';
import type { Seeding } from '../shared/search/cluster-start.ts';

export interface FitPlan extends MomentumPlan {
  // Rounds.
  /** Rounds of diffusion at the start, and of swaps and of diffusion (a kick) in each following period. */
  readonly diffusing: number;
  readonly swapping: number;
  readonly kick: number;
  /** Maximum swaps per vertex and round. */
  readonly swaps: number;
  /** Sweeps over the rigid bones per round: four cost little compared to a weight step, and more gain nothing. */
  readonly sweeps: number;
  /** Final rounds on fixed supports. */
  readonly settling: number;
  /** Periods of slow progress before stopping: the first one after a kick may gain nothing. And of none at all. */
  readonly patience: number;
  readonly idle: number;
  /** Σ_i w_ij² below which a bone is unused and starts again where the error is largest, and how many do at most. */
  readonly support: number;
  readonly restarts: number;
  /** Share of the rounds after which the price of islands is at its end: the others converge with it. */
  readonly priced: number;

  // Clusters.
  /** Vertices that define a new bone. */
  readonly seed: number;
  /** Assign-and-refit iterations after each new cluster, and after the last. */
  readonly turns: number;
  readonly lastTurns: number;
  /** The second initialisation: vertices that define a bone, rings over which errors are averaged, and how many times the final weights per vertex it begins with. */
  readonly otherSeed: number;
  readonly otherRings: number;
  readonly otherSlots: number;

  // The sample on which bones are found.
  /** Vertices, at least so many per bone, and frames. */
  readonly vertices: number;
  readonly verticesPerBone: number;
  readonly frames: number;
  /** Rounds of each initialisation: the opening and a period; then, with the final weights per vertex, another period. */
  readonly openingRounds: number;
  readonly trialRounds: number;
  /** Rounds of the better initialisation before and after it breathes: periods of eight. */
  readonly settlingRounds: number;
  readonly finalRounds: number;
  /** A caller who asks for fewer rounds does not want a converged model: one initialisation, no breathing. */
  readonly convergedRounds: number;
  /** Rounds on the full mesh: at most four periods. */
  readonly fullRounds: number;
  /** Sweeps over the bones that carry the motion from sampled frames to those between. */
  readonly carrySweeps: number;
  /** Candidate bones of a vertex that is not in the sample. */
  readonly candidates: number;

  // Breathing.
  /** Share of the bones that the first breath adds, and the maximum number of breaths. */
  readonly breath: number;
  readonly breaths: number;
  /** Rounds with the added bones: of diffusion, so that they spread, and in all. */
  readonly inDiffusing: number;
  readonly inRounds: number;
  /** Rounds after the removal: a period of swaps; then, if the error is not hopeless, a kick and another period. */
  readonly outRounds: number;
  readonly outDiffusing: number;
  readonly outMoreRounds: number;
  /** Ratio of errors (E_RMS) to the best fit above which two more periods never fell below it. */
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
  /** Rounds before the next bone: the opening and almost two periods. Half as many fail. */
  readonly growingRounds: number;
  /** Sample vertices that define a grown bone, and rings over which errors are averaged to place it. */
  readonly grownSeed: number;
  readonly grownRings: number;
  /** With fewer bones clusters are enough. */
  readonly denseBones: number;

  // The number of bones.
  /** Initial number of clusters of a search by error; doubled while insufficient. */
  readonly stages: number;
  /** Initial estimate of a fit's error as a fraction of its clusters' error. */
  readonly share: number;
  /** Fits from clusters before bones are removed one by one, and rounds after each. */
  readonly fits: number;
  readonly pruningRounds: number;
  /** Maximum number of bones that `auto` considers, and the sample on which it does. */
  readonly kneeBones: number;
  readonly kneeVertices: number;
  readonly kneeFrames: number;
  /** Rounds of the first fit of `auto`: the opening and three periods; and after each bone that goes: one period. */
  readonly kneeRounds: number;
  readonly kneeStepRounds: number;
  /** A plateau of the error curve: this share of bones more leaves at least this share of the error. */
  readonly plateauBones: number;
  readonly plateauError: number;
  /** E_RMS of a fit that has found the bones of a rig, but not all digits of their motion. */
  readonly nearlyExact: number;

  // Locked weights.
  /** Sweeps over the bones per iteration, the relative progress of an iteration below which they end, and their maximum. */
  readonly lockedSweeps: number;
  readonly lockedProgress: number;
  readonly lockedTurns: number;
}

export const FIT_PLAN: FitPlan = {
  diffusing: 10,
  swapping: 5,
  kick: 3,
  swaps: 3,
  sweeps: 4,
  settling: 12,
  patience: 2,
  idle: 4,
  support: 3,
  restarts: 8,
  priced: 0.8,
  momentumGrowth: 1.15,
  momentumStep: 0.05,
  mostMomentum: 8,
  seed: 20,
  turns: 2,
  lastTurns: 4,
  otherSeed: 10,
  otherRings: 1,
  otherSlots: 1.5,
  vertices: 1500,
  verticesPerBone: 30,
  frames: 64,
  openingRounds: 15,
  trialRounds: 8,
  settlingRounds: 21,
  finalRounds: 45,
  convergedRounds: 60,
  fullRounds: 29,
  carrySweeps: 8,
  candidates: 12,
  breath: 0.25,
  breaths: 12,
  inDiffusing: 4,
  inRounds: 9,
  outRounds: 5,
  outDiffusing: 3,
  outMoreRounds: 8,
  hopeless: 1.07,
  worthwhile: 0.01,
  rings: 2,
  denseVertices: 2000,
  sparseWeights: 4,
  clustered: 0.7,
  growingRounds: 24,
  grownSeed: 40,
  grownRings: 6,
  denseBones: 6,
  stages: 32,
  share: 0.3,
  fits: 4,
  pruningRounds: 16,
  kneeBones: 64,
  kneeVertices: 800,
  kneeFrames: 32,
  kneeRounds: 31,
  kneeStepRounds: 5,
  plateauBones: 0.4,
  plateauError: 0.84,
  nearlyExact: 0.1,
  lockedSweeps: 16,
  lockedProgress: 1e-4,
  lockedTurns: 40,
};

/** Clusters one at a time, the next at the worst vertex. */
export function clusterSeeding({ seed, turns, lastTurns }: FitPlan): Seeding {
  return { vertices: seed, rings: 0, batch: 0, apart: 0.5, turns, lastTurns, steadiness: 0 };
}
