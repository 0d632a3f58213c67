/**
 * Evaluates a full learnt skin (rotational regression): joint angles → deformation gradients → the surface that fits
 * them best, with near-rigid vertices fixed at their linear blend → displacements that make the examples exact.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007 (sections 3 and 4).
 */
import { DISPOSE, polarDecomposition } from '@pelt/math';
import {
  type Envelope,
  type PoseDisplacements,
  type Run,
  resolveOptions,
  TRANSFORM_SIZE,
  UsageError,
  validateEnvelope,
} from '@pelt/model';
import { ENVELOPE_DEFORMER_DEFAULTS, type EnvelopeDeformerOptions } from '../options.ts';
import { AddedJoints } from './added-joints.ts';
import { BlendedPose, DisplacementBlend } from './blended-pose.ts';
import { GradientPrediction } from './gradient-predictors.ts';
import { GradientSurface } from './gradient-surface.ts';
import { PoseCoordinates } from './pose-coordinates.ts';
import { PoseInterpolation, posesOf } from './pose-interpolation.ts';

/**
 * Prepares a learnt skin for evaluation: the matrix of its Poisson problem is factored once, and each pose then takes
 * one prediction and one back-substitution. Dispose of it to free its memory.
 *
 * @example
 * {@includeCode ../../../examples/create-envelope-deformer.ts}
 */
export function createEnvelopeDeformer(
  envelope: Envelope,
  options: Partial<EnvelopeDeformerOptions> | undefined,
  run: Run,
): EnvelopeDeformer {
  validateEnvelope(envelope);
  const { correction } = resolveOptions('createEnvelopeDeformer', ENVELOPE_DEFORMER_DEFAULTS, options);
  return new EnvelopeDeformer(correction ? envelope : { ...envelope, displacements: undefined }, run);
}

/** Evaluates a full learnt skin pose by pose; a call allocates nothing. */
export class EnvelopeDeformer implements Disposable {
  readonly envelope: Envelope;
  readonly coordinates: PoseCoordinates;
  /** f × 9, the predicted gradients of the last pose */
  readonly gradients: Float64Array;
  /** m × 3 rotation vectors of the joints in the last pose */
  readonly joints: Float64Array;
  readonly #frames: Float64Array;
  #framesAreOld = false;
  readonly #blend: BlendedPose;
  readonly #added: AddedJoints | undefined;
  readonly #extended: Float64Array;
  readonly #surface: GradientSurface | undefined;
  readonly #prediction: GradientPrediction | undefined;
  readonly #positions: Float64Array;
  readonly #plain: Float64Array | undefined;
  readonly #sum = new Float64Array(9);
  readonly #stretch = new Float64Array(9);
  readonly #incidence: { readonly starts: Int32Array; readonly triangles: Int32Array };
  readonly #blendDisplacements: Displacer | undefined;
  readonly #displacements: Displacer | undefined;

  constructor(envelope: Envelope, { numerics }: Pick<Run, 'numerics'>) {
    const { rig, predictors, fixed, pull } = envelope;
    const { positions, triangles } = rig.mesh;
    this.envelope = envelope;
    this.coordinates = new PoseCoordinates(rig.bones, envelope.centres);
    this.#frames = new Float64Array(3 * positions.length);
    this.gradients = new Float64Array(3 * triangles.length);
    this.joints = new Float64Array(3 * rig.bones.length);
    this.#blend = new BlendedPose(positions, envelope.addedBlend ?? rig.weights);
    this.#added = envelope.addedBlend && new AddedJoints(rig.bones, envelope.centres);
    this.#extended = new Float64Array(TRANSFORM_SIZE * (this.#added?.bones.length ?? 0));
    this.#positions = new Float64Array(positions.length);
    this.#incidence = trianglesAround(triangles, positions.length / 3);
    const displacer = (given: PoseDisplacements | undefined) =>
      given && {
        interpolation: new PoseInterpolation(rig.bones, posesOf(given, rig.bones.length)),
        blend: new DisplacementBlend(given, rig.weights),
      };
    this.#blendDisplacements = displacer(envelope.blendDisplacements);
    this.#displacements = displacer(envelope.displacements);
    if (!predictors) return;
    this.#prediction = new GradientPrediction(predictors);
    if (fixed.some((flag) => flag === 1)) this.#plain = new Float64Array(positions.length);
    this.#surface = new GradientSurface(numerics, positions, triangles, fixed, pull);
  }

  /** Rotations of the surface at the vertices of `envelope.rig` in the last pose, 9 each. */
  get frames(): Float64Array {
    if (this.#framesAreOld) this.#updateFrames();
    this.#framesAreOld = false;
    return this.#frames;
  }

  /**
   * Poses the skin.
   *
   * @param transforms  m × 12, rest → pose
   * @param out         n × 3 positions, for the vertices that training was given; overwritten
   */
  deform(transforms: Float64Array, out: Float32Array): Float32Array {
    const { unwelded } = this.envelope;
    const y = this.deformUncorrected(transforms);
    this.#displace(this.#displacements, y);
    if (!unwelded) out.set(y);
    else {
      const { map } = unwelded;
      for (let i = 0; i < map.length; i++) for (let c = 0; c < 3; c++) out[3 * i + c] = y[3 * map[i] + c];
    }
    return out;
  }

  /**
   * The skin without its last displacements, at the vertices of `envelope.rig`; fills `gradients` and `joints`.
   *
   * @returns positions of `envelope.rig`, 3 each: a buffer that the next call overwrites
   */
  deformUncorrected(transforms: Float64Array): Float64Array {
    const { rig, predictors, blendDisplacements, fixed } = this.envelope;
    const m = rig.bones.length;
    if (transforms.length !== TRANSFORM_SIZE * m) {
      throw new UsageError(
        `deform: ${transforms.length} numbers are not ${m} transforms; give 12 for each bone of '${rig.name}'`,
      );
    }
    const y = this.#positions;
    const { values } = this.coordinates.read(transforms);
    for (let j = 0; j < m; j++) for (let k = 0; k < 3; k++) this.joints[3 * j + k] = values[6 * j + k];
    // Displacements of the blend are in the frames of the blend; those of the gradients follow below.
    const bones = this.#added?.extend(transforms, this.#extended) ?? transforms;
    this.#blend.blend(bones, y, !predictors || blendDisplacements ? this.#frames : undefined);
    this.#framesAreOld = false;
    this.#plain?.set(y);
    this.#displace(this.#blendDisplacements, y);
    if (!this.#surface || !this.#prediction) return y;
    const plain = this.#plain;
    if (plain) for (let k = 0; k < y.length; k++) if (fixed[Math.floor(k / 3)]) y[k] = plain[k];
    this.#prediction.predict(this.coordinates, this.gradients);
    this.#surface.solve(this.gradients, y, y);
    this.#framesAreOld = true;
    return y;
  }

  /** Frees the kernels' memory; the deformer must not be used afterwards. */
  dispose(): void {
    this.#surface?.dispose();
  }

  [DISPOSE](): void {
    this.dispose();
  }

  #displace(displacer: Displacer | undefined, y: Float64Array): void {
    if (displacer) displacer.blend.addTo(displacer.interpolation.at(this.joints), this.frames, y);
  }

  /** The rotation nearest to the mean gradient around each vertex; a vertex without triangles follows its first bone. */
  #updateFrames(): void {
    const { starts, triangles } = this.#incidence;
    const { slots, bones } = this.envelope.rig.weights;
    const { rotations } = this.coordinates;
    const sum = this.#sum;
    for (let i = 0; i + 1 < starts.length; i++) {
      if (starts[i] === starts[i + 1]) {
        for (let k = 0; k < 9; k++) this.#frames[9 * i + k] = rotations[9 * bones[i * slots] + k];
        continue;
      }
      sum.fill(0);
      for (let k = starts[i]; k < starts[i + 1]; k++) {
        for (let c = 0; c < 9; c++) sum[c] += this.gradients[9 * triangles[k] + c];
      }
      polarDecomposition(sum, 0, this.#frames, 9 * i, this.#stretch, 0);
    }
  }
}

interface Displacer {
  readonly interpolation: PoseInterpolation;
  readonly blend: DisplacementBlend;
}

/** The triangles at each vertex, in compressed rows. */
function trianglesAround(triangles: Uint32Array, n: number) {
  const starts = new Int32Array(n + 1);
  for (const i of triangles) starts[i + 1]++;
  for (let i = 0; i < n; i++) starts[i + 1] += starts[i];
  const next = starts.slice(0, n);
  const around = new Int32Array(triangles.length);
  triangles.forEach((i, corner) => {
    around[next[i]++] = Math.floor(corner / 3);
  });
  return { starts, triangles: around };
}
