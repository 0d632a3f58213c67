import type { Numerics } from '@pelt/math';
import { Random, rotationExp } from '@pelt/math';
import { SkinningSystem } from '../../src/index.ts';
import { asTrajectories, type SkinnedCloud } from '../skinning/scene.ts';

/** A cloud moved by bones that hang together in known joints. */
export interface JointedCloud extends SkinnedCloud {
  readonly parents: Int32Array;
  /** m × 3 */
  readonly joints: Float64Array;
  /** S × m × 9 */
  readonly rotations: Float64Array;
}

export const PARENTS = Int32Array.of(3, 3, 1, -1, 2);

/** @param hinge  a bone that turns about z against its parent; all others turn freely */
export function jointedCloud(seed: number, n: number, S: number, hinge = -1): JointedCloud {
  const random = new Random(seed);
  const m = PARENTS.length;
  const K = 2;
  const rest = Float64Array.from({ length: 3 * n }, () => random.normal() * 0.4);
  const joints = Float64Array.from({ length: 3 * m }, () => random.normal() * 0.3);
  const rotations = new Float64Array(S * m * 9);
  const transforms = new Float64Array(S * m * 12);
  for (let t = 0; t < S; t++) {
    for (const k of [3, 0, 1, 2, 4]) {
      const own = new Float64Array(9);
      const turn = [random.normal() * 0.5, random.normal() * 0.5, random.normal() * 0.5];
      rotationExp(k === hinge ? [0, 0, turn[2]] : turn, 0, own, 0);
      const p = PARENTS[k];
      const [at, above] = [(t * m + k) * 9, (t * m + p) * 9];
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) {
          let sum = p < 0 ? own[3 * r + c] : 0;
          if (p >= 0) for (let e = 0; e < 3; e++) sum += rotations[above + 3 * r + e] * own[3 * e + c];
          rotations[at + 3 * r + c] = sum;
          transforms[(t * m + k) * 12 + 4 * r + c] = sum;
        }
        let T = p < 0 ? random.normal() * 0.2 : transforms[(t * m + p) * 12 + 4 * r + 3];
        if (p >= 0) {
          for (let e = 0; e < 3; e++) {
            T += (rotations[above + 3 * r + e] - rotations[at + 3 * r + e]) * joints[3 * k + e];
          }
        }
        transforms[(t * m + k) * 12 + 4 * r + 3] = T;
      }
    }
  }
  const bones = new Int32Array(n * K);
  const weights = new Float64Array(n * K);
  const trajectories = new Float64Array(n * 3 * S);
  for (let i = 0; i < n; i++) {
    const share = random.uniform();
    bones.set([i % m, (i + 1 + (i % 3)) % m], i * K);
    weights.set([share, 1 - share], i * K);
    for (let t = 0; t < S; t++) {
      for (let s = 0; s < K; s++) {
        const at = (t * m + bones[i * K + s]) * 12;
        for (let d = 0; d < 3; d++) {
          let moved = transforms[at + 4 * d + 3];
          for (let e = 0; e < 3; e++) moved += transforms[at + 4 * d + e] * rest[3 * i + e];
          trajectories[i * 3 * S + 3 * t + d] += weights[i * K + s] * moved;
        }
      }
    }
  }
  return { rest, trajectories, transforms, bones, weights, parents: PARENTS, joints, rotations };
}

/** With the known weights, and transforms that are yet to be found. The caller disposes it. */
export function systemOf(numerics: Numerics, cloud: JointedCloud, S: number): SkinningSystem {
  const m = cloud.parents.length;
  const system = new SkinningSystem(numerics, asTrajectories(cloud, S), m, 2);
  system.editWeights().bones.set(cloud.bones);
  system.editWeights().weights.set(cloud.weights);
  for (let k = 0; k < S * m; k++) system.editTransforms().set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], 12 * k);
  return system;
}
