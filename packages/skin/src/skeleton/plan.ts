/**
 * Every number of the search for a skeleton. None changes what is minimised; each changes which local minimum is found, and
 * how fast. `npm run bench -- sensitivity` halves and doubles them one by one.
 */
import type { Seeding } from '../shared/search/cluster-start.ts';

export interface SkeletonPlan {
  // Rounds.
  /** Maximum swaps per vertex and round. */
  readonly swaps: number;
  /** Final rounds on fixed supports. */
  readonly settling: number;
  /** Initial sweeps, and as many Gauss–Newton steps, for the rotations. */
  readonly firstTurns: number;
  /** The pull to places that are given, relative to that to where bones meet, which is a rougher estimate. */
  readonly anchored: number;
  /** Growth of the pull on a joint outside of the mesh, per round; after eight rounds it grows no more. */
  readonly pullGrowth: number;
  /** Fraction of the squared error that a joint inside the mesh may cost. */
  readonly outside: number;

  // Clusters and pruning.
  /** Vertices that define a cluster, clusters seeded at once relative to those placed, and how far apart they are. */
  readonly seed: number;
  readonly batch: number;
  readonly apart: number;
  /** Assign-and-refit iterations after each batch, and after the last. */
  readonly turns: number;
  readonly lastTurns: number;
  /** Proximal term of the rotations of clusters, in squared radii. */
  readonly steadiness: number;
  /** Maximum weights per vertex while bones are pruned, and sweeps over them per round. */
  readonly slots: number;
  readonly sweeps: number;
  /** Rounds of diffusion before the first removal; half as many, and two per swap of swaps, after the last. */
  readonly opening: number;
  /** Bones removed at a time: fraction of all bones, or of those above the maximum. */
  readonly shareOfAll: number;
  readonly shareOfSurplus: number;
  /** Two bones whose overlap exceeds this fraction of the smaller one are not removed together. */
  readonly overlap: number;
  /** How far the objective may rise above its minimum before pruning ends: absolute, and in multiples of the worth of a bone. */
  readonly patience: number;
  readonly patienceBones: number;

  // A number of bones that the motion decides.
  /** Clusters to prune from. */
  readonly clusters: number;
  /**
   * If pruning keeps more than this share of the clusters, it had too few to choose from and starts again from twice as
   * many, up to the default number: on cloth, pruning would keep most of any number.
   */
  readonly mostKept: number;

  // Bones of linear blends (subspace-start.ts), in twice as many frames as a search for a given number of bones has.
  /** Vertices that are sampled, patches of them, vertices of a patch, and those whose rigid motion a search starts from. */
  readonly patchedVertices: number;
  readonly patches: number;
  readonly patchVertices: number;
  readonly startVertices: number;
  /** How often the patches of largest error are searched again, how many of them, and numbers of vertices to start from. */
  readonly patchTurns: number;
  readonly worstPatches: number;
  readonly laterStarts: readonly number[];
  /** Largest root mean square of RᵀR − I of a rotation, and radians between two that are of one bone. */
  readonly mostStrain: number;
  readonly sameRotation: number;
  /** Rounds of weights and translations. */
  readonly subspaceRounds: number;
  /** Σ_i w_ij² of a bone that moves skin, relative to the number of vertices. */
  readonly leastShare: number;
  /** Root mean square error of a start that is taken without another search, relative to the diagonal of the rest pose. */
  readonly nearlyExact: number;
  /** Rounds of such a start over all vertices and frames, whose joints are known. */
  readonly exactRounds: number;

  /** Fraction by which the root mean square error may rise for bones in mirrored pairs. */
  readonly paired: number;
  /** Frames of the sample on which they are searched for; it has four times the vertices of that for a given number. */
  readonly autoFrames: number;

  // A number of bones that is given.
  /** Vertices and frames of the sample on which bones are searched for. */
  readonly vertices: number;
  readonly frames: number;
  /** Bones to begin with, relative to those wanted, and clusters from which they are pruned. */
  readonly surplus: number;
  readonly clustersPerBone: number;
  /** Clusters of another start, for any number of bones. */
  readonly manyClusters: number;
  /** Bones or places that are tried, and rounds of each trial. */
  readonly trials: number;
  readonly trialRounds: number;
  /** Rounds for the best of the trials, and for each skeleton that has the number of bones wanted. */
  readonly settlingRounds: number;
  readonly fullRounds: number;
  /** Rounds for bones that were joined just now: if more are to be removed, and if they are as many as wanted. */
  readonly firstRounds: number;
  readonly joinedRounds: number;
  /** Rounds with twice as many weights per vertex, for the places of joints. */
  readonly freerRounds: number;
  /** Maximum number of swings, and the fraction by which one must lower the error to be taken. */
  readonly swings: number;
  readonly swingGain: number;
  /** Fraction of the squared error that a bone may cost to have a mirror image, and to be of use. */
  readonly unpaired: number;
  readonly untidy: number;
  /** Vertices of a new bone relative to the mean of all, and at least so many; rings over which errors are averaged to place it. */
  readonly patch: number;
  readonly leastPatch: number;
  readonly rings: number;
  /** Fraction by which a bone must lower the error. */
  readonly worthOfGiven: number;

  // All vertices.
  /** Rounds after bones were removed, and how often that is done at most. */
  readonly tidyRounds: number;
  readonly tidyings: number;
  /** Alternations of joints and rotations per round, where weights take most of the time. */
  readonly jointTurns: number;
  /** Least distance of two joints of which one hardly bends, relative to the diagonal of the rest pose. */
  readonly jointsApart: number;
  /** Σ_i w_ij² below which a bone moves nothing, and below which it moves so little that it has to bend as well. */
  readonly noMass: number;
  readonly leastMass: number;
}

export const SKELETON_PLAN: SkeletonPlan = {
  swaps: 3,
  settling: 8,
  firstTurns: 3,
  anchored: 10,
  pullGrowth: 3,
  outside: 0.1,
  seed: 20,
  batch: 0.5,
  apart: 1.5,
  turns: 2,
  lastTurns: 3,
  steadiness: 1e-5,
  slots: 8,
  sweeps: 4,
  opening: 8,
  shareOfAll: 0.08,
  shareOfSurplus: 0.15,
  overlap: 0.05,
  patience: 0.15,
  patienceBones: 10,
  clusters: 90,
  mostKept: 0.6,
  patchedVertices: 1500,
  patches: 150,
  patchVertices: 64,
  startVertices: 8,
  patchTurns: 2,
  worstPatches: 16,
  laterStarts: [4, 16],
  mostStrain: 1e-4,
  sameRotation: 0.01,
  subspaceRounds: 10,
  leastShare: 5e-4,
  nearlyExact: 6e-4,
  exactRounds: 3,
  paired: 0.25,
  autoFrames: 64,
  vertices: 1000,
  frames: 48,
  surplus: 1.25,
  clustersPerBone: 2.2,
  manyClusters: 100,
  trials: 6,
  trialRounds: 4,
  settlingRounds: 9,
  fullRounds: 27,
  firstRounds: 19,
  joinedRounds: 43,
  freerRounds: 108,
  swings: 16,
  swingGain: 1e-4,
  unpaired: 0.02,
  untidy: 0.1,
  patch: 1 / 3,
  leastPatch: 8,
  rings: 3,
  worthOfGiven: 1e-3,
  tidyRounds: 22,
  tidyings: 4,
  jointTurns: 2,
  jointsApart: 0.02,
  noMass: 1e-4,
  leastMass: 0.1,
};

/** Clusters in batches, many of which are pruned later. */
export function batchSeeding({ seed, batch, apart, turns, lastTurns, steadiness }: SkeletonPlan): Seeding {
  return { vertices: seed, rings: 0, batch, apart, turns, lastTurns, steadiness };
}
