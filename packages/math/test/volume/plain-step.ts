import { Matrix, solve } from 'ml-matrix';
import { svd3 } from '../../src/index.ts';
import { gradientOperators } from '../../src/volume/gradient-operators.ts';

/** One round of the volume system, slow and plain: targets from singular values, a dense system. Returns free × 3. */
export function plainStep(
  rest: Float64Array,
  tetrahedra: Uint32Array,
  fixed: Uint32Array,
  x: Float64Array,
  weight: number,
): Float64Array {
  const v = rest.length / 3;
  const operators = gradientOperators(rest, tetrahedra);
  const L = Matrix.zeros(v, v);
  const b = Matrix.zeros(v, 3);
  for (let e = 0; e < tetrahedra.length / 4; e++) {
    const corners = [...tetrahedra.subarray(4 * e, 4 * e + 4)];
    const g = [[0, 0, 0], ...[0, 1, 2].map((a) => [...operators.subarray(10 * e + 3 * a, 10 * e + 3 * a + 3)])];
    for (let axis = 0; axis < 3; axis++) g[0][axis] = -(g[1][axis] + g[2][axis] + g[3][axis]);
    const volume = operators[10 * e + 9];
    const gradient = new Float64Array(9);
    corners.forEach((i, a) => {
      for (let row = 0; row < 3; row++) {
        for (let k = 0; k < 3; k++) gradient[3 * row + k] += x[3 * i + row] * g[a][k];
      }
    });
    const target = targetOf(gradient, weight);
    corners.forEach((i, a) => {
      corners.forEach((j, c) => {
        L.set(i, j, L.get(i, j) + volume * (g[a][0] * g[c][0] + g[a][1] * g[c][1] + g[a][2] * g[c][2]));
      });
      for (let row = 0; row < 3; row++) {
        const sum = target[3 * row] * g[a][0] + target[3 * row + 1] * g[a][1] + target[3 * row + 2] * g[a][2];
        b.set(i, row, b.get(i, row) + volume * sum);
      }
    });
  }
  const isFixed = new Set(fixed);
  const free = [...Array(v).keys()].filter((i) => !isFixed.has(i));
  const right = Matrix.zeros(free.length, 3);
  free.forEach((i, r) => {
    for (let axis = 0; axis < 3; axis++) {
      let value = b.get(i, axis);
      for (const c of fixed) value -= L.get(i, c) * x[3 * c + axis];
      right.set(r, axis, value);
    }
  });
  return Float64Array.from(solve(L.selection(free, free), right).to1DArray());
}

/** (R + w D)/(1 + w) through singular values. */
function targetOf(gradient: Float64Array, weight: number): Float64Array {
  const [u, s, v] = [new Float64Array(9), new Float64Array(3), new Float64Array(9)];
  svd3(gradient, 0, u, s, v);
  const kept = weight > 0 ? stretchesOfUnitVolume([...s]) : [1, 1, 1];
  const target = new Float64Array(9);
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) {
      for (let k = 0; k < 3; k++) {
        target[3 * row + column] += (u[3 * row + k] * v[3 * column + k] * (1 + weight * kept[k])) / (1 + weight);
      }
    }
  }
  return target;
}

/** The numbers nearest to s with product 1 (more where theirs is near 0), by the projection that the kernel does. */
function stretchesOfUnitVolume(s: readonly number[]): number[] {
  const wanted = 1 + 4 * Math.min(0.25, Math.max(0, 0.25 - s[0] * s[1] * s[2]));
  let d = [...s];
  for (let turn = 0; turn < 300; turn++) {
    const g = [d[1] * d[2], d[2] * d[0], d[0] * d[1]];
    const along = 2 * d[0] * d[1] * d[2] + wanted - (g[0] * s[0] + g[1] * s[1] + g[2] * s[2]);
    const factor = Math.max(-2, Math.min(2, along / (g[0] ** 2 + g[1] ** 2 + g[2] ** 2)));
    d = s.map((value, k) => value + factor * g[k]);
  }
  return d;
}
