/**
 * Minimises a function of a few variables without derivatives.
 *
 * Reference: Nelder, Mead. A simplex method for function minimization. 1965.
 */

/**
 * @param start  where the simplex begins
 * @param steps  edge along each variable
 * @param most   of evaluations
 */
export function nelderMead(
  f: (x: readonly number[]) => number,
  start: readonly number[],
  steps: readonly number[],
  most: number,
): { x: readonly number[]; value: number } {
  let left = most;
  const evaluate = (x: readonly number[]) => {
    left--;
    return { x, value: f(x) };
  };
  let simplex = [evaluate(start)];
  start.forEach((_, k) => {
    simplex.push(evaluate(start.map((value, c) => (c === k ? value + steps[k] : value))));
  });
  const n = start.length;
  const toward = (centre: readonly number[], from: readonly number[], factor: number) =>
    centre.map((value, k) => value + factor * (from[k] - value));
  while (left > 0) {
    simplex.sort((a, b) => a.value - b.value);
    const worst = simplex[n];
    const centre = start.map((_, k) => simplex.slice(0, n).reduce((sum, { x }) => sum + x[k] / n, 0));
    const reflected = evaluate(toward(centre, worst.x, -1));
    if (reflected.value < simplex[0].value && left > 0) {
      const expanded = evaluate(toward(centre, worst.x, -2));
      simplex[n] = expanded.value < reflected.value ? expanded : reflected;
    } else if (reflected.value < simplex[n - 1].value) simplex[n] = reflected;
    else {
      const inside = evaluate(toward(centre, reflected.value < worst.value ? reflected.x : worst.x, 0.5));
      if (inside.value < Math.min(worst.value, reflected.value)) simplex[n] = inside;
      else simplex = simplex.map((vertex, k) => (k === 0 ? vertex : evaluate(toward(simplex[0].x, vertex.x, 0.5))));
    }
  }
  return simplex.reduce((a, b) => (b.value < a.value ? b : a));
}
