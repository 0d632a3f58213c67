/**
 * Search for the bones of a skeleton with exact joints: which minimum the rounds end in is decided by where the bones are,
 * and no descent moves a bone to another limb.
 *
 * From a quarter more bones than wanted, joined by their spanning tree, bones are removed one by one: of the few whose
 * removal costs least for the bones as they are, each is removed on trial, and the trial with the least error after a few
 * rounds stays. Other starts prune different numbers of clusters before they are joined; the best one goes on. Then bones
 * are attached to another parent on trial, and the number of bones goes up and down again by one, two and three: each is
 * added on trial at the worst places, and removed as before. The skeleton is replaced when that has lowered the error.
 * (Strategic oscillation.) At last the places of the joints are found with twice as many weights per vertex.
 *
 * With symmetry, skeletons are compared by the error and by how many of their bones have no mirror image.
 *
 * Trials are cheap on a sample of the vertices and frames, and follow the plan for settled skeletons, so that a change is
 * judged by what it brings. Which skeleton is found does not hang on rounding: an animation that is turned and shifted, or
 * has noise of 1e-7, takes the same decisions unless two are equally good (elephant, person, robot, fox and flamingo: errors
 * within 0.01 to 7 %; before, with trials that began with ten rounds of diffusion and rotations of tiny clusters that
 * rounding decided, within 5 to 35 %).
 *
 * Tried and left out: docs/experiments/skeleton.md.
 *
 * Reference: Glover, Laguna. Tabu search. 1997 (strategic oscillation).
 */
import type { SkinningSystem } from '@pelt/kernels';
import { checkCancelled, type RunContext, stageOf } from '@pelt/model';
import type { FitProblem } from '../decompose/fit-problem.ts';
import type { WindingNumber } from '../shared/mesh/winding-number.ts';
import { cheapestFirst, copyOf } from '../shared/search/moves.ts';
import { FRESH, SETTLED } from '../shared/search/weight-plan.ts';
import { WeightSteps } from '../shared/search/weight-steps.ts';
import { spanningTree } from './joint-tree.ts';
import { mirrorBones } from './mirror-bones.ts';
import type { MirrorPlane } from './mirror-plane.ts';
import {
  type Candidate,
  otherAttachments,
  withAddedBone,
  withAttachment,
  withFewerBones,
  worstPlaces,
} from './moves.ts';
import { type PruneOptions, prunedBones } from './prune-bones.ts';
import { type StrictOptions, StrictRounds } from './strict-rounds.ts';
import { untidyBones } from './tidy-bones.ts';

/** Clusters per bone of further starts. */
const CLUSTERS_OF_STARTS = [3, 2, 1.5];
/** Bones added and removed again in turn, 0 for one attached to another parent; the search ends when none of them helps. */
const SWINGS = [0, 1, 2, 3];

export interface SearchOptions
  extends Omit<StrictOptions, 'keepJoints' | 'plan' | 'jointTurns'>,
    Pick<PruneOptions, 'worth' | 'negligible'> {
  /** Maximum number of bones. */
  readonly bones: number;
  readonly clusters: number | 'auto';
  readonly weights: number;
  /** Of the mesh, for joints inside. */
  readonly winding?: WindingNumber;
  /** Of the vertices searched on: bones without a mirror image then count against a skeleton. */
  readonly mirror?: Pick<MirrorPlane, 'images'>;
}

interface Judged extends Candidate {
  /** Sum of squared errors, and more for joints outside of the mesh, idle bones and bones without a mirror image. */
  readonly cost: number;
}

/** The best skeleton found, with any root. The caller disposes its system. */
export function searchSkeleton(
  problem: FitProblem,
  options: SearchOptions,
  context: RunContext | undefined,
): Candidate & { readonly iterations: number } {
  const search = new SkeletonSearch(problem, options, context);
  const found = search.run();
  const places = search.freerJoints(found);
  search.dispose();
  return { ...found, places, iterations: search.rounds };
}

class SkeletonSearch {
  readonly #problem: FitProblem;
  readonly #options: SearchOptions;
  readonly #context: RunContext | undefined;
  readonly #steps: WeightSteps;
  /** Rounds so far. */
  rounds = 0;

  constructor(problem: FitProblem, options: SearchOptions, context: RunContext | undefined) {
    this.#problem = problem;
    this.#options = options;
    this.#context = context;
    this.#steps = new WeightSteps(problem.numerics, problem.graph, Math.max(options.search.slots, 4 * options.weights));
  }

  run(): Judged {
    let found = this.#start();
    for (let swing = 0, failed = 0; swing < this.#options.search.swings && failed < SWINGS.length; swing++) {
      if (found.cost <= this.#options.negligible) break;
      this.#report(0.5 + (0.5 * swing) / this.#options.search.swings, found);
      const other = this.#swung(found, SWINGS[swing % SWINGS.length]);
      const better = other !== undefined && other.cost < (1 - this.#options.search.swingGain) * found.cost;
      failed = better ? 0 : failed + 1;
      if (better) found = this.#replaced(found, other);
      else other?.system.dispose();
    }
    return found;
  }

  /**
   * Joints of the same bones where vertices may have twice as many weights. The limit to few weights displaces joints for
   * the sake of vertices that more bones move: for a known rig with up to eleven weights per vertex, joints are 2 % of the
   * diagonal off with four weights, and less than 1 % with eight.
   */
  freerJoints({ system, tree, joints }: Judged): Float64Array {
    const freer = copyOf(system, 2 * system.K);
    const { joints: found } = this.#fit({ system: freer, tree, joints }, this.#options.search.freerRounds, SETTLED, 2);
    freer.dispose();
    return found;
  }

  dispose(): void {
    this.#steps.dispose();
  }

  /** The best of some starts: bones removed with exact joints from a few more, and from clusters before joining. */
  #start(): Judged {
    const { bones, clusters, search } = this.#options;
    const more = Math.ceil(search.surplus * bones);
    const first = clusters === 'auto' ? Math.ceil(search.clustersPerBone * more) : clusters;
    let found = this.#joined(first, more, search.firstRounds, stageOf(this.#context, 0, 0.2));
    const surplus = found.system.m - bones;
    while (found.system.m > bones) {
      this.#report(0.2 + 0.1 * (1 - (found.system.m - bones) / surplus), found);
      found = this.#replaced(found, this.#withFewer(found));
    }
    found = this.#fit(found, search.fullRounds);
    if (clusters !== 'auto') return found;
    const counts = [search.manyClusters, ...CLUSTERS_OF_STARTS.map((perBone) => Math.ceil(perBone * bones))];
    counts.forEach((count, k) => {
      if (found.cost <= this.#options.negligible) return;
      const share = 0.2 / counts.length;
      const stage = stageOf(this.#context, 0.3 + share * k, 0.3 + share * (k + 1));
      const other = this.#joined(count, bones, search.joinedRounds, stage);
      found = other.cost < found.cost ? this.#replaced(found, other) : this.#replaced(other, found);
    });
    return found;
  }

  /** Bones pruned from clusters, if the motion has so many, joined and refined. */
  #joined(clusters: number, bones: number, rounds: number, context: RunContext): Judged {
    const { n } = this.#problem;
    const prune = { ...this.#options, bones: Math.min(bones, n), clusters: Math.min(clusters, n) };
    const loose = prunedBones(this.#problem, this.#steps, prune, context);
    const hung = spanningTree(loose, () => 0);
    const system = this.#steps.withFewerSlots(loose, this.#options.weights);
    loose.dispose();
    return this.#fit({ system, ...hung }, rounds, FRESH);
  }

  /** Adds bones and removes as many. The candidate is kept. */
  #swung(start: Judged, bones: number): Judged | undefined {
    if (bones === 0) return this.#attachedElsewhere(start);
    let at = start;
    const step = (next: Judged) => {
      if (at !== start) at.system.dispose();
      at = next;
    };
    for (let k = 0; k < bones; k++) step(this.#withMore(at));
    for (let k = 0; k < bones; k++) step(this.#withFewer(at));
    return this.#fit(at, this.#options.search.fullRounds);
  }

  #attachedElsewhere(from: Judged): Judged | undefined {
    const choices = otherAttachments(from);
    if (choices.length === 0) return undefined;
    return this.#fit(
      this.#bestOf(choices, (choice) => withAttachment(from, choice)),
      this.#options.search.fullRounds,
    );
  }

  #withFewer(from: Candidate): Judged {
    return this.#bestOf(cheapestFirst(from.system.removalCosts()), (j) => withFewerBones(from, [j]));
  }

  #withMore(from: Candidate): Judged {
    const { n, graph } = this.#problem;
    const { leastPatch, patch, rings } = this.#options.search;
    from.system.measureError();
    const size = Math.max(leastPatch, Math.ceil((patch * n) / from.system.m));
    return this.#bestOf(worstPlaces(from.system, graph, rings), (i) => withAddedBone(from, graph, i, size));
  }

  /** The best of the first few changes after some rounds, and after some more. */
  #bestOf<T>(choices: readonly T[], change: (choice: T) => Candidate): Judged {
    const { search } = this.#options;
    let best: Judged | undefined;
    for (const choice of choices.slice(0, search.trials)) {
      const trial = this.#fit(change(choice), search.trialRounds);
      const better = !best || trial.cost < best.cost;
      const lost = better ? best : trial;
      if (better) best = trial;
      lost?.system.dispose();
    }
    if (!best) throw new RangeError('SkeletonSearch: nothing to try');
    return this.#fit(best, search.settlingRounds);
  }

  /** Refines a candidate in place. */
  #fit({ system, ...hung }: Candidate, most: number, plan = SETTLED, jointTurns = 1): Judged {
    const { numerics } = this.#problem;
    const { search } = this.#options;
    const options = {
      ...this.#options,
      plan,
      jointTurns,
      keepJoints: false,
      rounds: Math.min(most, this.#options.rounds),
    };
    const rounds = new StrictRounds(numerics, system, hung, this.#steps, options, {
      ...(options.winding && { winding: options.winding }),
    });
    do checkCancelled(this.#context);
    while (rounds.step());
    rounds.restore();
    rounds.dispose();
    this.rounds += rounds.round;
    return {
      system,
      tree: hung.tree,
      joints: rounds.joints,
      cost:
        rounds.bestCost *
        (1 + search.unpaired * this.#unpaired(system)) *
        (1 + search.untidy * untidyBones({ system, ...hung, joints: rounds.joints }, search).length),
    };
  }

  /** Number of bones without a mirror image, where they should have one. */
  #unpaired(system: SkinningSystem): number {
    const { mirror } = this.#options;
    return mirror ? mirrorBones(system, mirror).filter((partner) => partner < 0).length : 0;
  }

  #replaced(old: Judged, other: Judged): Judged {
    old.system.dispose();
    return other;
  }

  #report(fraction: number, { system, cost }: Judged): void {
    const detail = `${system.m} bones, E_RMS ${this.#problem.eRms(cost).toFixed(3)}`;
    this.#context?.onProgress?.({ stage: 'finding bones', fraction, detail });
  }
}
