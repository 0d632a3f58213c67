/**
 * Plain twins of the skinning kernels: everything from the frames themselves, no Gram form, no basis.
 *
 * transforms are S × m × 12, rest is n × 3, trajectories are n × 3S.
 */

/** Position of a rest point under bone j in frame t. */
export function movedPoint(transforms: ArrayLike<number>, m: number, t: number, j: number, p: ArrayLike<number>) {
  const at = (t * m + j) * 12;
  return [0, 4, 8].map(
    (row) =>
      transforms[at + row] * p[0] +
      transforms[at + row + 1] * p[1] +
      transforms[at + row + 2] * p[2] +
      transforms[at + row + 3],
  );
}

/** n × m products Σ_t (M_tj p̂_i)·v_ti. */
export function plainBoneProducts(
  rest: Float64Array,
  trajectories: Float64Array,
  transforms: Float64Array,
  m: number,
): Float64Array {
  const n = rest.length / 3;
  const S = transforms.length / (12 * m);
  const out = new Float64Array(n * m);
  for (let i = 0; i < n; i++) {
    const x = rest[3 * i];
    const y = rest[3 * i + 1];
    const z = rest[3 * i + 2];
    for (let j = 0; j < m; j++) {
      let sum = 0;
      for (let t = 0; t < S; t++) {
        const M = (t * m + j) * 12;
        const v = i * 3 * S + 3 * t;
        for (let d = 0; d < 3; d++) {
          const row = M + 4 * d;
          sum +=
            (transforms[row] * x + transforms[row + 1] * y + transforms[row + 2] * z + transforms[row + 3]) *
            trajectories[v + d];
        }
      }
      out[i * m + j] = sum;
    }
  }
  return out;
}

/** Squared error of vertex i over all frames for given weights. */
export function plainError(
  rest: ArrayLike<number>,
  trajectory: ArrayLike<number>,
  transforms: ArrayLike<number>,
  m: number,
  bones: ArrayLike<number>,
  weights: ArrayLike<number>,
): number {
  const S = trajectory.length / 3;
  let sum = 0;
  for (let t = 0; t < S; t++) {
    const blended = [0, 0, 0];
    for (let s = 0; s < bones.length; s++) {
      movedPoint(transforms, m, t, bones[s], rest).forEach((value, d) => {
        blended[d] += weights[s] * value;
      });
    }
    for (let d = 0; d < 3; d++) sum += (blended[d] - trajectory[3 * t + d]) ** 2;
  }
  return sum;
}

/** Linear blend skinning, m × 12 transforms, n × K weights. */
export function plainLinearBlend(
  rest: Float32Array,
  bones: Uint16Array,
  weights: Float32Array,
  transforms: Float64Array,
  out: Float32Array,
): Float32Array {
  const n = rest.length / 3;
  const K = bones.length / n;
  for (let i = 0; i < n; i++) {
    const px = rest[3 * i];
    const py = rest[3 * i + 1];
    const pz = rest[3 * i + 2];
    let x = 0;
    let y = 0;
    let z = 0;
    for (let s = i * K; s < (i + 1) * K; s++) {
      const w = weights[s];
      const b = bones[s] * 12;
      x += w * (transforms[b] * px + transforms[b + 1] * py + transforms[b + 2] * pz + transforms[b + 3]);
      y += w * (transforms[b + 4] * px + transforms[b + 5] * py + transforms[b + 6] * pz + transforms[b + 7]);
      z += w * (transforms[b + 8] * px + transforms[b + 9] * py + transforms[b + 10] * pz + transforms[b + 11]);
    }
    out[3 * i] = x;
    out[3 * i + 1] = y;
    out[3 * i + 2] = z;
  }
  return out;
}
