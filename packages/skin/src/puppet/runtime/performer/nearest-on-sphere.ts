/** Most bisections of the search for the multiplier, and the width at which it stops. */
const STEPS = 40;
const CLOSE = 1e-10;

/**
 * The point of a sphere about the origin that is nearest to a point, where distances along a direction count less.
 *
 * With y = y∥ d + y⊥ the solution is y⊥/(1 + μ) + w y∥/(w + μ) d, where μ > −w solves
 * |y⊥|²/(1 + μ)² + (w y∥)²/(w + μ)² = l², whose left side falls from infinity to 0: bisection.
 *
 * @param y      3
 * @param l      radius
 * @param d      3, a unit vector
 * @param w      weight of a deviation along d, above 0 and at most 1
 * @param out    3; on the sphere, unless y is 0 and nothing says where
 */
export function nearestOnSphere(y: Float64Array, l: number, d: Float64Array, w: number, out: Float64Array): void {
  const along = y[0] * d[0] + y[1] * d[1] + y[2] * d[2];
  let [x, v, z] = [y[0] - along * d[0], y[1] - along * d[1], y[2] - along * d[2]];
  const across = Math.sqrt(x * x + v * v + z * z);
  let [a, b] = [0, 0];
  if (across / (1 - w) <= l && Math.abs(along) <= CLOSE * l && w < 1) {
    // The hard case: the point lies across the direction and too near; depth makes up the length, on either side.
    a = 1 / (1 - w);
    b = Math.sqrt(Math.max(0, l * l - (a * across) ** 2)) * (along < 0 ? -1 : 1);
  } else {
    // Not below the roots of either term alone, nor above that with the smaller denominator for both.
    let low = Math.max(-w, Math.max(across / l - 1, (w * Math.abs(along)) / l - w));
    const whole = Math.sqrt(across * across + along * along);
    let high = Math.max(whole / l - w, low);
    for (let k = 0; k < STEPS && high - low > CLOSE * (1 + Math.abs(high)); k++) {
      const middle = 0.5 * (low + high);
      const [p, q] = [across / (1 + middle), (w * along) / (w + middle)];
      if (p * p + q * q > l * l) low = middle;
      else high = middle;
    }
    const multiplier = 0.5 * (low + high);
    a = 1 / (1 + multiplier);
    b = (w * along) / (w + multiplier);
  }
  x = a * x + b * d[0];
  v = a * v + b * d[1];
  z = a * z + b * d[2];
  const length = Math.sqrt(x * x + v * v + z * z);
  const scale = length > 0 ? l / length : 0;
  out[0] = x * scale;
  out[1] = v * scale;
  out[2] = z * scale;
}
