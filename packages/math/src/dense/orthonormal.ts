/**
 * Completes a few orthonormal rows to more: each new row is the coordinate axis that the rows so far cover least, made
 * orthogonal to them. Twice is enough: what rounding leaves after one projection is gone after two.
 *
 * @param rows   total × width, the first `known` rows orthonormal; the others are overwritten
 * @param total  at most `width`
 */
export function completeRowsInPlace(rows: Float64Array, total: number, known: number, width: number): void {
  for (let k = known; k < total; k++) {
    const row = rows.subarray(k * width, (k + 1) * width);
    row.fill(0);
    row[leastCovered(rows, k, width)] = 1;
    for (let pass = 0; pass < 2; pass++) {
      for (let other = 0; other < k * width; other += width) {
        let dot = 0;
        for (let c = 0; c < width; c++) dot += row[c] * rows[other + c];
        for (let c = 0; c < width; c++) row[c] -= dot * rows[other + c];
      }
      const length = Math.hypot(...row);
      for (let c = 0; c < width; c++) row[c] /= length;
    }
  }
}

function leastCovered(rows: Float64Array, count: number, width: number): number {
  const covered = new Float64Array(width);
  for (let i = 0; i < count * width; i++) covered[i % width] += rows[i] * rows[i];
  let least = 0;
  for (let c = 1; c < width; c++) if (covered[c] < covered[least]) least = c;
  return least;
}
