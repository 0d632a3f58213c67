import { Random, rotationExp } from '@pelt/math';
import type { SkinningSystem } from '../../src/index.ts';
import { movedPoint, plainError } from '../oracles/skinning.ts';

/** A cloud of points moved by known bones with known weights: what the solvers should find again. */
export interface SkinnedCloud {
  readonly rest: Float64Array;
  /** n × 3S */
  readonly trajectories: Float64Array;
  /** S × m × 12 */
  readonly transforms: Float64Array;
  /** n × K */
  readonly bones: Int32Array;
  readonly weights: Float64Array;
}

export function skinnedCloud(seed: number, n: number, m: number, S: number, K: number, angle = 0.8): SkinnedCloud {
  const random = new Random(seed);
  const rest = Float64Array.from({ length: 3 * n }, () => random.normal() * 0.4);
  const transforms = new Float64Array(S * m * 12);
  const R = new Float64Array(9);
  for (let k = 0; k < S * m; k++) {
    rotationExp([random.normal() * angle, random.normal() * angle, random.normal() * angle], 0, R, 0);
    for (let row = 0; row < 3; row++) {
      transforms.set(R.subarray(3 * row, 3 * row + 3), k * 12 + 4 * row);
      transforms[k * 12 + 4 * row + 3] = 0.3 * random.normal();
    }
  }
  const bones = new Int32Array(n * K);
  const weights = new Float64Array(n * K);
  const trajectories = new Float64Array(n * 3 * S);
  for (let i = 0; i < n; i++) {
    const first = Math.floor(random.uniform() * m);
    let sum = 0;
    for (let s = 0; s < K; s++) {
      bones[i * K + s] = (first + s) % m;
      weights[i * K + s] = 0.1 + random.uniform();
      sum += weights[i * K + s];
    }
    for (let s = 0; s < K; s++) weights[i * K + s] /= sum;
    for (let t = 0; t < S; t++) {
      for (let s = 0; s < K; s++) {
        movedPoint(transforms, m, t, bones[i * K + s], rest.subarray(3 * i, 3 * i + 3)).forEach((value, d) => {
          trajectories[i * 3 * S + 3 * t + d] += weights[i * K + s] * value;
        });
      }
    }
  }
  return { rest, trajectories, transforms, bones, weights };
}

/** The cloud as the system takes it, in the identity basis. */
export function asTrajectories({ rest, trajectories }: SkinnedCloud, S: number) {
  const rows = 3 * S;
  const basis = new Float64Array(rows * rows);
  for (let k = 0; k < rows; k++) basis[k * rows + k] = 1;
  const squaredNorms = Float64Array.from({ length: rest.length / 3 }, (_, i) =>
    trajectories.subarray(i * rows, (i + 1) * rows).reduce((sum, value) => sum + value * value, 0),
  );
  return { rest, basis, coefficients: trajectories, squaredNorms };
}

/** The squared error of a vertex over all frames, as the plain twin measures it. */
export function errorAt({ trajectories }: SkinnedCloud, system: SkinningSystem, i: number): number {
  const { K, S } = system;
  return plainError(
    system.rest.view.subarray(3 * i, 3 * i + 3),
    trajectories.subarray(i * 3 * S, (i + 1) * 3 * S),
    system.transforms.view,
    system.m,
    system.boneIndices.view.subarray(i * K, (i + 1) * K),
    system.weights.view.subarray(i * K, (i + 1) * K),
  );
}
