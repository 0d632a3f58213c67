/**
 * Which bones, and how many: minimise τm + log √(E + ε) over the number m of bones, E the squared error of a fit with
 * loose rigid bones. A bone must lower the error by the share τ to be worth having, and errors below ε count as none.
 *
 * From more clusters than needed, the bones that cost least to do without are taken away, a few at a time and never two
 * that could stand in for each other, with rounds of weights and bones in between. A bone in the wrong place cannot leave
 * it by descent, but one of many can be done without. Vertices have up to eight weights meanwhile: where many bones blend,
 * four would make extra bones pay that are no bones of the skeleton (with four, the known rig of a wolf is found with 10
 * of its 16 joints; with eight, 15).
 *
 * Pruning by degenerate weights (the paper's equation 30) was tried: it ends at 24 to 36 bones, after the number it
 * began with. The cost of removal does not depend on it so.
 *
 * Reference: Le, Deng. Mesh animation decomposition and compression. SIGGRAPH course 2014, section 2.3.2.
 */
import type { SkinningSystem } from '@pelt/math';
import { checkCancelled, type RunContext } from '@pelt/model';
import type { FitProblem } from '../decompose/fit-problem.ts';
import { growClusters } from './grow-clusters.ts';
import type { WeightSteps } from './weight-steps.ts';

export interface PruneOptions {
  /** Clusters to begin with. */
  readonly clusters: number;
  /** Most bones that may be left. */
  readonly bones: number;
  /** τ, the share by which a bone must lower the error. */
  readonly worth: number;
  /** ε, the total squared error that counts as none. */
  readonly negligible: number;
  /** How much the input's rest pose counts, in frames. */
  readonly restStiffness: number;
}

/** Most weights a vertex during the search. */
export const SEARCH_SLOTS = 8;
/** Rounds of diffusion before the first bone goes. */
const OPENING = 8;
/** Bones that go at a time: a share of all, and of what there is beyond the most allowed. */
const SHARE_OF_ALL = 0.08;
const SHARE_OF_SURPLUS = 0.15;
/** Two bones that overlap by more than this share of the smaller do not go together. */
const OVERLAP = 0.05;
/** How far above its lowest value the objective may rise before the search ends, also in bones' worth. */
const PATIENCE = 0.15;
const PATIENCE_BONES = 10;
/** Rounds of diffusion and of swaps over the bones that are left. */
const CLOSING_DIFFUSION = 4;
const CLOSING_SWAPS = 6;
const BONE_SWEEPS = 4;

/** The caller disposes the system. */
export function prunedBones(
  problem: FitProblem,
  steps: WeightSteps,
  options: PruneOptions,
  context: RunContext | undefined,
): SkinningSystem {
  const { numerics, graph } = problem;
  const { restStiffness, negligible, worth } = options;
  const patience = Math.max(PATIENCE, PATIENCE_BONES * worth);
  const bones = Math.min(options.bones, options.clusters, problem.n);
  let system = problem.system(Math.min(options.clusters, problem.n), SEARCH_SLOTS);
  let found: { system: SkinningSystem; value: number } | undefined;
  const drop = (other: SkinningSystem) => {
    if (other !== found?.system) other.dispose();
  };
  try {
    growClusters(system, numerics, graph, context);
    const first = system.m;
    const round = (weights: () => void) => {
      checkCancelled(context);
      weights();
      solveLoose(system, restStiffness);
    };
    for (let k = 0; k < OPENING; k++) round(() => steps.diffuse(system));
    for (;;) {
      round(() => steps.swap(system, 1));
      round(() => steps.diffuse(system));
      round(() => steps.diffuse(system));
      steps.swap(system, 1);
      const error = system.totalError();
      const value = worth * system.m + 0.5 * Math.log(error + negligible);
      if (system.m <= bones && (!found || value < found.value)) {
        found?.system.dispose();
        found = { system, value };
      }
      context?.onProgress?.({
        stage: 'finding bones',
        fraction: Math.min((first - system.m + 1) / (first > bones ? first - bones + 1 : first), 1),
        detail: `${system.m} bones, E_RMS ${problem.eRms(error).toFixed(3)}`,
      });
      if (system.m === 1 || (found && value > found.value + patience)) break;
      const fewer = without(system, bones);
      drop(system);
      system = fewer;
    }
    if (!found) throw new RangeError('prunedBones: no bones were left');
    drop(system);
    system = found.system;
    found = undefined;
    for (let k = 0; k < CLOSING_DIFFUSION; k++) round(() => steps.diffuse(system));
    for (let k = 0; k < CLOSING_SWAPS; k++) round(() => steps.swap(system, 1));
    steps.swap(system, 1);
    return system;
  } catch (error) {
    if (found && found.system !== system) found.system.dispose();
    system.dispose();
    throw error;
  }
}

/** Rest pose and loose rigid bones for the weights at hand. */
function solveLoose(system: SkinningSystem, restStiffness: number): void {
  if (restStiffness !== Number.POSITIVE_INFINITY) system.correctRest(restStiffness);
  system.solveRigidBones(BONE_SWEEPS);
}

/** The system without the bones that cost least. */
function without(system: SkinningSystem, wanted: number): SkinningSystem {
  const { m } = system;
  const surplus = m - wanted;
  const most = surplus > 0 ? Math.min(surplus, 1 + Math.floor(SHARE_OF_SURPLUS * surplus)) : SHARE_OF_ALL * m;
  const costs = system.removalCosts();
  const gone: number[] = [];
  for (const j of Array.from(costs.keys()).sort((a, b) => costs[a] - costs[b] || a - b)) {
    if (gone.length > 0 && gone.length + 1 > most) break;
    if (gone.every((k) => system.mass(j, k) <= OVERLAP * Math.min(system.mass(j, j), system.mass(k, k)))) gone.push(j);
  }
  const kept = Array.from(costs.keys()).filter((j) => !gone.includes(j));
  return system.withBones(kept, 0, Math.min(system.K, kept.length));
}
