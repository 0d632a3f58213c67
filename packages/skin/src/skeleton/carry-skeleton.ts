/**
 * A skeleton found on a sample of the vertices and frames, on all of them: tree and joints are kept, a vertex chooses among
 * the bones of the nearest sampled vertex and of that one's neighbours, and a frame between sampled ones starts from the
 * last of them.
 */
import { SkeletonSystem } from '@pelt/kernels';
import { carryMotion, carryWeights, solveWeightsNearby } from '../decompose/carry-sample.ts';
import type { FitProblem, ProblemSample } from '../decompose/fit-problem.ts';
import type { Candidate } from './moves.ts';

/** Sweeps and Gauss–Newton steps for the rotations of all frames. */
const [SWEEPS, STEPS] = [3, 6];

/** The sampled system is disposed unless the sample is everything. */
export function carriedSkeleton(
  sample: ProblemSample,
  { system: from, ...hung }: Candidate,
  problem: FitProblem,
): Candidate {
  if (sample.problem === problem) return { system: from, ...hung };
  const { tree, joints } = hung;
  const system = carryMotion(sample, from, problem);
  carryWeights(system, from, sample.owner);
  const skeleton = new SkeletonSystem(problem.numerics, system, tree, joints);
  skeleton.solveRotations(SWEEPS, STEPS);
  skeleton.writeTransforms();
  skeleton.dispose();
  solveWeightsNearby(system, sample, from, problem);
  from.dispose();
  return { system, ...hung };
}
