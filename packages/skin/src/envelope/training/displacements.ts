/**
 * Residuals of a skin at the example poses, in the local frames of the skin, to be interpolated between them: pose space
 * deformation where the skin is a linear blend, the correction where it is a learnt one. The rest pose is an example
 * with a residual of zero; examples of one pose share the mean of their residuals.
 */
import { checkCancelled, type PoseDisplacements, type RunContext } from '@pelt/model';
import { poseDistance, SAME_POSE } from '../runtime/pose-interpolation.ts';

export interface SkinAtPose {
  /** m × 3 rotation vectors of the joints */
  readonly joints: Float64Array;
  /** n × 3 */
  readonly positions: Float64Array | Float32Array;
  /** Rotations of the surface, 9 each: one per vertex, or those that `axes` refers to. */
  readonly frames: Float64Array;
  /** n: the frame of each vertex, where it is not its own */
  readonly axes?: Uint16Array;
}

/**
 * @param shapes  n × 3 each
 * @param m       number of bones
 * @param skinAt  evaluates the skin at example t; may reuse its arrays
 */
export function fitDisplacements(
  shapes: readonly Float32Array[],
  m: number,
  skinAt: (t: number) => SkinAtPose,
  run: RunContext,
): PoseDisplacements {
  const size = shapes[0].length;
  const poses: Float64Array[] = [new Float64Array(3 * m)];
  const sums: Float64Array[] = [new Float64Array(size)];
  const counts = [1];
  let restShown = false;
  shapes.forEach((shape, t) => {
    checkCancelled(run);
    const { joints, positions, frames, axes } = skinAt(t);
    let e = poses.findIndex((pose) => poseDistance(pose, joints) < SAME_POSE);
    if (e < 0) {
      e = poses.push(joints.slice()) - 1;
      sums.push(new Float64Array(size));
      counts.push(0);
    } else if (e === 0 && !restShown) {
      restShown = true;
      counts[0] = 0;
    }
    counts[e]++;
    for (let k = 0; k < size; k += 3) {
      const x = shape[k] - positions[k];
      const y = shape[k + 1] - positions[k + 1];
      const z = shape[k + 2] - positions[k + 2];
      const F = 9 * (axes ? axes[k / 3] : k / 3);
      for (let c = 0; c < 3; c++) sums[e][k + c] += frames[F + c] * x + frames[F + 3 + c] * y + frames[F + 6 + c] * z;
    }
  });
  const displacements = new Float32Array(poses.length * size);
  sums.forEach((sum, e) => {
    for (let k = 0; k < size; k++) displacements[e * size + k] = sum[k] / counts[e];
  });
  const flat = new Float64Array(poses.length * 3 * m);
  poses.forEach((pose, e) => {
    flat.set(pose, e * 3 * m);
  });
  return { poses: flat, displacements };
}
