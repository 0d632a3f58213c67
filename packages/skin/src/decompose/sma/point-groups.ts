/**
 * Many points as fewer weighted ones: points that are (nearly) identical become their mean, with their number as weight.
 * The box that is longest is cut across its longest side at the mean, until there are as many boxes as allowed or no box
 * has any length left.
 *
 * Reference: Heckbert. Color image quantization for frame buffer display. 1982 (cutting boxes).
 */
import { checkCancelled, type RunContext } from '@pelt/model';

export interface PointGroups {
  /** g × d means */
  readonly centres: Float64Array;
  /** g, how many points each stands for */
  readonly weights: Float64Array;
  /** count, the group of each point */
  readonly groupOf: Int32Array;
}

interface Box {
  readonly begin: number;
  readonly end: number;
  readonly axis: number;
  /** Length along its axis; ties are cut in the order of creation. */
  readonly length: number;
}

/** A box shorter than this share of the whole holds identical points. */
const IDENTICAL = 1e-9;

/**
 * @param points  count × dimension
 * @param most    most groups
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

/** Sorts the box's points to the two sides of their mean; returns where the second side begins. */
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
  // Rounding of the mean may leave one side empty.
  return Math.min(Math.max(middle, begin + 1), end - 1);
}
