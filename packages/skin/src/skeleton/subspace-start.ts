/**
 * Bones of skin that is blended linearly, exactly or nearly so, as the start of a search: rotations from the motion of many
 * overlapping patches (motion-subspace.ts), those that agree once; then translations and weights by alternating least squares
 * with the rotations fixed. Patches where the error is largest are searched again, and small parts such as the tip of a tail
 * or an ear, of which no patch says enough, get the rigid motion of their vertices.
 *
 * A rotation says nothing of where its bone is. Of the vertices of the patch, the bone starts with the one whose edges the
 * rotation explains best, which is the one that other bones move least. Weights are solved over all bones, a convex problem:
 * supports of four found by swaps end in local minima ten times as bad with the very same bones.
 */
import type { SkinningSystem } from '@pelt/kernels';
import { boundsOf, checkCancelled, diagonalOf, type MeshSequence, type RunContext } from '@pelt/model';
import type { FitProblem, ProblemSample } from '../decompose/fit-problem.ts';
import { averaged } from '../shared/mesh/averaged.ts';
import { patchAround } from '../shared/mesh/patch.ts';
import { oneHot } from '../shared/search/cluster-start.ts';
import { solveAddedBones, withBonesOn, withoutBones, worstVertices } from '../shared/search/moves.ts';
import type { WeightSteps } from '../shared/search/weight-steps.ts';
import { BoneFinder } from './bone-finder.ts';
import { updateJointPlaces } from './joint-places.ts';
import { type JointedTree, pairJoint, pulledJointBy, spanningTree } from './joint-tree.ts';
import type { MirrorPlane } from './mirror-plane.ts';
import type { Candidate } from './moves.ts';
import type { SkeletonPlan } from './plan.ts';
import { symmetricTree, withoutPartners } from './symmetric-tree.ts';

/** ε of the proximal term that fixes rotations: above any second moment of skin, in squared radii. */
const FIXED = 1e3;
/** Sweeps over the translations of all bones. */
const SWEEPS = 20;
/** Root mean square error of a region that has a bone of its own, relative to the diagonal of the rest pose. */
const REGION = 8e-4;
/** Vertices of such a bone to begin with, between two of them, and at most so many. */
const [TIP_VERTICES, TIPS_APART, MOST_TIPS] = [5, 12, 8];
/** Rounds of a new bone before all others follow. */
const TIP_ROUNDS = 8;
/** μ of joints between bones whose motion is nearly exact, see joint-tree.ts. */
const JOINT_PULL = 1e-3;

/** A skeleton on a sample of a problem. */
export interface SubspaceStart extends Candidate {
  /** Total squared error with as many weights as a vertex may have. */
  readonly error: number;
}

/**
 * Bones on a sample of the problem with weights and a hierarchy; undefined if no two patches move like linear blends.
 *
 * @param sequence   of the whole problem
 * @param slots      most weights per vertex of the result
 * @param mirrors    the mirror plane with the images of all vertices, and of those of the sample
 * @param makeSteps  weight steps over the sample, for so many weights per vertex
 */
export function subspaceStart(
  problem: FitProblem,
  sequence: MeshSequence,
  sample: ProblemSample,
  slots: number,
  search: SkeletonPlan,
  mirrors: { readonly all: MirrorPlane; readonly sampled: MirrorPlane } | undefined,
  makeSteps: (slots: number) => WeightSteps,
  context: RunContext | undefined,
): SubspaceStart | undefined {
  const { problem: small } = sample;
  const finder = new BoneFinder(problem, sequence, sample.frames, search, mirrors?.all);
  const seeds = Math.min(search.patches, finder.vertices);
  const report = (fraction: number) =>
    context?.onProgress?.({ stage: 'finding bones', fraction, detail: `${finder.found.length} bones` });
  for (let seed = 0; seed < seeds; seed++) {
    checkCancelled(context);
    report((0.5 * seed) / seeds);
    finder.look(seed, [search.startVertices]);
  }
  if (finder.found.length < 2) return undefined;
  let system = denseSystem(small, finder, search.subspaceRounds, context);
  const replace = (other: SkinningSystem) => {
    if (other !== system) system.dispose();
    system = other;
  };
  for (let turn = 0; turn < search.patchTurns; turn++) {
    report(0.5 + (0.3 * turn) / search.patchTurns);
    const before = finder.found.length;
    system.measureError();
    const error = averaged(system.error.view, small.graph, 1);
    for (const i of worstVertices(error, small.graph, search.worstPatches, search.patchVertices / 4)) {
      checkCancelled(context);
      finder.look(finder.nearest(system.rest.view.subarray(3 * i, 3 * i + 3)), search.laterStarts);
    }
    if (finder.found.length === before) break;
    replace(denseSystem(small, finder, search.subspaceRounds, context));
  }
  report(0.8);
  const tips = withTips(small, system, search.subspaceRounds, mirrors?.sampled, context);
  replace(tips.system);
  let partners: Int32Array = Int32Array.of(...finder.partners, ...tips.partners);
  for (;;) {
    const idle = idleBones(system, partners, search.leastShare * small.n);
    if (idle.length === 0 || idle.length >= system.m - 1) break;
    replace(withoutBones(system, idle));
    partners = withoutPartners(partners, idle);
    refine(system, search.subspaceRounds, context);
  }
  const jointOf = pulledJointBy(JOINT_PULL);
  const hung = jointsWhereBonesMeet(
    small,
    system,
    mirrors ? symmetricTree(system, partners, mirrors.sampled, jointOf) : spanningTree(system, () => 0, jointOf),
  );
  const steps = makeSteps(system.m);
  const sparse = steps.withFewerSlots(system, Math.min(slots, system.m));
  steps.dispose();
  system.dispose();
  sparse.measureError();
  return { system: sparse, ...hung, error: sparse.totalError(), ...(mirrors && { partners }) };
}

/** Bones that move next to no skin; of a pair, both or none. */
function idleBones(system: SkinningSystem, partners: Int32Array, least: number): number[] {
  const isIdle = (j: number) => system.mass(j, j) < least;
  return Array.from(partners.keys()).filter((j) => isIdle(j) && (partners[j] < 0 || isIdle(partners[j])));
}

/** The joints of a tree where their motion has them, and where that leaves them free, where their bones meet. */
function jointsWhereBonesMeet(
  { graph }: FitProblem,
  system: SkinningSystem,
  { tree, joints }: JointedTree,
): JointedTree {
  const places = joints.slice();
  updateJointPlaces(system, graph, tree.parents, places);
  const jointOf = pulledJointBy(JOINT_PULL);
  tree.parents.forEach((p, k) => {
    if (p < 0) return;
    const prior = places.subarray(3 * k, 3 * k + 3);
    places.set(pairJoint(system, k, p, prior.slice(), jointOf).joint, 3 * k);
  });
  return { tree, joints: places };
}

/** The bones found so far, with weights over all of them. Those whose translations are known are locked. */
function denseSystem(
  small: FitProblem,
  { found: bones, motion }: BoneFinder,
  rounds: number,
  context: RunContext | undefined,
): SkinningSystem {
  const system = small.system(bones.length, bones.length);
  const transforms = system.editTransforms();
  bones.forEach(({ rotations, translations, vertex }, j) => {
    system.locked.view[j] = Number(translations !== undefined);
    for (let t = 0; t < small.S; t++) {
      const at = (t * bones.length + j) * 12;
      for (let d = 0; d < 3; d++) {
        let shift = motion.at(t + 1, vertex, d);
        for (let e = 0; e < 3; e++) {
          const value = rotations[9 * (t + 1) + 3 * d + e];
          transforms[at + 4 * d + e] = value;
          shift -= value * motion.at(0, vertex, e);
        }
        transforms[at + 4 * d + 3] = translations?.[3 * (t + 1) + d] ?? shift;
      }
    }
  });
  const scope = small.numerics.scope();
  try {
    const best = scope.i32(small.n);
    system.assign(best, scope.f64(small.n));
    oneHot(system, best.view);
  } finally {
    scope.dispose();
  }
  refine(system, rounds, context);
  return system;
}

/** Alternates weights and translations. */
function refine(system: SkinningSystem, rounds: number, context: RunContext | undefined): void {
  system.solveWeightsOverAll();
  for (let round = 0; round < rounds; round++) {
    checkCancelled(context);
    system.solveRigidBones(SWEEPS, FIXED);
    system.solveWeightsOverAll();
  }
}

/** The system with bones for small regions that are explained badly, and their mirror images; itself if there is none. */
function withTips(
  { graph, S }: FitProblem,
  system: SkinningSystem,
  rounds: number,
  mirror: MirrorPlane | undefined,
  context: RunContext | undefined,
): { system: SkinningSystem; partners: number[] } {
  system.measureError();
  const error = averaged(system.error.view, graph, 1);
  const least = S * (REGION * diagonalOf(boundsOf(system.rest.view))) ** 2;
  const worst = worstVertices(error, graph, MOST_TIPS, TIPS_APART).filter((i) => error[i] > least);
  if (worst.length === 0) return { system, partners: [] };
  const { patches, partners } = tipPatches(worst, graph, system.m, mirror);
  const more = withBonesOn(system, patches, system.m + patches.length);
  for (let k = 0; k < TIP_ROUNDS; k++) {
    solveAddedBones(more, system.m);
    more.solveWeightsOverAll();
  }
  refine(more, Math.ceil(rounds / 2), context);
  return { system: more, partners };
}

/** Patches around vertices and, where they are apart, around their mirror images. */
function tipPatches(
  worst: readonly number[],
  graph: FitProblem['graph'],
  first: number,
  mirror: MirrorPlane | undefined,
): { patches: number[][]; partners: number[] } {
  const patches: number[][] = [];
  const partners: number[] = [];
  const taken = new Set<number>();
  const add = (i: number) => {
    patches.push(patchAround(graph, i, TIP_VERTICES));
    for (const k of patchAround(graph, i, TIPS_APART)) taken.add(k);
  };
  for (const i of worst) {
    if (taken.has(i)) continue;
    const at = first + patches.length;
    const around = new Set(patchAround(graph, i, TIPS_APART));
    add(i);
    const image = mirror?.images[i];
    if (image === undefined) partners.push(-1);
    else if (around.has(image)) partners.push(at);
    else {
      add(image);
      partners.push(at + 1, at);
    }
  }
  return { patches, partners };
}
