/**
 * A learnt skin at run time, at full size: joints → deformation gradients → the surface that fits them, near-rigid
 * vertices on their linear blend → displacements that meet the examples.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007 (sections 3 and 4).
 */
import { type Numerics, polarDecomposition } from '@pelt/math';
import { type Envelope, type PoseDisplacements, UsageError } from '@pelt/model';
import { addDisplacements, blendPose } from './blended-pose.ts';
import { predictGradients } from './gradient-predictors.ts';
import { GradientSurface } from './gradient-surface.ts';
import { PoseCoordinates } from './pose-coordinates.ts';
import { PoseInterpolation, posesOf } from './pose-interpolation.ts';

export class EnvelopeDeformer {
  readonly envelope: Envelope;
  readonly coordinates: PoseCoordinates;
  /** n × 9, rotations round the vertices in the pose last given */
  readonly frames: Float64Array;
  readonly #surface: GradientSurface | undefined;
  /** f × 9, the predicted gradients of the pose last given */
  readonly gradients: Float64Array;
  readonly #blended: Float64Array;
  readonly #joints: Float64Array;
  readonly #sum = new Float64Array(9);
  readonly #stretch = new Float64Array(9);
  readonly #incidence: { readonly starts: Int32Array; readonly triangles: Int32Array };
  readonly #blendInterpolation: PoseInterpolation | undefined;
  readonly #interpolation: PoseInterpolation | undefined;

  constructor(numerics: Numerics, envelope: Envelope) {
    const { rig, predictors } = envelope;
    const { positions, triangles } = rig.mesh;
    this.envelope = envelope;
    this.coordinates = new PoseCoordinates(rig.bones, envelope.centres);
    this.frames = new Float64Array(3 * positions.length);
    this.gradients = new Float64Array(3 * triangles.length);
    this.#blended = new Float64Array(positions.length);
    this.#joints = new Float64Array(3 * rig.bones.length);
    this.#incidence = trianglesRound(triangles, positions.length / 3);
    this.#surface = predictors
      ? new GradientSurface(numerics, positions, triangles, envelope.fixed, envelope.pull)
      : undefined;
    const over = (given: PoseDisplacements | undefined) =>
      given && new PoseInterpolation(rig.bones, posesOf(given, rig.bones.length));
    this.#blendInterpolation = over(envelope.blendDisplacements);
    this.#interpolation = over(envelope.displacements);
  }

  /**
   * @param transforms  m × 12, rest → pose
   * @param out         n × 3; overwritten
   */
  deform(transforms: Float64Array, out: Float32Array): Float32Array {
    const { rig, displacements } = this.envelope;
    const y = this.deformUncorrected(transforms);
    if (displacements && this.#interpolation) {
      addDisplacements(displacements, rig.weights, this.#interpolation.at(this.joints()), this.frames, y);
    }
    out.set(y);
    return out;
  }

  /** The skin without its last displacements, n × 3 (a buffer of the deformer); fills `frames`. */
  deformUncorrected(transforms: Float64Array): Float64Array {
    const { rig, predictors, blendDisplacements, fixed } = this.envelope;
    const { positions } = rig.mesh;
    if (transforms.length !== 12 * rig.bones.length) {
      throw new UsageError(`envelope: ${transforms.length / 12} transforms for ${rig.bones.length} bones`);
    }
    const y = this.#blended;
    this.coordinates.read(transforms);
    // The blend's own axes are for what is added to the blend; gradients have theirs.
    const blendFrames = !predictors || blendDisplacements ? this.frames : undefined;
    blendPose(positions, rig.weights, transforms, y, blendFrames);
    const plain = predictors && fixed.some((flag) => flag === 1) ? y.slice() : undefined;
    if (blendDisplacements && this.#blendInterpolation) {
      const cardinal = this.#blendInterpolation.at(this.joints());
      addDisplacements(blendDisplacements, rig.weights, cardinal, this.frames, y);
    }
    if (!predictors || !this.#surface) return y;
    if (plain) for (let k = 0; k < y.length; k++) if (fixed[Math.floor(k / 3)]) y[k] = plain[k];
    predictGradients(predictors, this.coordinates, this.gradients);
    this.#surface.solve(this.gradients, y, y);
    this.#turnFrames();
    return y;
  }

  /** m × 3 rotation vectors of the joints in the pose last given. */
  joints(): Float64Array {
    const { values } = this.coordinates;
    for (let k = 0; k < this.#joints.length; k++) this.#joints[k] = values[6 * Math.floor(k / 3) + (k % 3)];
    return this.#joints;
  }

  dispose(): void {
    this.#surface?.dispose();
  }

  /** The rotation nearest to the mean gradient round each vertex; one without triangles turns with its first bone. */
  #turnFrames(): void {
    const { starts, triangles } = this.#incidence;
    const { slots, bones } = this.envelope.rig.weights;
    const sum = this.#sum;
    for (let i = 0; i + 1 < starts.length; i++) {
      if (starts[i] === starts[i + 1]) {
        const Q = 9 * bones[i * slots];
        this.frames.set(this.coordinates.rotations.subarray(Q, Q + 9), 9 * i);
        continue;
      }
      sum.fill(0);
      for (let k = starts[i]; k < starts[i + 1]; k++) {
        for (let c = 0; c < 9; c++) sum[c] += this.gradients[9 * triangles[k] + c];
      }
      polarDecomposition(sum, 0, this.frames, 9 * i, this.#stretch, 0);
    }
  }
}

/** The triangles at each vertex, in compressed rows. */
function trianglesRound(triangles: Uint32Array, n: number) {
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
