/**
 * The mean swing of every proxy, shrunk towards the pose-only skin by as much as frames left out ask for: with μ_g the mean
 * over all frames but those of group g,
 *
 *   minimise Σ_g Σ_{t ∈ g} ‖x_t − s μ_g‖² over s ∈ [0, 1],
 *
 * for each proxy by itself. Where the mean of some takes says nothing about the others, s is 0, and the skin is that of
 * the pose: what was learnt is never trusted where it did not hold on frames that it had not seen.
 */
import { SWING_CODE } from '@pelt/model';

/**
 * @param codes   S × size
 * @param metric  diagonal of the metric of codes, size
 * @param groups  first frames of the groups, ascending from 0
 * @returns size, the code at zero amplitudes
 */
export function shrunkRest(codes: Float64Array, metric: Float64Array, groups: readonly number[]): Float64Array {
  const size = metric.length;
  const S = codes.length / size;
  const sums = groups.map((first, g) => {
    const sum = new Float64Array(size);
    for (let k = first * size; k < (groups[g + 1] ?? S) * size; k++) sum[k % size] += codes[k];
    return sum;
  });
  const total = new Float64Array(size);
  for (const sum of sums) for (let k = 0; k < size; k++) total[k] += sum[k];
  const [along, square] = [new Float64Array(size / SWING_CODE), new Float64Array(size / SWING_CODE)];
  groups.forEach((first, g) => {
    const count = (groups[g + 1] ?? S) - first;
    if (count === S) return;
    for (let k = 0; k < size; k++) {
      const mean = (total[k] - sums[g][k]) / (S - count);
      along[Math.floor(k / SWING_CODE)] += metric[k] * sums[g][k] * mean;
      square[Math.floor(k / SWING_CODE)] += metric[k] * count * mean * mean;
    }
  });
  return total.map((sum, k) => {
    const d = Math.floor(k / SWING_CODE);
    const share = square[d] > 0 ? Math.min(1, Math.max(0, along[d] / square[d])) : 0;
    return (share * sum) / S;
  });
}
