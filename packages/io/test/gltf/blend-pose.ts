import type { Pose, Rig } from '@pelt/model';

/** v = Σ w M (p + Σ a δ), spelt out: what a rig in a pose is, without any of the code under test. */
export function blendPose(
  rig: Rig,
  pose: Pose,
  deltas: readonly Float32Array[] = [],
  deltaWeights: ArrayLike<number> = [],
): Float64Array {
  const { slots, bones, weights } = rig.weights;
  const posed = new Float64Array(rig.mesh.positions.length);
  for (let i = 0; i < posed.length / 3; i++) {
    const point = [0, 1, 2].map((c) =>
      deltas.reduce((sum, delta, r) => sum + deltaWeights[r] * delta[3 * i + c], rig.mesh.positions[3 * i + c]),
    );
    for (let s = 0; s < slots; s++) {
      const w = weights[i * slots + s];
      const m = pose.transforms.subarray(12 * bones[i * slots + s], 12 * bones[i * slots + s] + 12);
      for (let r = 0; r < 3; r++) {
        posed[3 * i + r] +=
          w * (m[4 * r] * point[0] + m[4 * r + 1] * point[1] + m[4 * r + 2] * point[2] + m[4 * r + 3]);
      }
    }
  }
  return posed;
}
