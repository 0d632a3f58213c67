/**
 * Smooth skinning decomposition with rigid bones as printed:
 *
 *   min Σ_ti ‖v_ti − Σ_j w_ij (R_tj p_i + T_tj)‖²,   w ≥ 0, Σ_j w_ij = 1, at most K weights per vertex,
 *
 * by block coordinate descent from k-means (Algorithm 3): weights over all bones, of which the K of largest effect stay
 * (equation 14) and are solved again; bones one by one against the residual of the others (Algorithm 4); bones that move
 * hardly anything are initialised again; the rest pose is corrected at the end.
 *
 * `decompose` of @pelt/skin differs in the start, in how supports are found, in its moves of whole bones and in when the
 * rest pose is solved for; docs/guide/fit.md has the difference in figures.
 *
 * Reference: Le, Deng. Smooth skinning decomposition with rigid bones. 2012; Mesh animation decomposition and compression.
 * SIGGRAPH course 2014, section 1.5.
 */
import { SkinningSystem } from '@pelt/kernels';
import { type Block, KdTree, Random } from '@pelt/math';
import {
  type Bone,
  type Clip,
  checkCancelled,
  InputError,
  interruptible,
  type MeshSequence,
  type Rig,
  type Run,
  resolveOptions,
  type SequenceErrors,
  UsageError,
  unweldRig,
  validateMeshSequence,
  vertexCount,
  weldSequence,
} from '@pelt/model';
import { linearSequenceErrors } from '@pelt/skin/decompose';
import { startFromKMeans } from './k-means-start.ts';
import { keepLargestEffects } from './kept-bones.ts';
import { PUBLISHED_SSDR_DEFAULTS, type PublishedSsdrOptions } from './options.ts';
import { type PlainTrajectories, plainTrajectories } from './plain-trajectories.ts';
import { INSIGNIFICANT, restartBone } from './restart-bone.ts';

/** A rig without hierarchy, with its motion and error. */
export interface PublishedFit {
  /** On the caller's vertices. */
  readonly rig: Rig;
  readonly clip: Clip;
  /** Of all vertices and frames, as linear blend skinning plays the rig. */
  readonly error: SequenceErrors;
  readonly iterations: number;
}

/**
 * SSDR as published, for comparison with `decompose`.
 *
 * @param sequence  S frames of n vertices
 * @param options   bones, weights per vertex, iterations, seed
 * @param run       kernels, cancelling and progress
 *
 * @example
 * {@includeCode ../../examples/published-ssdr.ts}
 */
export function publishedSsdr(sequence: MeshSequence, options: Partial<PublishedSsdrOptions>, run: Run): PublishedFit {
  const resolved = resolveOptions('publishedSsdr', PUBLISHED_SSDR_DEFAULTS, options);
  for (const name of ['bones', 'weights', 'iterations'] as const) {
    if (Number.isInteger(resolved[name]) && resolved[name] >= 1) continue;
    throw new UsageError(`publishedSsdr: ${name} is ${resolved[name]}; it must be an integer of at least 1`);
  }
  validateMeshSequence(sequence);
  if (sequence.rest.positions.length === 0) throw new InputError('publishedSsdr: the mesh has no vertices');
  return interruptible(run, () => {
    const weld = weldSequence(sequence);
    const plain = plainTrajectories(weld.sequence);
    const bones = Math.min(resolved.bones, vertexCount(weld.sequence.rest));
    const descent = new Descent(plain, bones, resolved, run);
    while (descent.step());
    const { rig, clip } = descent.result(weld.sequence);
    descent.dispose();
    const whole = unweldRig(rig, weld.map, sequence.rest);
    const error = linearSequenceErrors({ sequence, rig: whole, clip }, run);
    return { rig: whole, clip, error, iterations: descent.iterations };
  });
}

class Descent {
  iterations = 0;
  readonly #plain: PlainTrajectories;
  readonly #options: PublishedSsdrOptions;
  readonly #run: Run;
  /** With as many slots as bones: weights are first solved over all of them. */
  readonly #system: SkinningSystem;
  readonly #scope: ReturnType<Run['numerics']['scope']>;
  readonly #kept: number;
  readonly #candidates: Block<Int32Array>;
  readonly #tree: KdTree;
  #restarts = 0;
  #error = Number.POSITIVE_INFINITY;

  constructor(plain: PlainTrajectories, bones: number, options: PublishedSsdrOptions, run: Run) {
    this.#plain = plain;
    this.#options = options;
    this.#run = run;
    this.#system = new SkinningSystem(run.numerics, plain.trajectories, bones, bones);
    this.#scope = run.numerics.scope();
    this.#kept = Math.min(options.weights, bones);
    this.#candidates = this.#scope.i32(this.#system.n * this.#kept);
    this.#tree = new KdTree(plain.trajectories.rest, 3);
    run.onProgress?.({ stage: 'clustering', fraction: 0 });
    startFromKMeans(this.#system, new Random(options.seed), run.numerics, run);
  }

  /** One iteration of weights and bones; whether there is another one. */
  step(): boolean {
    const { iterations, tolerance } = this.#options;
    checkCancelled(this.#run);
    this.#run.onProgress?.({ stage: 'fitting bones and weights', fraction: this.iterations / iterations });
    this.#updateWeights();
    const error = this.#system.totalError();
    const gain = 1 - error / this.#error;
    this.#error = error;
    this.iterations++;
    const restarted = this.#updateBones();
    return this.iterations < iterations && (restarted || !(gain < tolerance));
  }

  #updateWeights(): void {
    this.#system.solveWeightsOverAll();
    keepLargestEffects(this.#system, this.#kept, this.#candidates.view);
    this.#system.solveWeightsAmong(this.#candidates, this.#kept);
  }

  /** Whether a bone was initialised again. */
  #updateBones(): boolean {
    const system = this.#system;
    const idle = Array.from({ length: system.m }, (_, j) => j).filter((j) => system.mass(j, j) < INSIGNIFICANT);
    system.solveRigidBones(1);
    const allowed = idle.slice(0, Math.max(this.#options.restarts - this.#restarts, 0));
    for (const j of allowed) restartBone(system, j, this.#plain.trajectories, this.#tree, this.#run.numerics);
    this.#restarts += allowed.length;
    return allowed.length > 0;
  }

  result(sequence: MeshSequence): { readonly rig: Rig; readonly clip: Clip } {
    const system = this.#system;
    this.#updateWeights();
    if (this.#options.restPose === 'correct') system.correctRest(0);
    const { n, m, K, boneIndices, weights } = system;
    const slots = this.#kept;
    const packed = { slots, bones: new Uint16Array(n * slots), weights: new Float32Array(n * slots) };
    for (let i = 0; i < n; i++) {
      const used = Array.from({ length: K }, (_, s) => i * K + s).filter((at) => weights.view[at] > 0);
      used.sort((a, b) => weights.view[b] - weights.view[a] || boneIndices.view[a] - boneIndices.view[b]);
      const sum = used.reduce((total, at) => total + weights.view[at], 0);
      used.forEach((at, s) => {
        packed.bones[i * slots + s] = boneIndices.view[at];
        packed.weights[i * slots + s] = weights.view[at] / sum;
      });
    }
    const positions = this.#plain.restToModel(system.rest.view);
    const centres = this.#plain.restToModel(Float64Array.from({ length: 3 * m }, (_, k) => this.#centre(k)));
    const bones = Array.from({ length: m }, (_, j): Bone => {
      const [x, y, z] = centres.subarray(3 * j, 3 * j + 3);
      return { name: `bone-${j}`, parent: -1, rest: Float64Array.of(1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z) };
    });
    return {
      rig: { name: sequence.name, mesh: { ...sequence.rest, positions }, bones, weights: packed },
      clip: {
        name: sequence.name || 'animation',
        times: sequence.times,
        transforms: this.#plain.toModel(system.transforms.view),
      },
    };
  }

  /** Coordinate k % 3 of the centre of rotation of bone ⌊k/3⌋. */
  #centre(k: number): number {
    const j = Math.floor(k / 3);
    return this.#system.centre(j, j)?.[k % 3] ?? 0;
  }

  dispose(): void {
    this.#scope.dispose();
    this.#system.dispose();
  }
}
