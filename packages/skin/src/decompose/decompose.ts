/**
 * Entry point: decompose a mesh animation into bones and weights,
 *
 *   v_ti ≈ Σ_j w_ij (R_tj p_i + T_tj),   w ≥ 0, Σ_j w_ij = 1, at most K non-zero weights per vertex.
 *
 * Reference: Le, Deng. Mesh animation decomposition and compression. SIGGRAPH course 2014, section 1.
 */

import type { SkinningSystem } from '@pelt/kernels';
import {
  type Bone,
  type Clip,
  InputError,
  interruptible,
  type MeshSequence,
  type Rig,
  type Run,
  type RunContext,
  requireTaken,
  resolveOptions,
  type SequenceErrors,
  type Snapshot,
  stageOf,
  UsageError,
  unweldRig,
  validateMeshSequence,
  validateRig,
  vertexCount,
  weldRig,
  weldSequence,
} from '@pelt/model';
import { packWeights } from '../shared/pack-weights.ts';
import { restPositions } from '../shared/rest-positions.ts';
import { startFromClusters } from '../shared/search/cluster-start.ts';
import { linearSequenceErrors } from '../shared/sequence-errors.ts';
import { inVertexOrder } from '../shared/vertex-order.ts';
import { type CountedFit, fewestBones, isRigid, kneeOfBones } from './bone-count.ts';
import { fitDensely, wantsSeveralStarts } from './dense-fit.ts';
import { FitProblem } from './fit-problem.ts';
import { fitToLockedWeights, lockBones } from './locked-fit.ts';
import { decomposeLssp, LSSP_ROUNDS } from './lssp/lssp.ts';
import {
  DECOMPOSE_DEFAULTS,
  DECOMPOSE_TAKEN_BY,
  type DecomposeOptions,
  type DecomposeRequest,
  type FitStart,
  MOST_BONES,
} from './options.ts';
import { fitPainted, type PaintedRig, weightMask, weldPainted } from './painted-fit.ts';
import { clusterSeeding, FIT_PLAN, type FitPlan } from './plan.ts';
import { startFromRegions } from './region-start.ts';
import { type RestDisplacement, restDisplacement } from './rest-displacement.ts';
import { fitFromSample } from './sampled-fit.ts';
import { decomposeSma, type SmaOptions } from './sma/sma.ts';

/** Share of the progress at which the number of bones has been chosen. */
const COUNTED = 0.2;

const BONE_KIND = { ssdr: 'rigid', affine: 'affine', sma: 'rigid', lssp: 'rigid' } as const;

/** A rig that reproduces a sequence, with its motion and error. */
export interface Decomposition {
  /** On the caller's vertices. Its rest pose may differ from the input's, see `restPose`. */
  readonly rig: Rig;
  /** At the times of the sequence. */
  readonly clip: Clip;
  /** Of all vertices and frames, as linear blend skinning plays the rig. */
  readonly error: SequenceErrors;
  /** How far the rest pose of the rig is from the input's. */
  readonly restMoved: RestDisplacement;
  /** Rounds of weights and bones. */
  readonly iterations: number;
}

/**
 * Finds bones, their motion and skinning weights that reproduce a mesh animation by linear blend skinning. The bones have
 * no hierarchy; for one see `extractSkeleton`. Vertices that coincide in every frame, as along UV seams, are solved as
 * one, and neither their order nor that of the triangles changes the result.
 *
 * @param sequence  S frames of n vertices
 * @param options   number of bones, weights per vertex, method and accuracy
 * @param run       kernels, cancelling and progress
 *
 * @example
 * {@includeCode ../../examples/decompose.ts}
 */
export function decompose(sequence: MeshSequence, options: DecomposeRequest, run: Run): Decomposition {
  const resolved = checkedOptions('decompose', options);
  const { locked, painted } = resolved;
  validateMeshSequence(sequence);
  if (sequence.rest.positions.length === 0) throw new InputError('decompose: the mesh has no vertices');
  if (painted) requirePaintable(painted, sequence, resolved);
  return interruptible(run, () => {
    run.onProgress?.({ stage: 'reading the motion', fraction: 0 });
    const weld = inVertexOrder(weldSequence(sequence));
    const packed = (system: SkinningSystem) => {
      const { rig, clip } = packSystem(weld.sequence, problem, system, locked ?? painted);
      return { rig: unweldRig(rig, weld.map, sequence.rest), clip };
    };
    const problem: FitProblem = FitProblem.of(weld.sequence, run, {
      plan: planOf(resolved),
      onRound: (system) => run.onSnapshot?.(() => packed(system)),
    });
    const welded = locked?.part === 'weights' ? { ...locked, rig: weldRig(locked.rig, weld) } : locked;
    const paintedOnWelded = painted && weldPainted(painted, weldRig(painted.rig, weld), weld);
    const onWelded = { ...resolved, locked: welded, painted: paintedOnWelded };
    const anyNumber = options.bones === undefined;
    const { system, iterations } = solveDecomposition(
      weld.sequence,
      problem,
      onWelded,
      anyNumber,
      stageOf(run, 0.05, 1),
    );
    const { rig, clip } = packed(system);
    system.dispose();
    const error = linearSequenceErrors({ sequence, rig, clip }, run);
    return {
      rig,
      clip,
      error,
      restMoved: restDisplacement(sequence.rest, rig.mesh, problem.prepared.space.radius),
      iterations,
    };
  });
}

/** A mask is of the vertices that are fitted, and goes with nothing else that decides bones. */
function requirePaintable({ rig, mask }: PaintedRig, sequence: MeshSequence, options: DecomposeOptions): void {
  validateRig(rig);
  const [own, n] = [vertexCount(rig.mesh), vertexCount(sequence.rest)];
  if (own !== n) throw new InputError(`decompose: the painted rig has ${own} vertices, the animation ${n}`);
  weightMask({ rig, mask }, Math.min(options.weights, rig.bones.length));
  const { maxError, locked, start, smooth } = options;
  if (maxError !== undefined || locked || start !== 'clusters' || smooth > 0) {
    throw new UsageError(
      'decompose: a painted rig goes without maxError, locked parts, other starts and smooth weights',
    );
  }
}

/** Options with their defaults, each within its range. */
export function checkedOptions(owner: string, options: Partial<DecomposeOptions>): DecomposeOptions {
  const resolved = resolveOptions(owner, DECOMPOSE_DEFAULTS, options);
  requireTaken(owner, resolved.method, DECOMPOSE_TAKEN_BY, options, DECOMPOSE_DEFAULTS);
  const { bones, weights, maxError, locked } = resolved;
  if (locked) validateRig(locked.rig);
  if (bones !== 'auto') requireCount(owner, 'bones', bones);
  requireCount(owner, 'weights', weights);
  const isPlain = typeof bones === 'number' && maxError === undefined && !locked;
  if (resolved.start === 'regions' && !isPlain) {
    throw new UsageError(`${owner}: start 'regions' needs a number of bones, without maxError and locked parts`);
  }
  if (maxError !== undefined && !(maxError > 0)) {
    throw new UsageError(`${owner}: maxError is ${maxError}; it must be positive`);
  }
  return resolved;
}

/** The numbers of the search. */
export function planOf({ search }: Pick<DecomposeOptions, 'search'>): FitPlan {
  return resolveOptions('search', FIT_PLAN, search);
}

/** Bones and weights of a problem. The caller disposes the system. */
export function solveDecomposition(
  sequence: MeshSequence,
  problem: FitProblem,
  options: DecomposeOptions,
  anyNumber: boolean,
  context: RunContext | undefined,
): CountedFit {
  const { weights, locked, maxError } = options;
  const kind = BONE_KIND[options.method];
  const counting = options.bones === 'auto' ? stageOf(context, 0, COUNTED) : context;
  const fitting = options.bones === 'auto' ? stageOf(context, COUNTED, 1) : context;
  const count = () =>
    options.bones === 'auto' ? kneeOfBones(problem, weights, kind, options, counting) : options.bones;
  const wanted = () => Math.min(count(), problem.n);
  if (options.method === 'sma' || options.method === 'lssp') {
    if (options.bones === 'auto') {
      throw new UsageError(`decompose: method '${options.method}' needs a number of bones; give one instead of 'auto'`);
    }
    const bones = isRigid(problem) ? 1 : Math.min(options.bones, problem.n);
    const { prepared, graph, numerics } = problem;
    if (options.method === 'lssp') {
      const system = decomposeLssp(prepared.trajectories, graph, { bones, weights }, numerics, context);
      return { system, iterations: LSSP_ROUNDS };
    }
    const settings: SmaOptions = { bones, weights, bandwidth: options.bandwidth, kind: options.smaBones };
    return {
      system: decomposeSma(sequence, prepared.trajectories, graph, settings, numerics, context),
      iterations: 1,
    };
  }
  if (options.painted) return fitPainted(problem, options.painted, kind, options, context);
  if (locked?.part === 'weights') return fitToLockedWeights(problem, locked, kind, options, context);
  if (maxError !== undefined) {
    if (locked) throw new UsageError('decompose: maxError cannot be combined with locked bones; give one of them');
    const most = anyNumber || options.bones === 'auto' ? MOST_BONES : options.bones;
    return fewestBones(problem, maxError, Math.min(most, problem.n), weights, kind, options, context);
  }
  const bones = locked ? Math.max(wanted(), locked.rig.bones.length) : isRigid(problem) ? 1 : wanted();
  if (options.start === 'regions') return fitFrom('regions', problem, bones, options, fitting);
  if (!locked && kind === 'rigid' && wantsSeveralStarts(bones, options, problem.plan)) {
    return fitDensely(problem, bones, options, fitting);
  }
  // Locked bones and a smoothness prior belong to the mesh as it is.
  if (locked || options.smooth > 0) return fitFrom('clusters', problem, bones, options, fitting);
  return fitFromSample(problem, bones, kind, options, fitting);
}

/** One descent on the whole mesh. */
function fitFrom(
  start: FitStart,
  problem: FitProblem,
  bones: number,
  options: DecomposeOptions,
  context: RunContext | undefined,
): CountedFit {
  const system = problem.system(bones, options.weights);
  if (options.locked) lockBones(problem, system, options.locked);
  context?.onProgress?.({ stage: 'clustering', fraction: 0 });
  if (start === 'regions') startFromRegions(system, problem, context);
  else startFromClusters(system, problem.numerics, problem.graph, clusterSeeding(problem.plan), context);
  const iterations = problem.descend(system, BONE_KIND[options.method], options, context, { prices: [0, 1] });
  return { system, iterations };
}

function requireCount(owner: string, name: string, value: number): void {
  if (!Number.isInteger(value) || value < 1) {
    throw new UsageError(`${owner}: ${name} is ${value}; it must be an integer of at least 1`);
  }
}

/** What a system holds as a rig without hierarchy and its clip, in the space of the model. */
export function packSystem(
  sequence: MeshSequence,
  problem: FitProblem,
  system: SkinningSystem,
  given?: { readonly rig: Rig },
): Snapshot {
  const { prepared } = problem;
  const rig: Rig = {
    name: sequence.name,
    mesh: { ...sequence.rest, positions: restPositions(sequence, prepared, system) },
    bones: [...(given?.rig.bones ?? []), ...looseBones(system, prepared.restToModel, given?.rig.bones.length ?? 0)],
    weights: packWeights(system.boneIndices.view, system.weights.view, system.K),
  };
  const clip: Clip = {
    name: sequence.name || 'animation',
    times: sequence.times,
    transforms: prepared.transformsToModel(system.transforms.view, system.m),
  };
  return { rig, clip };
}

/** Bones without hierarchy, starting at index `from`, each at its centre of rotation Σw²p/Σw². */
function looseBones(system: SkinningSystem, restToModel: (rest: Float64Array) => Float32Array, from: number): Bone[] {
  const { m } = system;
  const digits = String(m - 1).length;
  return Array.from({ length: m - from }, (_, k) => {
    const j = from + k;
    const [x, y, z] = restToModel(Float64Array.from(system.centre(j, j) ?? [0, 0, 0]));
    return {
      name: `bone-${String(j).padStart(digits, '0')}`,
      parent: -1,
      rest: Float64Array.of(1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z),
    };
  });
}
