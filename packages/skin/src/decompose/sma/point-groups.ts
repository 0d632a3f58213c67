/**
 * Vector quantisation by box cutting: nearly identical points are replaced by their mean, weighted by their number. The
 * longest box is split across its longest side at the mean, until the maximum number of boxes is reached or no box has
 * any extent.
 *
 * Reference: Heckbert. Color image quantization for frame buffer display. 1982.
 */
import { checkCancelled, type RunContext } from '@pelt/model';

export interface PointGroups {
  /** g × d means */
  readonly centres: Float64Array;
  /** g, number of points in each group */
  readonly weights: Float64Array;
  /** count, the group of each point */
  readonly groupOf: Int32Array;
}

interface Box {
  readonly begin: number;
  readonly end: number;
  readonly axis: number;
  /** Length along its axis; ties are split in order of creation. */
  readonly length: number;
}

/** Points in a box shorter than this fraction of the whole count as identical. */
const IDENTICAL = 1e-9;

/**
 * @param points  count × dimension
 * @param most    maximum number of groups
 */
export function groupPoints(points: Float64Array, dimension: number, most: number, context?: RunContext): PointGroups {
  const count = points.length / dimension;
  const order = Int32Array.from({ length: count }, (_, k) => k);
  const boxes = [boxOf(points, dimension, order, 0, count)];
  const least = IDENTICAL * boxes[0].length;
  while (boxes.length < Math.min(most, count)) {
    checkCancelled(context);
    let longest = 0;
    for (let k = 1; k < boxes.length; k++) if (boxes[k].length > boxes[longest].length) longest = k;
    const box = boxes[longest];
    if (!(box.length > least)) break;
    const middle = divide(points, dimension, order, box);
    boxes[longest] = boxOf(points, dimension, order, box.begin, middle);
    boxes.push(boxOf(points, dimension, order, middle, box.end));
  }
  const centres = new Float64Array(boxes.length * dimension);
  const weights = new Float64Array(boxes.length);
  const groupOf = new Int32Array(count);
  boxes.forEach(({ begin, end }, g) => {
    weights[g] = end - begin;
    for (let k = begin; k < end; k++) {
      groupOf[order[k]] = g;
      for (let d = 0; d < dimension; d++)
        centres[g * dimension + d] += points[order[k] * dimension + d] / (end - begin);
    }
  });
  return { centres, weights, groupOf };
}

function boxOf(points: Float64Array, dimension: number, order: Int32Array, begin: number, end: number): Box {
  let axis = 0;
  let length = 0;
  for (let d = 0; d < dimension; d++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let k = begin; k < end; k++) {
      const x = points[order[k] * dimension + d];
      if (x < low) low = x;
      if (x > high) high = x;
    }
    if (high - low > length) {
      length = high - low;
      axis = d;
    }
  }
  return { begin, end, axis, length };
}

/** Partitions the points of a box about their mean; returns where the second part begins. */
function divide(points: Float64Array, dimension: number, order: Int32Array, { begin, end, axis }: Box): number {
  let mean = 0;
  for (let k = begin; k < end; k++) mean += points[order[k] * dimension + axis] / (end - begin);
  let middle = begin;
  for (let k = begin; k < end; k++) {
    if (points[order[k] * dimension + axis] > mean) continue;
    const point = order[k];
    order[k] = order[middle];
    order[middle++] = point;
  }
  // Rounding of the mean may leave one part empty.
  return Math.min(Math.max(middle, begin + 1), end - 1);
}
