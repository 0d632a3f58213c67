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
 * Tried and left out: docs/experiments/skeleton.md.
 *
 * Reference: Le, Deng. Mesh animation decomposition and compression. SIGGRAPH course 2014, section 2.3.2.
 */
import type { SkinningSystem } from '@pelt/kernels';
import { log } from '@pelt/math';
import { checkCancelled, type RunContext } from '@pelt/model';
import type { FitProblem } from '../decompose/fit-problem.ts';
import { startFromClusters } from '../shared/search/cluster-start.ts';
import { cheapestFirst, withoutBones } from '../shared/search/moves.ts';
import type { WeightSteps } from '../shared/search/weight-steps.ts';
import { batchSeeding, type SkeletonPlan } from './plan.ts';

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
  readonly search: SkeletonPlan;
}

/** The caller disposes the system. */
export function prunedBones(
  problem: FitProblem,
  steps: WeightSteps,
  options: PruneOptions,
  context: RunContext | undefined,
): SkinningSystem {
  const { numerics, graph } = problem;
  const { restStiffness, negligible, worth, search } = options;
  const patience = Math.max(search.patience, search.patienceBones * worth);
  const bones = Math.min(options.bones, options.clusters, problem.n);
  let system = problem.system(Math.min(options.clusters, problem.n), search.slots);
  let found: { system: SkinningSystem; value: number } | undefined;
  const drop = (other: SkinningSystem) => {
    if (other !== found?.system) other.dispose();
  };
  startFromClusters(system, numerics, graph, batchSeeding(search), context);
  const first = system.m;
  const round = (weights: () => void) => {
    checkCancelled(context);
    weights();
    system.correctRest(restStiffness);
    system.solveRigidBones(search.sweeps, search.steadiness);
  };
  for (let k = 0; k < search.opening; k++) round(() => steps.diffuse(system));
  for (;;) {
    round(() => steps.swap(system, 'thorough', 1));
    round(() => steps.diffuse(system));
    round(() => steps.diffuse(system));
    steps.swap(system, 'thorough', 1);
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
    const fewer = withoutCheapest(system, bones, search);
    drop(system);
    system = fewer;
  }
  if (!found) throw new RangeError('prunedBones: no bones were left');
  drop(system);
  system = found.system;
  for (let k = 0; k < search.opening / 2; k++) round(() => steps.diffuse(system));
  for (let k = 0; k < 2 * search.swaps; k++) round(() => steps.swap(system, 'thorough', 1));
  steps.swap(system, 'thorough', 1);
  return system;
}

/** The system without the bones whose removal costs least. */
function withoutCheapest(system: SkinningSystem, wanted: number, search: SkeletonPlan): SkinningSystem {
  const { m } = system;
  const surplus = m - wanted;
  const most = surplus > 0 ? Math.min(surplus, 1 + Math.floor(search.shareOfSurplus * surplus)) : search.shareOfAll * m;
  const gone: number[] = [];
  for (const j of cheapestFirst(system.removalCosts())) {
    if (gone.length > 0 && gone.length + 1 > most) break;
    const shared = (k: number) => system.mass(j, k) / Math.min(system.mass(j, j), system.mass(k, k));
    if (gone.every((k) => !(shared(k) > search.overlap))) gone.push(j);
  }
  return withoutBones(system, gone);
}
