/**
 * Skeleton-driven Laplacian volumetric deformation: some vertices of a tetrahedral body follow the bones, and all vertices
 * minimise Σ vol ‖F − T‖², where T lies between a rotation near to the deformation gradient F and the nearest matrix of the
 * volume that is wanted; a term that resists the bending of the surface; and springs that draw vertices to where linear
 * blend skinning has them, or fix them there where the user chose them (`VolumeSystem`).
 *
 * Iterations of local targets and one linear solve are accelerated (`VolumeIteration`). The first pose starts from the
 * blended rotations of the bones; the next frame of a motion from what the last two predict (`BoneFrames`). Iterations end
 * when the body changes by less than a tolerance; inversions that remain are then removed (`Untangler`).
 *
 * Why four terms, as roughness (see benchmarks/tasks/volume/surface-quality.mjs) in degrees, mean and p99, of a cylinder
 * bent by 90°: rotations, volume of every tetrahedron and fixed rings give 1.31/23.7, which is crumpled skin, where dual
 * quaternions have 0.25/6.7. Volume of neighbourhoods, soft rings, rotations that lean to those of the bones and resistance
 * to bending together give 0.04/0.6. Constraints ten times as stiff: 0.10/1.1.
 *
 * Reference: Budd, Hilton. Skeleton driven Laplacian volumetric deformation. 2009.
 */
import { VolumeIteration, VolumeSystem } from '@pelt/kernels';
import { DISPOSE, type Numerics } from '@pelt/math';
import {
  type Bone,
  InputError,
  interruptible,
  type Mesh,
  type Run,
  resolveOptions,
  type SkinWeights,
  type TetMesh,
  TRANSFORM_SIZE,
  UsageError,
  validateMesh,
  validateSkinWeights,
  validateTetMesh,
} from '@pelt/model';
import { VOLUME_DEFORMER_DEFAULTS, type VolumeDeformerOptions } from '../options.ts';
import { BoneFrames } from './bone-frames.ts';
import type { BlendedShapes } from './shape-blender.ts';
import { SurfaceCarrier } from './surface-carrier.ts';
import { Untangler } from './untangle.ts';

/** A body that is bound to a skeleton. */
export interface VolumeBinding {
  readonly body: TetMesh;
  /** v × K weights of the body's vertices: they move the fixed ones, and initialise all others */
  readonly skin: SkinWeights;
  /** Vertices of the body that follow the bones, at least one in each connected component. */
  readonly fixed: Uint32Array;
  /** Automatic constraints may be relaxed to avoid inversions; constraints the user chose may not. */
  readonly yielding: boolean;
}

/** What a volumetric deformation needs. */
export interface VolumeModel {
  /** The mesh that the body was made from, n vertices. */
  readonly surface: Mesh;
  /** m bones at rest */
  readonly bones: readonly Bone[];
  /** The body, v vertices and e tetrahedra, bound to the bones. */
  readonly binding: VolumeBinding;
}

type Terms = Pick<VolumeDeformerOptions, 'bending' | 'rotationWeight' | 'constraintStiffness'>;

/** Rotations of the tetrahedra and exact constraints alone. */
const PLAIN_TERMS: Terms = { bending: 0, rotationWeight: 0, constraintStiffness: Number.POSITIVE_INFINITY };
/** The published iteration. */
const BUDD_HILTON = { ...PLAIN_TERMS, volumeWeight: 0, accelerate: false } as const;
/** Most iterations of a pose, accelerated and plain. */
const MOST_ROUNDS = { smooth: 100, 'budd-hilton': 1000 } as const;

/** How the solver reached a pose; the same object every time. */
export interface VolumeConvergence {
  /** Number of iterations. */
  readonly rounds: number;
  /** Change by the last iteration, in the unit of the tolerance. */
  readonly change: number;
}

/**
 * Prepares a volumetric deformation: its matrix is factored once. Dispose of it to free its memory.
 *
 * @example
 * {@includeCode ../../../examples/create-volume-deformer.ts}
 */
export function createVolumeDeformer(
  model: VolumeModel,
  options: Partial<VolumeDeformerOptions> | undefined,
  run: Run,
): VolumeDeformer {
  const resolved = resolveOptions('createVolumeDeformer', VOLUME_DEFORMER_DEFAULTS, options);
  const { body, skin, fixed } = model.binding;
  validateMesh(model.surface);
  validateTetMesh(body);
  validateSkinWeights(skin, body.positions.length / 3, model.bones.length);
  if (fixed.length === 0) {
    throw new InputError('createVolumeDeformer: no vertex of the body follows the bones; choose constraints');
  }
  return interruptible(run, () => new VolumeDeformer(model, resolved, run));
}

interface Solver {
  readonly system: VolumeSystem;
  readonly iteration: VolumeIteration;
  /** Whether the constraints hold exactly. */
  readonly hard: boolean;
}

/** Deforms a body pose by pose; a call allocates nothing that grows with the body, unless tetrahedra are inverted. */
export class VolumeDeformer implements Disposable {
  readonly #binding: VolumeBinding;
  readonly #options: VolumeDeformerOptions;
  readonly #numerics: Numerics;
  readonly #smooth: Solver;
  /** The one for shapes from examples, made when they are first given. */
  #shaped: Solver | undefined;
  #solver: Solver;
  readonly #frames: BoneFrames;
  readonly #carrier: SurfaceCarrier;
  readonly #untangler: Untangler;
  readonly #bones: number;
  /** fixed × 3: added to the rest positions of the fixed vertices */
  #offsets: Float64Array | undefined;
  readonly #convergence = { rounds: 0, change: 0 };
  /** Whether there is a last pose to continue from. */
  #hasPose = false;

  constructor({ surface, bones, binding }: VolumeModel, options: VolumeDeformerOptions, { numerics }: Run) {
    const { body, skin, fixed, yielding } = binding;
    this.#options = options.method === 'budd-hilton' ? { ...options, ...BUDD_HILTON } : options;
    this.#binding = binding;
    this.#bones = bones.length;
    this.#carrier = new SurfaceCarrier(surface, body);
    this.#frames = new BoneFrames(skin);
    this.#numerics = numerics;
    this.#smooth = this.#solverWith(this.#options);
    this.#solver = this.#smooth;
    this.#untangler = new Untangler(body, this.#smooth.hard ? fixed : new Uint32Array(0), yielding);
  }

  #solverWith(terms: Terms): Solver {
    const { body, fixed, yielding } = this.#binding;
    const { bending, rotationWeight, constraintStiffness: stiffness } = terms;
    const hard = !yielding || stiffness === Number.POSITIVE_INFINITY;
    const system = new VolumeSystem(this.#numerics, Float64Array.from(body.positions), body.tetrahedra, {
      ...(hard ? { fixed } : { held: fixed, stiffness }),
      bending,
      rotationWeight,
    });
    return { system, iteration: new VolumeIteration(this.#numerics, system, this.#options.accelerate), hard };
  }

  /** v × 3 vertices of the body in the last pose: a view that is valid until the next call. */
  get bodyPositions(): Float64Array {
    return this.#solver.system.positions.view;
  }

  /** Discards the last pose: the next one starts from the rotations of the bones. */
  reset(): void {
    this.#hasPose = false;
    this.#frames.reset();
  }

  /**
   * Sets the shape of the following poses, as interpolated from examples: stretches of the tetrahedra and displaced
   * fixed vertices. They determine the volume and the surface themselves: the weights of volume, bending and rotations are
   * ignored, and constraints hold exactly; undefined resets it.
   */
  setShapes(shapes: BlendedShapes | undefined): void {
    if (shapes) this.#shaped ??= this.#solverWith(PLAIN_TERMS);
    const solver = (shapes && this.#shaped) ?? this.#smooth;
    if (solver !== this.#solver) solver.system.positions.view.set(this.bodyPositions);
    this.#solver = solver;
    if (shapes) solver.system.setShapes(shapes.stretches);
    this.#offsets = shapes?.offsets;
  }

  /**
   * Poses the body.
   *
   * @param transforms  m × 12, row-major 3 × 4 [R | t], rest → pose
   * @param out         n × 3 vertices of the surface; overwritten; a vertex without triangles stays at rest
   */
  deform(transforms: Float64Array, out: Float32Array): VolumeConvergence {
    if (transforms.length !== this.#bones * TRANSFORM_SIZE) {
      throw new UsageError(
        `deform: ${transforms.length} numbers are not ${this.#bones} transforms; give 12 for each bone of the skeleton`,
      );
    }
    this.#begin(transforms);
    this.#iterate();
    this.#solver.iteration.finish();
    if (this.#options.method !== 'budd-hilton') this.#untangler.open(this.bodyPositions);
    this.#hasPose = true;
    this.#carrier.carry(this.bodyPositions, out);
    return this.#convergence;
  }

  /** Frees the kernels' memory; the deformer must not be used afterwards. */
  dispose(): void {
    for (const solver of [this.#smooth, this.#shaped]) {
      solver?.iteration.dispose();
      solver?.system.dispose();
    }
  }

  [DISPOSE](): void {
    this.dispose();
  }

  /** Places the fixed vertices, and initialises the free ones. */
  #begin(transforms: Float64Array): void {
    const { system, iteration } = this.#solver;
    this.#frames.pose(transforms);
    const published = this.#options.method === 'budd-hilton';
    system.setRotations((quaternions) => {
      if (!published) this.#frames.rotations(quaternions);
      else for (let k = 0; k < quaternions.length; k++) quaternions[k] = k % 4 === 3 ? 1 : 0;
    });
    const goesOn = this.#hasPose && !published;
    if (goesOn) this.#frames.predict(system.positions.view);
    this.#placeFixed(transforms);
    if (goesOn) iteration.beginAtPositions();
    else iteration.beginFromRotations();
  }

  /** Linear blend skinning in double precision, so that the rest pose is reproduced exactly. */
  #placeFixed(transforms: Float64Array): void {
    const { body, skin, fixed } = this.#binding;
    const { system, hard } = this.#solver;
    const places = hard ? system.positions.view : system.places.view;
    const offsets = this.#offsets;
    const K = skin.slots;
    for (let k = 0; k < fixed.length; k++) {
      const v = fixed[k];
      const x = body.positions[3 * v] + (offsets ? offsets[3 * k] : 0);
      const y = body.positions[3 * v + 1] + (offsets ? offsets[3 * k + 1] : 0);
      const z = body.positions[3 * v + 2] + (offsets ? offsets[3 * k + 2] : 0);
      for (let axis = 0; axis < 3; axis++) {
        let place = 0;
        let total = 0;
        for (let s = v * K; s < (v + 1) * K; s++) {
          const weight = skin.weights[s];
          if (weight === 0) continue;
          total += weight;
          const row = TRANSFORM_SIZE * skin.bones[s] + 4 * axis;
          place +=
            weight * (transforms[row] * x + transforms[row + 1] * y + transforms[row + 2] * z + transforms[row + 3]);
        }
        places[3 * (hard ? v : k) + axis] = place / total;
      }
    }
  }

  #iterate(): void {
    const { method, tolerance, mostRounds } = this.#options;
    const most = mostRounds === 'auto' ? MOST_ROUNDS[method] : mostRounds;
    const volumeWeight = this.#offsets ? 0 : this.#options.volumeWeight;
    const convergence = this.#convergence;
    for (convergence.rounds = 1; ; convergence.rounds++) {
      convergence.change = this.#solver.iteration.round(volumeWeight);
      if (convergence.change <= tolerance || convergence.rounds >= most) return;
    }
  }
}
