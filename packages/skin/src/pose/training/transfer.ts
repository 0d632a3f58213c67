/**
 * The pose space of one character for another of different connectivity: every control of the second goes like the
 * control of the first that corresponds to it.
 *
 * What is carried over is how controls turn and stretch, not where they go: the second character's own proportions
 * decide that, by least squares over its gradients, as deformation transfer does for triangles. Both must rest in
 * about the same pose, along the same axes.
 *
 * References: Der, Sumner, Popović. Inverse kinematics for reduced deformable models. 2006 (section 5, as a wish).
 * Sumner, Popović. Deformation transfer for triangle meshes. 2004.
 */

import { DenseCholesky, type Numerics } from '@pelt/math';
import {
  type Bone,
  boundsOf,
  exampleCount,
  InputError,
  type Poser,
  type Rig,
  TRANSFORM_SIZE,
  UsageError,
  validatePoser,
  validateRig,
  vertexCount,
} from '@pelt/model';
import { edgeGraph } from '../../shared/mesh/edge-graph.ts';
import { vertexAreas } from '../../shared/mesh/vertex-areas.ts';
import { BUILD_POSER_DEFAULTS } from '../options.ts';
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

/** For each control of `rig` one of `source`: the one of its name, else the nearest in place within the bodies' boxes. */
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
 * @param source    the character whose pose space is taken
 * @param rig       the character that shall have it, with weights of its own
 * @param controls  m: the source's control for each of the rig's; absent: `matchControls`
 * @param proxies   most proxies
 */
export function transferPoser(
  source: Poser,
  rig: Rig,
  numerics: Numerics,
  controls: Uint16Array = matchControls(source.rig, rig),
  proxies = BUILD_POSER_DEFAULTS.proxies,
): Poser {
  validatePoser(source);
  validateRig(rig);
  const n = vertexCount(rig.mesh);
  const m = rig.bones.length;
  if (n === 0) throw new InputError('transferPoser: the mesh has no vertices');
  if (controls.length !== m)
    throw new UsageError(`transferPoser: ${controls.length} correspondences for ${m} controls`);
  const wrong = controls.find((j) => j >= source.rig.bones.length);
  if (wrong !== undefined) throw new UsageError(`transferPoser: the source has no control ${wrong}`);
  const E = exampleCount(source);
  const transforms = new Float64Array(TRANSFORM_SIZE * m * E);
  const places = new TranslationSolver(rig, numerics);
  try {
    for (let e = 0; e < E; e++) {
      const pose = transforms.subarray(TRANSFORM_SIZE * m * e, TRANSFORM_SIZE * m * (e + 1));
      const from = TRANSFORM_SIZE * source.rig.bones.length * e;
      for (let k = 0; k < pose.length; k++) {
        const control = controls[Math.floor(k / TRANSFORM_SIZE)];
        pose[k] = source.exampleTransforms[from + TRANSFORM_SIZE * control + (k % TRANSFORM_SIZE)];
      }
      places.solve(pose);
    }
  } finally {
    places.dispose();
  }
  const times = Float64Array.from({ length: E }, (_, e) => e);
  return buildPoser(rig, { name: source.name, times, transforms }, { proxies, names: source.exampleNames });
}

/**
 * Where controls go whose linear parts are given: over their translations alone, the least squares of all vertices'
 * gradients against the blended linear parts, Σ_v a_v‖G_v u − Σ_j α_j F_j‖². What is left over is the jump between
 * neighbouring controls where the weights go over from one to the other, so that limbs stay on their bodies.
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

  constructor(rig: Rig, numerics: Numerics) {
    const { mesh, bones, weights } = rig;
    const n = vertexCount(mesh);
    const m = bones.length;
    this.#rig = rig;
    this.#N = 4 * m;
    this.#frame = relativeFrame(mesh.positions);
    const x = relativePositions(this.#frame, mesh.positions);
    this.#areas = vertexAreas(x, mesh.triangles);
    this.#rows = vertexGradientRows(x, weights, edgeGraph(mesh.triangles, n));
    this.#h = new Float64Array(this.#N * this.#N);
    addNormalMatrix(this.#rows, this.#areas, this.#h, this.#N);
    for (let i = 0; i < n; i++) addPosition(weights, x, i, STAY * this.#areas[i], this.#h, this.#N);
    const places = new Float64Array(m * m);
    for (let j = 0; j < m; j++) {
      for (let k = 0; k < m; k++) places[j * m + k] = this.#h[(4 * j + 3) * this.#N + 4 * k + 3];
      // A control that moves nothing has no row: it stays at rest.
      if (!(places[j * m + j] > 0)) places[j * m + j] = 1;
      places[j * m + j] *= 1 + 1e-12;
    }
    this.#factor = new DenseCholesky(numerics, m).factor(places);
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

  /** m × 3: the rows of GᵀW(Σ_j α_j F_j − I) that belong to translations. */
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

/** Each control's origin within the box around the mesh, 0 to 1 along every axis that has an extent. */
function placesOf({ mesh, bones }: Rig): number[][] {
  const { min, max } = boundsOf(mesh.positions);
  return bones.map(({ rest }: Bone) =>
    [0, 1, 2].map((c) => (max[c] > min[c] ? (rest[4 * c + 3] - min[c]) / (max[c] - min[c]) : 0)),
  );
}
