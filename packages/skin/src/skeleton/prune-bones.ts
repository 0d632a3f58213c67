/**
 * Which bones, and how many: minimise τm + log √(E + ε) over the number m of bones, where E is the squared error of a fit
 * with unconstrained rigid bones. A bone must lower the error by the fraction τ, and errors below ε count as zero.
 *
 * Starting from more clusters than needed, the bones whose removal costs least are removed, a few at a time and never two
 * that could replace each other, with rounds of weights and bones in between. A misplaced bone cannot escape by descent,
 * but one of many can be removed. Vertices have up to eight weights during the search: where many bones blend, four would
 * favour additional bones that are not part of the skeleton (with four, 10 of the 16 joints of a known wolf rig are found;
 * with eight, 15).
 *
 * Tried and left out: pruning by degenerate weights (equation 30 of the paper) ends at 24 to 36 bones, depending on the
 * initial number; the cost of removal depends on it much less.
 *
 * Reference: Le, Deng. Mesh animation decomposition and compression. SIGGRAPH course 2014, section 2.3.2.
 */
import type { SkinningSystem } from '@pelt/kernels';
import { log } from '@pelt/math';
import { checkCancelled, type RunContext } from '@pelt/model';
import type { FitProblem } from '../decompose/fit-problem.ts';
import type { WeightSteps } from '../shared/weight-steps.ts';
import { growClusters, STEADINESS } from './grow-clusters.ts';

export interface PruneOptions {
  /** Initial number of clusters. */
  readonly clusters: number;
  /** Maximum number of bones in the result. */
  readonly bones: number;
  /** τ, fraction by which a bone must lower the error. */
  readonly worth: number;
  /** ε, total squared error that counts as zero. */
  readonly negligible: number;
  /** Weight of the input's rest pose, counted in frames. */
  readonly restStiffness: number;
}

/** Maximum weights per vertex during the search. */
export const SEARCH_SLOTS = 8;
/** Rounds of diffusion before the first removal. */
const OPENING = 8;
/** Bones removed at a time: fraction of all bones, or of those above the maximum. */
const SHARE_OF_ALL = 0.08;
const SHARE_OF_SURPLUS = 0.15;
/** Two bones whose overlap exceeds this fraction of the smaller one are not removed together. */
const OVERLAP = 0.05;
/** How far the objective may rise above its minimum before the search ends: absolute, and in multiples of τ. */
const PATIENCE = 0.15;
const PATIENCE_BONES = 10;
/** Final rounds of diffusion and of swaps. */
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
  growClusters(system, numerics, graph, context);
  const first = system.m;
  const round = (weights: () => void) => {
    checkCancelled(context);
    weights();
    solveUnconstrained(system, restStiffness);
  };
  for (let k = 0; k < OPENING; k++) round(() => steps.diffuse(system));
  for (;;) {
    round(() => steps.swap(system, 1));
    round(() => steps.diffuse(system));
    round(() => steps.diffuse(system));
    steps.swap(system, 1);
    const error = system.totalError();
    const value = worth * system.m + 0.5 * log(error + negligible);
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
  for (let k = 0; k < CLOSING_DIFFUSION; k++) round(() => steps.diffuse(system));
  for (let k = 0; k < CLOSING_SWAPS; k++) round(() => steps.swap(system, 1));
  steps.swap(system, 1);
  return system;
}

/** Solves rest pose and unconstrained rigid bones for the current weights. */
function solveUnconstrained(system: SkinningSystem, restStiffness: number): void {
  system.correctRest(restStiffness);
  system.solveRigidBones(BONE_SWEEPS, STEADINESS);
}

/** The system without the bones whose removal costs least. */
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
