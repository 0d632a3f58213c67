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
import { KdTree, type Numerics } from '@pelt/math';
import { boundsOf, checkCancelled, diagonalOf, type MeshSequence, type RunContext } from '@pelt/model';
import type { FitProblem, ProblemSample } from '../decompose/fit-problem.ts';
import { averaged } from '../shared/mesh/averaged.ts';
import { type CoarseGraph, coarseGraph } from '../shared/mesh/coarse-graph.ts';
import { patchAround } from '../shared/mesh/patch.ts';
import { oneHot } from '../shared/search/cluster-start.ts';
import { solveAddedBones, withBonesOn, withoutBones, worstVertices } from '../shared/search/moves.ts';
import type { WeightSteps } from '../shared/search/weight-steps.ts';
import { updateJointPlaces } from './joint-places.ts';
import { type JointedTree, pairJoint, pulledJointBy, spanningTree } from './joint-tree.ts';
import { type FoundRotation, MotionSubspace, type PatchMotion, rigidMotion } from './motion-subspace.ts';
import type { Candidate } from './moves.ts';
import type { SkeletonPlan } from './plan.ts';

/** A bone whose rotations are known. */
interface FoundBone extends FoundRotation {
  /** Vertex that it carries along. */
  readonly vertex: number;
  /** How badly the rotation explains the edges of that vertex, relative to their lengths. */
  readonly impurity: number;
}

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
 * @param makeSteps  weight steps over the sample, for so many weights per vertex
 */
export function subspaceStart(
  problem: FitProblem,
  sequence: MeshSequence,
  sample: ProblemSample,
  slots: number,
  search: SkeletonPlan,
  makeSteps: (slots: number) => WeightSteps,
  context: RunContext | undefined,
): SubspaceStart | undefined {
  const { problem: small } = sample;
  const finder = new BoneFinder(problem, trajectoriesOf(problem, sequence, sample.frames), search);
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
  replace(withTips(small, system, search.subspaceRounds, context));
  for (;;) {
    const idle = Array.from({ length: system.m }, (_, j) => j).filter(
      (j) => system.mass(j, j) < search.leastShare * small.n,
    );
    if (idle.length === 0 || idle.length >= system.m - 1) break;
    replace(withoutBones(system, idle));
    refine(system, search.subspaceRounds, context);
  }
  const hung = jointsWhereBonesMeet(
    small,
    system,
    spanningTree(system, () => 0, pulledJointBy(JOINT_PULL)),
  );
  const steps = makeSteps(system.m);
  const sparse = steps.withFewerSlots(system, Math.min(slots, system.m));
  steps.dispose();
  system.dispose();
  sparse.measureError();
  return { system: sparse, ...hung, error: sparse.totalError() };
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

/** The bones found so far, with weights over all of them. */
function denseSystem(
  small: FitProblem,
  { found: bones, motion }: BoneFinder,
  rounds: number,
  context: RunContext | undefined,
): SkinningSystem {
  const system = small.system(bones.length, bones.length);
  const transforms = system.editTransforms();
  bones.forEach(({ rotations, vertex }, j) => {
    for (let t = 0; t < small.S; t++) {
      const at = (t * bones.length + j) * 12;
      for (let d = 0; d < 3; d++) {
        let shift = motion.at(t + 1, vertex, d);
        for (let e = 0; e < 3; e++) {
          const value = rotations[9 * (t + 1) + 3 * d + e];
          transforms[at + 4 * d + e] = value;
          shift -= value * motion.at(0, vertex, e);
        }
        transforms[at + 4 * d + 3] = shift;
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

/** The system with bones for small regions that are explained badly; itself if there is none. */
function withTips(
  { graph, S }: FitProblem,
  system: SkinningSystem,
  rounds: number,
  context: RunContext | undefined,
): SkinningSystem {
  system.measureError();
  const error = averaged(system.error.view, graph, 1);
  const least = S * (REGION * diagonalOf(boundsOf(system.rest.view))) ** 2;
  const places = worstVertices(error, graph, MOST_TIPS, TIPS_APART).filter((i) => error[i] > least);
  if (places.length === 0) return system;
  const patches = places.map((i) => patchAround(graph, i, TIP_VERTICES));
  const more = withBonesOn(system, patches, system.m + places.length);
  for (let k = 0; k < TIP_ROUNDS; k++) {
    solveAddedBones(more, system.m);
    more.solveWeightsOverAll();
  }
  refine(more, Math.ceil(rounds / 2), context);
  return more;
}

/** Positions in units of the problem; frame 0 is the rest pose. */
interface Motion {
  readonly frames: number;
  at(t: number, i: number, d: number): number;
  /** Standard deviation of the rounding of a coordinate, at most. */
  readonly rounding: number;
}

function trajectoriesOf({ prepared }: FitProblem, { rest, frames }: MeshSequence, chosen: Int32Array): Motion {
  const { centre, centres, radius } = prepared.space;
  const width = rest.positions.length;
  let largest = 0;
  for (const t of chosen) {
    for (let k = t * width; k < (t + 1) * width; k++) largest = Math.max(largest, Math.abs(frames[k]));
  }
  return {
    frames: chosen.length + 1,
    at: (t, i, d) => {
      if (t === 0) return (rest.positions[3 * i + d] - centre[d]) / radius;
      const frame = chosen[t - 1];
      return (frames[frame * width + 3 * i + d] - centres[frame][d]) / radius;
    },
    rounding: (2 ** -24 * largest) / radius,
  };
}

/** Searches for bones around seeds, one after the other. */
class BoneFinder {
  readonly found: FoundBone[] = [];
  readonly motion: Motion;
  readonly #coarse: CoarseGraph;
  readonly #places: KdTree;
  readonly #numerics: Numerics;
  readonly #search: SkeletonPlan;

  constructor({ graph, prepared, numerics }: FitProblem, motion: Motion, search: SkeletonPlan) {
    const { rest } = prepared.trajectories;
    this.motion = motion;
    this.#coarse = coarseGraph(graph, rest, search.patchedVertices);
    const { vertices } = this.#coarse;
    this.#places = new KdTree(
      Float64Array.from({ length: 3 * vertices.length }, (_, k) => rest[3 * vertices[Math.floor(k / 3)] + (k % 3)]),
    );
    this.#numerics = numerics;
    this.#search = search;
  }

  /** Number of vertices that seeds are taken from, far from each other first. */
  get vertices(): number {
    return this.#coarse.vertices.length;
  }

  /** The seed nearest to a point. */
  nearest(point: Float64Array): number {
    const found = new Uint32Array(1);
    this.#places.nearest(point, 0, 1, found, new Float64Array(1));
    return found[0];
  }

  /** @param starts  numbers of vertices around the seed from whose rigid motions the search starts */
  look(seed: number, starts: readonly number[]): void {
    const { patchVertices, mostStrain, sameRotation } = this.#search;
    const { vertices, graph } = this.#coarse;
    const near = patchAround(graph, seed, patchVertices);
    if (near.length < patchVertices / 4) return;
    const patch = gather(
      this.motion,
      near.map((a) => vertices[a]),
    );
    const subspace = new MotionSubspace(this.#numerics, patch, this.motion.rounding);
    if (subspace.rank < 4) return;
    for (const size of starts) {
      const core = Array.from({ length: Math.min(size, near.length) }, (_, a) => a);
      const found = subspace.nearest(rigidMotion(patch, core).rotations);
      if (!found.settled || !(found.residual <= mostStrain)) continue;
      const { vertex, impurity } = purest(patch, near, graph, found.rotations);
      merge(this.found, { ...found, vertex: vertices[vertex], impurity }, sameRotation);
    }
  }
}

function gather({ frames, at }: Motion, vertices: readonly number[]): PatchMotion {
  const size = vertices.length;
  const positions = new Float64Array(3 * frames * size);
  for (let t = 0; t < frames; t++) {
    for (let d = 0; d < 3; d++) {
      for (let a = 0; a < size; a++) positions[(3 * t + d) * size + a] = at(t, vertices[a], d);
    }
  }
  return { size, positions };
}

/** The vertex of a patch whose edges a rotation explains best. */
function purest(
  { positions, size }: PatchMotion,
  vertices: readonly number[],
  { starts, neighbours }: FitProblem['graph'],
  R: Float64Array,
): { vertex: number; impurity: number } {
  const frames = R.length / 9;
  const place = new Map(vertices.map((i, a) => [i, a]));
  let best = { vertex: vertices[0], impurity: Number.POSITIVE_INFINITY };
  vertices.forEach((i, a) => {
    let [off, length] = [0, 0];
    for (let e = starts[i]; e < starts[i + 1]; e++) {
      const b = place.get(neighbours[e]);
      if (b === undefined) continue;
      const edge = (t: number, d: number) => positions[(3 * t + d) * size + b] - positions[(3 * t + d) * size + a];
      const rest = [edge(0, 0), edge(0, 1), edge(0, 2)];
      length += rest[0] ** 2 + rest[1] ** 2 + rest[2] ** 2;
      for (let t = 1; t < frames; t++) {
        for (let d = 0; d < 3; d++) {
          const at = 9 * t + 3 * d;
          off += (edge(t, d) - R[at] * rest[0] - R[at + 1] * rest[1] - R[at + 2] * rest[2]) ** 2;
        }
      }
    }
    const impurity = off / (length * frames);
    if (impurity < best.impurity) best = { vertex: i, impurity };
  });
  return best;
}

/** Adds a bone, or of two that rotate alike keeps the one that has its vertex more to itself. */
function merge(found: FoundBone[], bone: FoundBone, alike: number): void {
  const same = found.findIndex((other) => apart(other.rotations, bone.rotations) < alike);
  if (same < 0) found.push(bone);
  else if (bone.impurity < found[same].impurity) found[same] = bone;
}

/** Root mean square angle between two rotations, in radians. */
function apart(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += (a[k] - b[k]) ** 2;
  return Math.sqrt((sum * 9) / (2 * a.length));
}
