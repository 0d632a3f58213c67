/**
 * Removes jitter from curves without delay: at each frame a parabola is fitted to the frames around it, with weights of a
 * bell curve, and its value taken, which keeps peaks that an average would lower.
 *
 * Reference: Savitzky, Golay. Smoothing and differentiation of data by simplified least squares procedures. 1964, here for
 * frames at any times.
 */
import { exp } from '@pelt/math';

/** Standard deviations to which the bell reaches. */
const REACH = 2.5;

/**
 * @param times  S
 * @param curves S × C; not changed
 * @param width  standard deviation of the bell in seconds
 */
export function smoothCurves(times: Float64Array, curves: Float64Array, width: number): Float64Array {
  const S = times.length;
  const C = curves.length / S;
  const out = curves.slice();
  let [first, last] = [0, 0];
  for (let t = 0; t < S; t++) {
    while (times[t] - times[first] > REACH * width) first++;
    while (last < S - 1 && times[last + 1] - times[t] <= REACH * width) last++;
    const weights = parabolaWeights(times, first, last, t, width);
    if (!weights) continue;
    for (let c = 0; c < C; c++) {
      let sum = 0;
      for (let k = first; k <= last; k++) sum += weights[k - first] * curves[k * C + c];
      out[t * C + c] = sum;
    }
  }
  return out;
}

/** Weights of the frames in the value at t of the parabola through them; undefined for fewer than four frames. */
function parabolaWeights(
  times: Float64Array,
  first: number,
  last: number,
  t: number,
  width: number,
): Float64Array | undefined {
  if (last - first < 3) return undefined;
  const moments = new Float64Array(5);
  const bells = Float64Array.from({ length: last - first + 1 }, (_, k) => {
    const x = (times[first + k] - times[t]) / width;
    const bell = exp(-0.5 * x * x);
    for (let power = 0; power < 5; power++) moments[power] += bell * x ** power;
    return bell;
  });
  // The first row of the inverse of the normal matrix [m0 m1 m2; m1 m2 m3; m2 m3 m4], by cofactors.
  const [m0, m1, m2, m3, m4] = moments;
  const [a, b, c] = [m2 * m4 - m3 * m3, m2 * m3 - m1 * m4, m1 * m3 - m2 * m2];
  const determinant = m0 * a + m1 * b + m2 * c;
  if (!(Math.abs(determinant) > 1e-12 * m0 ** 3)) return undefined;
  return bells.map((bell, k) => {
    const x = (times[first + k] - times[t]) / width;
    return (bell * (a + b * x + c * x * x)) / determinant;
  });
}
