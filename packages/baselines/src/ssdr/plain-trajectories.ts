/**
 * The frames as the paper takes them: scaled and moved as a whole so that the rest pose is tightly enclosed by the unit
 * sphere (section 1.6), without a reduced basis.
 */
import type { Trajectories } from '@pelt/kernels';
import { enclosingBall } from '@pelt/math';
import { frameCount, type MeshSequence, TRANSFORM_SIZE, vertexCount } from '@pelt/model';

export interface PlainTrajectories {
  readonly trajectories: Trajectories;
  /** S × m × 12 transforms in the model's coordinates. */
  toModel(transforms: Float64Array): Float64Array;
  /** n × 3 rest positions in the model's coordinates. */
  restToModel(rest: Float64Array): Float32Array;
}

export function plainTrajectories(sequence: MeshSequence): PlainTrajectories {
  const n = vertexCount(sequence.rest);
  const S = frameCount(sequence);
  const { center: centre, radius: enclosing } = enclosingBall(sequence.rest.positions);
  // A single point has no size to scale by.
  const radius = enclosing || 1;
  const rows = 3 * S;
  const scaled = (value: number, k: number) => (value - centre[k % 3]) / radius;
  const coefficients = new Float64Array(n * rows);
  const squaredNorms = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    for (let row = 0; row < rows; row++) {
      const x = scaled(sequence.frames[Math.floor(row / 3) * 3 * n + 3 * i + (row % 3)], row);
      coefficients[i * rows + row] = x;
      squaredNorms[i] += x * x;
    }
  }
  const rest = Float64Array.from(sequence.rest.positions, scaled);
  return {
    trajectories: { rest, basis: identity(rows), coefficients, squaredNorms },
    toModel: (transforms) => {
      // v = R p + T with p = ρ p̃ + c and v = ρ ṽ + c: T = ρ T̃ + c − R c.
      const out = transforms.slice();
      for (let k = 0; k < out.length; k += TRANSFORM_SIZE / 3) {
        const turned = out[k] * centre[0] + out[k + 1] * centre[1] + out[k + 2] * centre[2];
        out[k + 3] = radius * out[k + 3] + centre[(k / 4) % 3] - turned;
      }
      return out;
    },
    restToModel: (positions) => Float32Array.from(positions, (x, k) => radius * x + centre[k % 3]),
  };
}

function identity(size: number): Float64Array {
  const out = new Float64Array(size * size);
  for (let k = 0; k < size; k++) out[k * size + k] = 1;
  return out;
}
