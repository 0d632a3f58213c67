/**
 * Transfers the pose space of one character to another of different connectivity: every control of the target moves
 * like the corresponding control of the source.
 *
 * Only the linear parts of the controls are transferred. The translations follow from the proportions of the target, by
 * least squares over its gradients, as in deformation transfer. Both characters must have about the same rest pose and
 * the same axes.
 *
 * References: Der, Sumner, Popović. Inverse kinematics for reduced deformable models. 2006 (section 5, future work).
 * Sumner, Popović. Deformation transfer for triangle meshes. 2004.
 */
import { DenseCholesky } from '@pelt/math';
import {
  type Bone,
  boundsOf,
  checkCancelled,
  exampleCount,
  InputError,
  interruptible,
  type Poser,
  type Rig,
  type Run,
  resolveOptions,
  stageOf,
  TRANSFORM_SIZE,
  UsageError,
  validatePoser,
  validateRig,
  vertexCount,
} from '@pelt/model';
import { edgeGraph } from '../../shared/mesh/edge-graph.ts';
import { vertexAreas } from '../../shared/mesh/vertex-areas.ts';
import { TRANSFER_POSER_DEFAULTS, type TransferPoserOptions } from '../options.ts';
import { STAY } from '../runtime/control-system.ts';
import { addNormalMatrix, addPosition } from '../runtime/normal-matrix.ts';
import {
  type RelativeFrame,
  relativeFrame,
  relativePositions,
  transformsOf,
  unknownsOf,
} from '../runtime/relative-frame.ts';
import { type GradientRows, vertexGradientRows } from '../runtime/weight-gradients.ts';
import { buildPoser } from './build-poser.ts';

/** The control of `source` for each of `rig`: that of the same name, else the nearest relative to the bounding boxes. */
export function matchControls(source: Rig, rig: Rig): Uint16Array {
  const names = new Map(source.bones.map(({ name }, j) => [name, j]));
  const from = placesOf(source);
  const to = placesOf(rig);
  return Uint16Array.from(rig.bones, ({ name }, j) => {
    const named = names.get(name);
    if (named !== undefined) return named;
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    from.forEach((place, k) => {
      const away = place.reduce((sum, value, c) => sum + (value - to[j][c]) ** 2, 0);
      if (away < least) [best, least] = [k, away];
    });
    return best;
  });
}

/**
 * Transfers the pose space of a character to another one, which has weights of its own.
 *
 * @param data  the poser whose pose space is transferred, with E examples, and the rig that gets it
 *
 * @example
 * {@includeCode ../../../examples/transfer-poser.ts}
 */
export function transferPoser(
  { source, rig }: { readonly source: Poser; readonly rig: Rig },
  options: Partial<TransferPoserOptions> | undefined,
  run: Run,
): Poser {
  const { controls: given, proxies } = resolveOptions('transferPoser', TRANSFER_POSER_DEFAULTS, options);
  validatePoser(source);
  validateRig(rig);
  const m = rig.bones.length;
  if (vertexCount(rig.mesh) === 0) throw new InputError(`transferPoser: the mesh of rig '${rig.name}' has no vertices`);
  const controls = given ?? matchControls(source.rig, rig);
  if (controls.length !== m) {
    throw new UsageError(`transferPoser: ${controls.length} correspondences for ${m} controls; give one each`);
  }
  const wrong = controls.find((j) => j >= source.rig.bones.length);
  if (wrong !== undefined) {
    throw new UsageError(
      `transferPoser: the source has no control ${wrong}; controls are 0 to ${source.rig.bones.length - 1}`,
    );
  }
  return interruptible(run, () => {
    const transforms = transferTransforms(source, rig, controls, run);
    const times = Float64Array.from({ length: exampleCount(source) }, (_, e) => e);
    const clip = { name: source.name, times, transforms };
    const regions = transferRegions(source, rig, controls);
    return buildPoser({ rig, clip }, { proxies, names: source.exampleNames, regions }, stageOf(run, 0.5, 1));
  });
}

/** n: the region of each vertex of the rig, that of the source's control which its own strongest control follows. */
function transferRegions(source: Poser, rig: Rig, controls: Uint16Array): Uint16Array | number {
  const { regions, vertexProxies } = source;
  if (!regions) return 1;
  const R = regions.parents.length;
  const votes = new Float64Array(source.rig.bones.length * R);
  const own = source.rig.weights;
  own.weights.forEach((weight, s) => {
    const proxy = vertexProxies[Math.floor(s / own.slots)];
    for (let r = 0; r < R; r++) votes[own.bones[s] * R + r] += weight * regions.shares[proxy * R + r];
  });
  const regionOf = source.rig.bones.map((_, j) => {
    const shares = votes.subarray(j * R, (j + 1) * R);
    return shares.indexOf(Math.max(...shares));
  });
  const { slots, bones, weights } = rig.weights;
  return Uint16Array.from({ length: vertexCount(rig.mesh) }, (_, i) => {
    let most = i * slots;
    for (let s = i * slots; s < (i + 1) * slots; s++) if (weights[s] > weights[most]) most = s;
    return regionOf[controls[bones[most]]];
  });
}

/** E × m × 12: the controls of the rig in every example. */
function transferTransforms(source: Poser, rig: Rig, controls: Uint16Array, run: Run): Float64Array {
  const [E, m] = [exampleCount(source), rig.bones.length];
  const transforms = new Float64Array(TRANSFORM_SIZE * m * E);
  const solver = new TranslationSolver(rig, run);
  try {
    for (let e = 0; e < E; e++) {
      checkCancelled(run);
      run.onProgress?.({ stage: 'transferring examples', fraction: (0.5 * e) / E });
      const pose = transforms.subarray(TRANSFORM_SIZE * m * e, TRANSFORM_SIZE * m * (e + 1));
      const from = TRANSFORM_SIZE * source.rig.bones.length * e;
      for (let k = 0; k < pose.length; k++) {
        const control = controls[Math.floor(k / TRANSFORM_SIZE)];
        pose[k] = source.exampleTransforms[from + TRANSFORM_SIZE * control + (k % TRANSFORM_SIZE)];
      }
      solver.solve(pose);
    }
  } finally {
    solver.dispose();
  }
  return transforms;
}

/**
 * Solves for the translations of controls with given linear parts: minimise Σ_v a_v‖G_v u − Σ_j α_j F_j‖² over the
 * translations. The residual is the discontinuity between neighbouring controls where the weights change from one to the
 * other, so that limbs stay attached.
 */
class TranslationSolver {
  readonly #frame: RelativeFrame;
  readonly #rig: Rig;
  readonly #rows: GradientRows;
  readonly #areas: Float64Array;
  /** N × N */
  readonly #h: Float64Array;
  readonly #factor: DenseCholesky;
  readonly #N: number;

  constructor(rig: Rig, run: Run) {
    const { mesh, bones, weights } = rig;
    const n = vertexCount(mesh);
    const m = bones.length;
    this.#rig = rig;
    this.#N = 4 * m;
    this.#frame = relativeFrame(mesh.positions);
    const x = relativePositions(this.#frame, mesh.positions);
    this.#areas = vertexAreas(x, mesh.triangles);
    this.#rows = vertexGradientRows(x, weights, edgeGraph(mesh.triangles, n), run);
    this.#h = new Float64Array(this.#N * this.#N);
    addNormalMatrix(this.#rows, this.#areas, this.#h, this.#N);
    for (let i = 0; i < n; i++) addPosition(weights, x, i, STAY * this.#areas[i], this.#h, this.#N);
    const places = new Float64Array(m * m);
    for (let j = 0; j < m; j++) {
      for (let k = 0; k < m; k++) places[j * m + k] = this.#h[(4 * j + 3) * this.#N + 4 * k + 3];
      // A control that moves no vertex has an empty row; it stays at rest.
      if (!(places[j * m + j] > 0)) places[j * m + j] = 1;
      places[j * m + j] *= 1 + 1e-12;
    }
    this.#factor = new DenseCholesky(run.numerics, m);
    try {
      this.#factor.factor(places);
    } catch (error) {
      this.#factor.dispose();
      throw error;
    }
  }

  /** @param pose  m × 12, rest → pose in model space; its translations are overwritten */
  solve(pose: Float64Array): void {
    const N = this.#N;
    const u = new Float64Array(3 * N);
    unknownsOf(this.#frame, pose, u);
    for (let j = 0; j < N; j += 4) u.fill(0, 3 * j + 9, 3 * j + 12);
    const force = this.#blendedForce(pose);
    const places = new Float64Array((3 * N) / 4);
    for (let j = 0; j < N / 4; j++) {
      for (let r = 0; r < 3; r++) {
        let sum = force[3 * j + r];
        for (let k = 0; k < N; k++) sum -= this.#h[(4 * j + 3) * N + k] * u[3 * k + r];
        places[3 * j + r] = sum;
      }
    }
    this.#factor.solveInPlace(places, 3);
    for (let j = 0; j < N / 4; j++) u.set(places.subarray(3 * j, 3 * j + 3), 12 * j + 9);
    transformsOf(this.#frame, u, pose);
  }

  dispose(): void {
    this.#factor.dispose();
  }

  /** m × 3: the translations' rows of GᵀW(Σ_j α_j F_j − I). */
  #blendedForce(pose: Float64Array): Float64Array {
    const { starts, controls, blocks } = this.#rows;
    const { slots, bones, weights } = this.#rig.weights;
    const out = new Float64Array((3 * this.#N) / 4);
    const wanted = new Float64Array(9);
    for (let i = 0; i + 1 < starts.length; i++) {
      wanted.fill(0);
      for (let s = i * slots; s < (i + 1) * slots; s++) {
        const at = TRANSFORM_SIZE * bones[s];
        for (let c = 0; c < 9; c++) {
          wanted[c] += weights[s] * (pose[at + 4 * Math.floor(c / 3) + (c % 3)] - (c % 4 === 0 ? 1 : 0));
        }
      }
      for (let b = starts[i]; b < starts[i + 1]; b++) {
        for (let r = 0; r < 3; r++) {
          for (let c = 0; c < 3; c++) {
            out[3 * controls[b] + r] += this.#areas[i] * blocks[12 * b + 9 + c] * wanted[3 * r + c];
          }
        }
      }
    }
    return out;
  }
}

/** The origin of each control relative to the mesh's bounding box, 0 to 1 along each axis. */
function placesOf({ mesh, bones }: Rig): number[][] {
  const { min, max } = boundsOf(mesh.positions);
  return bones.map(({ rest }: Bone) =>
    [0, 1, 2].map((c) => (max[c] > min[c] ? (rest[4 * c + 3] - min[c]) / (max[c] - min[c]) : 0)),
  );
}
