import { type Bone, type Clip, type MeshSequence, poseAt, type Rig, TRANSFORM_SIZE } from '@pelt/model';

/**
 * A moving mesh and the skeleton that moved it. Each scene says whether linear blending of `rig` and `clip` gives the
 * frames (then they are the answer that a decomposition should find), or whether the skin does what linear blending
 * cannot (then they are the pose that a learnt skin has to work from).
 */
export interface Scene {
  readonly sequence: MeshSequence;
  readonly rig: Rig;
  readonly clip: Clip;
}

/**
 * Linear blending of all frames in plain double arithmetic: v'ₜᵢ = Σₛ wᵢₛ Mₜⱼ p̂ᵢ, j the bone of slot s.
 *
 * @returns S × n × 3
 */
export function blendFrames(rig: Rig, clip: Clip): Float32Array {
  const { slots, bones, weights } = rig.weights;
  const { positions } = rig.mesh;
  const S = clip.times.length;
  const frames = new Float32Array(S * positions.length);
  for (let t = 0; t < S; t++) {
    const { transforms } = poseAt(clip, t, rig.bones.length);
    for (let i = 0; 3 * i < positions.length; i++) {
      const [x, y, z] = positions.subarray(3 * i, 3 * i + 3);
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let s = 0; s < slots; s++) {
          const row = bones[i * slots + s] * TRANSFORM_SIZE + 4 * c;
          const moved = transforms[row] * x + transforms[row + 1] * y + transforms[row + 2] * z + transforms[row + 3];
          sum += weights[i * slots + s] * moved;
        }
        frames[t * positions.length + 3 * i + c] = sum;
      }
    }
  }
  return frames;
}

/** A bone at a point, its frame parallel to the model's axes. */
export function boneAt(name: string, parent: number, origin: readonly [number, number, number]): Bone {
  const [x, y, z] = origin;
  return { name, parent, rest: new Float64Array([1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z]) };
}
