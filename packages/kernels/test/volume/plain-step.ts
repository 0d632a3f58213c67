import { svd3 } from '@pelt/math';
import { Matrix, solve } from 'ml-matrix';
import type { VolumeSystemOptions } from '../../src/index.ts';
import { gradientOperators } from '../../src/volume/gradient-operators.ts';

/** What a round sees: positions, places of the held vertices, and quaternions (length 1) of the bones at each vertex. */
export interface PlainState {
  readonly x: Float64Array;
  readonly places?: readonly (readonly number[])[];
  readonly quaternions?: readonly (readonly number[])[];
}

/** One round of the volume system, slow and plain: rotations from singular values, a dense system. Returns free × 3. */
export function plainStep(
  rest: Float64Array,
  tetrahedra: Uint32Array,
  {
    fixed = new Uint32Array(0),
    held = new Uint32Array(0),
    stiffness = 0,
    bending = 0,
    rotationWeight = 0,
  }: Partial<VolumeSystemOptions>,
  { x, places = [], quaternions }: PlainState,
  weight: number,
): Float64Array {
  const v = rest.length / 3;
  const e = tetrahedra.length / 4;
  const operators = gradientOperators(rest, tetrahedra);
  const volumes = Array.from({ length: e }, (_, k) => operators[10 * k + 9]);
  const cornersOf = (k: number) => [...tetrahedra.subarray(4 * k, 4 * k + 4)];
  const A = Matrix.zeros(v, v);
  const b = Matrix.zeros(v, 3);
  const gradientsOf = (k: number) => {
    const g = [[0, 0, 0], ...[0, 1, 2].map((a) => [...operators.subarray(10 * k + 3 * a, 10 * k + 3 * a + 3)])];
    for (let axis = 0; axis < 3; axis++) g[0][axis] = -(g[1][axis] + g[2][axis] + g[3][axis]);
    return g;
  };
  const F = Array.from({ length: e }, (_, k) => {
    const gradient = Matrix.zeros(3, 3);
    gradientsOf(k).forEach((g, a) => {
      const i = tetrahedra[4 * k + a];
      for (let r = 0; r < 3; r++)
        for (let c = 0; c < 3; c++) gradient.set(r, c, gradient.get(r, c) + x[3 * i + r] * g[c]);
    });
    return gradient;
  });
  const rotations = F.map((gradient, k) => {
    if (!quaternions) return polarOf(gradient);
    const sum = [0, 0, 0, 0];
    for (const i of cornersOf(k)) {
      const side = sum.reduce((dot, value, c) => dot + value * quaternions[i][c], 0) < 0 ? -1 : 1;
      for (let c = 0; c < 4; c++) sum[c] += side * quaternions[i][c];
    }
    return polarOf(Matrix.add(gradient, Matrix.mul(rotationOf(sum), rotationWeight)));
  });
  const determinants = F.map((gradient) => determinant(gradient));
  const means = averaged(
    averaged(averaged(determinants, cornersOf, volumes, v), cornersOf, volumes, v),
    cornersOf,
    volumes,
    v,
  );

  let diagonal = 0;
  for (let k = 0; k < e; k++) {
    const g = gradientsOf(k);
    const target = targetOf(F[k], rotations[k], means[k], weight);
    cornersOf(k).forEach((i, a) => {
      cornersOf(k).forEach((j, c) => {
        const value = volumes[k] * (g[a][0] * g[c][0] + g[a][1] * g[c][1] + g[a][2] * g[c][2]);
        A.set(i, j, A.get(i, j) + value);
        if (i === j) diagonal += value / v;
      });
      for (let row = 0; row < 3; row++) {
        const sum = target.get(row, 0) * g[a][0] + target.get(row, 1) * g[a][1] + target.get(row, 2) * g[a][2];
        b.set(i, row, b.get(i, row) + volumes[k] * sum);
      }
    });
  }
  held.forEach((i, k) => {
    A.set(i, i, A.get(i, i) + stiffness * diagonal);
    for (let axis = 0; axis < 3; axis++) b.set(i, axis, b.get(i, axis) + stiffness * diagonal * places[k][axis]);
  });
  if (bending > 0) addBending(A, b, bending, rest, tetrahedra, volumes, rotations);

  const isFixed = new Set(fixed);
  const free = [...Array(v).keys()].filter((i) => !isFixed.has(i));
  const right = Matrix.zeros(free.length, 3);
  free.forEach((i, r) => {
    for (let axis = 0; axis < 3; axis++) {
      let value = b.get(i, axis);
      for (const c of fixed) value -= A.get(i, c) * x[3 * c + axis];
      right.set(r, axis, value);
    }
  });
  return Float64Array.from(solve(A.selection(free, free), right).to1DArray());
}

/** β h Σ ‖Δx − R̄ Δrest‖² over the vertices of faces that belong to one tetrahedron. */
function addBending(
  A: Matrix,
  b: Matrix,
  bending: number,
  rest: Float64Array,
  tetrahedra: Uint32Array,
  volumes: readonly number[],
  rotations: readonly Matrix[],
): void {
  const faces = new Map<string, number[]>();
  for (let k = 0; k < tetrahedra.length; k += 4) {
    for (let c = 0; c < 4; c++) {
      const face = [...tetrahedra.subarray(k, k + 4)].filter((_, a) => a !== c).sort((p, q) => p - q);
      if (!faces.delete(face.join(' '))) faces.set(face.join(' '), face);
    }
  }
  const neighbours = new Map<number, Set<number>>();
  for (const face of faces.values()) {
    for (const i of face) {
      const own = neighbours.get(i) ?? new Set();
      for (const j of face) if (j !== i) own.add(j);
      neighbours.set(i, own);
    }
  }
  const lengths = [...neighbours].flatMap(([i, others]) => [...others].map((j) => distance(rest, i, j)));
  const factor = (bending * lengths.reduce((sum, length) => sum + length, 0)) / lengths.length;
  for (const [i, others] of neighbours) {
    const row = new Map([[i, -1], ...[...others].map((j): [number, number] => [j, 1 / others.size])]);
    const mean = Matrix.zeros(3, 3);
    let total = 0;
    tetrahedra.forEach((corner, k) => {
      if (corner !== i) return;
      mean.add(Matrix.mul(rotations[k >> 2], volumes[k >> 2]));
      total += volumes[k >> 2];
    });
    const laplacian = [0, 1, 2].map((axis) =>
      [...row].reduce((sum, [j, value]) => sum + value * rest[3 * j + axis], 0),
    );
    const turned = Matrix.div(mean, total).mmul(Matrix.columnVector(laplacian));
    for (const [p, first] of row) {
      for (const [q, second] of row) A.set(p, q, A.get(p, q) + factor * first * second);
      for (let axis = 0; axis < 3; axis++) b.set(p, axis, b.get(p, axis) + factor * first * turned.get(axis, 0));
    }
  }
}

function distance(x: Float64Array, i: number, j: number): number {
  return Math.hypot(x[3 * i] - x[3 * j], x[3 * i + 1] - x[3 * j + 1], x[3 * i + 2] - x[3 * j + 2]);
}

/** From tetrahedra to vertices by volume, and back to the mean of the corners. */
function averaged(
  values: readonly number[],
  cornersOf: (k: number) => number[],
  volumes: readonly number[],
  v: number,
): number[] {
  const [sums, weights] = [new Float64Array(v), new Float64Array(v)];
  values.forEach((value, k) => {
    for (const i of cornersOf(k)) {
      sums[i] += volumes[k] * value;
      weights[i] += volumes[k];
    }
  });
  return values.map((_, k) => cornersOf(k).reduce((mean, i) => mean + sums[i] / weights[i] / 4, 0));
}

/** (R + w D)/(1 + w), with D = F + cof F times what is missing of the volume. */
function targetOf(F: Matrix, R: Matrix, mean: number, weight: number): Matrix {
  if (weight === 0) return R;
  const cofactors = Matrix.zeros(3, 3);
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      const [p, q, s, t] = [(r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3];
      cofactors.set(r, c, F.get(p, s) * F.get(q, t) - F.get(p, t) * F.get(q, s));
    }
  }
  const missing = Math.max(0.25 - determinant(F), 1 - mean);
  const factor = Math.max(-2, Math.min(2, missing / cofactors.norm('frobenius') ** 2));
  const D = Matrix.add(F, Matrix.mul(cofactors, factor));
  return Matrix.add(R, Matrix.mul(D, weight)).div(1 + weight);
}

function determinant(F: Matrix): number {
  const [a, b, c] = [0, 1, 2].map((r) => F.getRow(r));
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

function polarOf(F: Matrix): Matrix {
  const [u, s, w] = [new Float64Array(9), new Float64Array(3), new Float64Array(9)];
  svd3(Float64Array.from(F.to1DArray()), 0, u, s, w);
  return Matrix.from1DArray(3, 3, u).mmul(Matrix.from1DArray(3, 3, w).transpose());
}

function rotationOf([x, y, z, w]: readonly number[]): Matrix {
  const s = 2 / (x * x + y * y + z * z + w * w);
  return new Matrix([
    [1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
    [s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)],
    [s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)],
  ]);
}
