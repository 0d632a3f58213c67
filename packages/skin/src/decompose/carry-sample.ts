/** From a sample of the vertices and frames to all of them: the motion, the weights, and which bones a vertex may use. */
import type { SkinningSystem } from '@pelt/kernels';
import type { FitProblem, ProblemSample } from './fit-problem.ts';

/** Candidate bones of a vertex that is not in the sample, for each of its weights. */
const CANDIDATES = 3;

/** A system over all vertices whose frames between sampled ones have the bones of the last of them. */
export function carryMotion({ frames }: ProblemSample, from: SkinningSystem, problem: FitProblem): SkinningSystem {
  const { m, K } = from;
  const system = problem.system(m, K);
  const transforms = system.editTransforms();
  for (let t = 0, f = 0; t < problem.S; t++) {
    if (f + 1 < frames.length && frames[f + 1] <= t) f++;
    transforms.set(from.transforms.view.subarray(f * m * 12, (f + 1) * m * 12), t * m * 12);
  }
  return system;
}

/** Gives every vertex the weights of its nearest sampled vertex. */
export function carryWeights(system: SkinningSystem, from: SkinningSystem, owner: Int32Array): void {
  const { K } = system;
  const { bones, weights } = system.editWeights();
  owner.forEach((own, i) => {
    if (own < 0) return;
    bones.set(from.boneIndices.view.subarray(own * K, (own + 1) * K), i * K);
    weights.set(from.weights.view.subarray(own * K, (own + 1) * K), i * K);
  });
}

/** Weights among the bones of the nearest sampled vertex and of that one's neighbours. */
export function solveWeightsNearby(
  system: SkinningSystem,
  { problem: sampled, owner }: ProblemSample,
  from: SkinningSystem,
  problem: FitProblem,
): void {
  const count = Math.min(CANDIDATES * from.K, from.m);
  const lists = nearbyBones(from, sampled, count);
  const scope = problem.numerics.scope();
  const candidates = scope.i32(problem.n * count);
  owner.forEach((own, i) => {
    if (own < 0) candidates.view.fill(-1, i * count, (i + 1) * count);
    else candidates.view.set(lists.subarray(own * count, (own + 1) * count), i * count);
  });
  system.solveWeightsAmong(candidates, count);
  scope.dispose();
}

/** n × count bones of each vertex and its neighbours by decreasing weight, −1 behind the last. */
function nearbyBones(
  { m, K, boneIndices, weights }: SkinningSystem,
  { n, graph }: FitProblem,
  count: number,
): Int32Array {
  const out = new Int32Array(n * count).fill(-1);
  const sums = new Float64Array(m);
  const [bones, w] = [boneIndices.view, weights.view];
  const add = (i: number, factor: number) => {
    for (let s = i * K; s < (i + 1) * K; s++) sums[bones[s]] += factor * w[s];
  };
  for (let i = 0; i < n; i++) {
    sums.fill(0);
    const [begin, end] = [graph.starts[i], graph.starts[i + 1]];
    add(i, Math.max(end - begin, 1));
    for (let e = begin; e < end; e++) add(graph.neighbours[e], 1);
    const order = Array.from(sums.keys()).filter((j) => sums[j] > 0);
    order.sort((a, b) => sums[b] - sums[a] || a - b);
    out.set(order.slice(0, count), i * count);
  }
  return out;
}
