/**
 * Linear blending of the example transforms: M_j = Σᵢ wᵢ M_ij.
 *
 * Reference: Sun. Example-based approach for real-time rigged character animation. 2017, equation 4.10. It is adequate
 * between similar poses; in extrapolation, or between poses at large angles, limbs shrink and stretch.
 */
import type { Interpolation, InterpolationInput } from './interpolate.ts';
import { PoseBlend } from './pose-blend.ts';

export class LinearInterpolation implements Interpolation {
  readonly #blend: PoseBlend;

  /** @param bones  m */
  constructor(bones: number, input: InterpolationInput) {
    const size = bones * 12;
    const values = new Float64Array(input.poses.length * size);
    input.poses.forEach((pose, i) => {
      values.set(pose, i * size);
    });
    this.#blend = new PoseBlend(values, input.poses.length, bones, input.neutral, input.shares);
  }

  interpolate(weights: Float64Array, out: Float64Array): void {
    this.#blend.blend(weights, out);
  }
}
