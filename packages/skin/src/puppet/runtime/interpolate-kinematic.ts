/**
 * Forward kinematics: blends the rotation, translation and stretch of each bone relative to its parent, and composes them
 * along the hierarchy. Limbs keep their length for all weights, including negative ones and those above 1, and twists are
 * extrapolated.
 *
 * Reference: Sun. Example-based approach for real-time rigged character animation. 2017, equations 4.11 and 4.12. The
 * angles θ there are logarithms here (see `kinematic-values.ts`).
 */
import type { Bone } from '@pelt/model';
import type { Interpolation, InterpolationInput } from './interpolate.ts';
import { KinematicComposer } from './kinematic-composer.ts';
import { CHANNELS } from './kinematic-values.ts';
import { PoseBlend } from './pose-blend.ts';

export class KinematicInterpolation implements Interpolation {
  readonly #blend: PoseBlend;
  readonly #composer: KinematicComposer;
  readonly #values: Float64Array;

  constructor(bones: readonly Bone[], input: InterpolationInput) {
    const m = bones.length;
    const { values, references } = input.values;
    this.#composer = new KinematicComposer(bones, values, references);
    this.#blend = new PoseBlend(values, input.poses.length, m, input.neutral, input.shares);
    this.#values = new Float64Array(m * CHANNELS);
  }

  interpolate(weights: Float64Array, out: Float64Array): void {
    const values = this.#values;
    this.#blend.blend(weights, values);
    this.#composer.compose(values, out);
  }
}
