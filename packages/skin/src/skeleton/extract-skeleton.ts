/**
 * Entry point: extract a skeleton from a mesh animation: joints, hierarchy, weights and rotations.
 *
 * Reference: Le, Deng. Mesh animation decomposition and compression. SIGGRAPH course 2014, section 2.
 */

import {
  type Clip,
  gatherWeights,
  InputError,
  interruptible,
  type MeshSequence,
  type Rig,
  type Run,
  type RunContext,
  requireTaken,
  resolveOptions,
  type SequenceErrors,
  stageOf,
  UsageError,
  unweldRig,
  validateMeshSequence,
  vertexCount,
  type Weld,
  weldSequence,
} from '@pelt/model';
import { packSystem } from '../decompose/decompose.ts';
import { FitProblem } from '../decompose/fit-problem.ts';
import { linearSequenceErrors } from '../shared/sequence-errors.ts';
import { inVertexOrder } from '../shared/vertex-order.ts';
import { NAME_STYLES, nameBody } from './body-names.ts';
import { nameByPlace } from './bone-names.ts';
import { nameCreature } from './creature-names.ts';
import { deAguiarSkeleton } from './de-aguiar.ts';
import { fitGivenSkeleton, requireGivenSkeleton } from './given-skeleton.ts';
import { haslerSkeleton } from './hasler.ts';
import { type JointLimits, jointLimits } from './joint-limits.ts';
import { rehung } from './joint-tree.ts';
import { leDengSkeleton } from './le-deng.ts';
import { mirrorBones } from './mirror-bones.ts';
import { LOPSIDED, type MirrorPlane, mirrorPlane } from './mirror-plane.ts';
import {
  GIVEN_DECIDES,
  type PlannedOptions,
  SEED_PATCHES,
  SKELETON_DEFAULTS,
  SKELETON_TAKEN_BY,
  type SkeletonOptions,
  type SkeletonRequest,
} from './options.ts';
import { SKELETON_PLAN } from './plan.ts';
import { schaeferYukselSkeleton } from './schaefer-yuksel.ts';
import { type PackedSkeleton, type SolvedSkeleton, skeletonRig } from './skeleton-rig.ts';
import { strictSkeleton } from './strict.ts';

/** Root mean square distance between vertices and their mirror images, in radii, of a rest pose that is symmetric. */
const SYMMETRIC = 0.01;

/** What the bone between the legs is called, in every convention of names. */
const PELVIS: readonly string[] = ['Hips', 'hips', 'mixamorig:Hips'];

/** A skeleton that reproduces a sequence, with its motion and error. */
export interface SkeletonFit {
  /** On the caller's vertices; bones have parents before children, and the root comes first. */
  readonly rig: Rig;
  /** At the times of the sequence; joints are exact in every frame. */
  readonly clip: Clip;
  /** Of all vertices and frames, as linear blend skinning plays the rig. */
  readonly error: SequenceErrors;
  /** Rounds of weights, rotations and joints. */
  readonly iterations: number;
  /** Range of motion of each joint in the clip; undefined for the root. */
  readonly limits: readonly (JointLimits | undefined)[];
  /** Mirror image of each bone: possibly itself, −1 for none. Only with a mirror plane. */
  readonly partners: readonly number[] | undefined;
}

/**
 * Finds a joint hierarchy, skinning weights and joint rotations that reproduce a mesh animation by linear blend skinning.
 * The root translates and rotates, every other bone rotates about its joint. Vertices that coincide in every frame, as
 * along UV seams, are solved as one, and neither their order nor that of the triangles changes the result.
 *
 * @param sequence  S frames of n vertices
 * @param options   number of bones, method, root, symmetry, or an existing skeleton to fit
 * @param run       kernels, cancelling and progress
 *
 * @example
 * {@includeCode ../../examples/extract-skeleton.ts}
 */
export function extractSkeleton(sequence: MeshSequence, options: SkeletonRequest, run: Run): SkeletonFit {
  const { search, ...chosen } = resolveOptions('extractSkeleton', SKELETON_DEFAULTS, options);
  const resolved = { ...chosen, search: resolveOptions('search', SKELETON_PLAN, search) };
  requireTaken('extractSkeleton', resolved.method, SKELETON_TAKEN_BY, options, SKELETON_DEFAULTS);
  requireUndecided(options);
  validateMeshSequence(sequence);
  if (sequence.rest.positions.length === 0) throw new InputError('extractSkeleton: the mesh has no vertices');
  requireOptions(resolved, vertexCount(sequence.rest));
  return interruptible(run, () => {
    run.onProgress?.({ stage: 'reading the motion', fraction: 0 });
    const weld = inVertexOrder(weldSequence(sequence));
    // Joints are placed at the end; until then the bones are shown without their hierarchy.
    const problem: FitProblem = FitProblem.of(weld.sequence, run, {
      onRound: (system) =>
        run.onSnapshot?.(() => {
          const { rig, clip } = packSystem(weld.sequence, problem, system);
          return { rig: unweldRig(rig, weld.map, sequence.rest), clip };
        }),
    });
    const mirror = mirrorOf(problem, resolved, run);
    const solved = solve(problem, weld.sequence, onWelded(resolved, weld), mirror, stageOf(run, 0.05, 1));
    const images = solved.partners ?? (mirror && mirrorBones(solved.system, mirror));
    const paired = { ...solved, ...(images && { partners: images }) };
    const pack = (skeleton: SolvedSkeleton) =>
      skeletonRig(weld.sequence, problem.prepared, skeleton, (named) => {
        return nameBody(named, resolved.names) ?? nameCreature(named) ?? nameByPlace(named);
      });
    const { rig, clip, partners } = fromPelvis(pack, paired, resolved);
    solved.system.dispose();
    const whole = unweldRig(rig, weld.map, sequence.rest);
    const error = linearSequenceErrors({ sequence, rig: whole, clip }, run);
    return { rig: whole, clip, error, iterations: solved.iterations, limits: jointLimits(rig.bones, clip), partners };
  });
}

/** A skeleton with a pelvis hangs from it, unless the root was chosen. Exact joints are the same from any root. */
function fromPelvis(
  pack: (skeleton: SolvedSkeleton) => PackedSkeleton,
  solved: SolvedSkeleton,
  { root, given, method }: PlannedOptions,
): PackedSkeleton {
  const packed = pack(solved);
  if (root !== undefined || given || method !== 'strict') return packed;
  const pelvis = packed.rig.bones.findIndex(({ name }) => PELVIS.includes(name));
  if (pelvis <= 0) return packed;
  return pack({ ...solved, ...rehung(solved, () => packed.order[pelvis]) });
}

/** An existing skeleton says which bones there are, and how they are found. */
function requireUndecided(options: Partial<SkeletonOptions>): void {
  if (!options.given) return;
  const decided = GIVEN_DECIDES.find((name) => ![undefined, SKELETON_DEFAULTS[name]].includes(options[name]));
  if (decided) {
    throw new UsageError(`extractSkeleton: option '${decided}' has no effect on a given skeleton; leave it out`);
  }
}

/** Options that refer to vertices, mapped to the welded ones. */
function onWelded(options: PlannedOptions, { map, first }: Weld): PlannedOptions {
  const { root, given } = options;
  const weights = given?.weights;
  return {
    ...options,
    root: typeof root === 'number' ? map[root] : root,
    given: given && { ...given, ...(weights && { weights: gatherWeights(weights, first) }) },
  };
}

function solve(
  problem: FitProblem,
  sequence: MeshSequence,
  options: PlannedOptions,
  mirror: MirrorPlane | undefined,
  context: RunContext,
): SolvedSkeleton {
  if (options.given) return fitGivenSkeleton(problem, options.given, options, mirror, context);
  switch (options.method) {
    case 'schaefer-yuksel':
      return schaeferYukselSkeleton(problem, sequence, options, context);
    case 'de-aguiar':
      return deAguiarSkeleton(problem, sequence, options, context);
    case 'hasler':
      return haslerSkeleton(problem, options, context);
    case 'le-deng':
      return leDengSkeleton(problem, options, context);
    default:
      return strictSkeleton(problem, sequence, options, mirror, context);
  }
}

/** The mirror plane of the rest pose, if symmetry is wanted, or is there and may be used. */
function mirrorOf({ prepared }: FitProblem, options: PlannedOptions, run: Run): MirrorPlane | undefined {
  const { symmetry, bones, method, given } = options;
  if (symmetry === 'auto' && (bones !== 'auto' || method !== 'strict' || given)) return undefined;
  if (symmetry === false) return undefined;
  const mirror = mirrorPlane(prepared.trajectories.rest, run);
  if (symmetry === 'auto') return mirror.error <= SYMMETRIC ? mirror : undefined;
  if (mirror.error > LOPSIDED) {
    const percent = (100 * mirror.error).toFixed(1);
    throw new InputError(
      `the rest pose is not symmetric: vertices are ${percent} % of its radius off their mirror images; turn symmetry off`,
    );
  }
  return mirror;
}

function requireOptions(options: PlannedOptions, n: number): void {
  for (const name of ['bones', 'clusters', 'weights', 'rounds'] as const) {
    const value = options[name];
    if (value !== 'auto' && (!Number.isInteger(value) || value < 1)) {
      throw new UsageError(`extractSkeleton: ${name} is ${value}; it must be an integer of at least 1`);
    }
  }
  const { root, given, names } = options;
  if (!NAME_STYLES.includes(names)) {
    throw new UsageError(`extractSkeleton: names is '${names}'; use one of ${NAME_STYLES.join(', ')}`);
  }
  if (!SEED_PATCHES.includes(options.patches)) {
    throw new UsageError(`extractSkeleton: patches is '${options.patches}'; use one of ${SEED_PATCHES.join(', ')}`);
  }
  if (given) requireGivenSkeleton(given, n);
  if (typeof root === 'number' && !(Number.isInteger(root) && root >= 0 && root < n)) {
    throw new UsageError(`extractSkeleton: root is vertex ${root}; it must be between 0 and ${n - 1}`);
  }
  for (const name of ['worth', 'tolerance', 'restStiffness', 'jointPull'] as const) {
    if (!(options[name] >= 0))
      throw new UsageError(`extractSkeleton: ${name} is ${options[name]}; it must not be negative`);
  }
}
