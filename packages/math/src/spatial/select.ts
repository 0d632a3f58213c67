/**
 * Quickselect: puts the item of a given rank at its place in [begin, end), smaller ones before it, larger ones after.
 * Items are ordered by value, then by themselves, so that the result does not depend on the order they came in.
 *
 * Reference: Hoare. Algorithm 65: Find. 1961.
 *
 * @param items    integers; reordered
 * @param rank     index in [begin, end)
 * @param measure  the value of an item; finite
 */
export function selectInPlace(
  items: Uint32Array,
  begin: number,
  end: number,
  rank: number,
  measure: (item: number) => number,
): void {
  let first = begin;
  let last = end - 1;
  while (first < last) {
    const pivot = items[(first + last) >> 1];
    const value = measure(pivot);
    let low = first;
    let high = last;
    while (low <= high) {
      while (precedes(measure(items[low]), items[low], value, pivot)) low++;
      while (precedes(value, pivot, measure(items[high]), items[high])) high--;
      if (low > high) break;
      const swapped = items[low];
      items[low++] = items[high];
      items[high--] = swapped;
    }
    if (rank <= high) last = high;
    else if (rank >= low) first = low;
    else return;
  }
}

function precedes(value: number, item: number, otherValue: number, other: number): boolean {
  return value < otherValue || (value === otherValue && item < other);
}
