/** Chooses the order of elimination, which decides how many non-zeros the factor has. */
import { NumericError } from '../errors.ts';
import { type EliminationTree, eliminationTree } from './elimination-tree.ts';
import type { Graph } from './graph.ts';
import { minimumDegree } from './minimum-degree.ts';
import { nestedDissection } from './nested-dissection.ts';

/**
 * `amd`: approximate minimum degree, best for surfaces. `nested-dissection`: better for solids beyond some thousand
 * vertices, slower to find. `natural`: as the matrix is given. `auto`: minimum degree; where that leaves columns as long
 * as those of a solid, the better of it and nested dissection.
 */
export type Ordering = 'amd' | 'nested-dissection' | 'natural' | 'auto';

/**
 * Mean non-zeros in a column of the factor from which nested dissection is tried. Minimum degree leaves 32 on a surface
 * of 42k vertices, 99 with the pattern of a squared Laplacian; on solids of 4k, 8k and 25k it leaves 143, 207 and 385.
 */
const SOLID_COLUMN = 130;
/** Below this many vertices the factor is too cheap to look for a better order. */
const SMALL = 1000;

export function chooseOrder(graph: Graph, ordering: Ordering): EliminationTree {
  switch (ordering) {
    case 'natural':
      return eliminationTree(graph, naturalOrder(graph.size));
    case 'amd':
      return eliminationTree(graph, minimumDegree(graph));
    case 'nested-dissection':
      return eliminationTree(graph, nestedDissection(graph));
    case 'auto':
      return betterOrder(graph);
    default:
      throw new NumericError(
        `sparse Cholesky: unknown ordering '${ordering}'; it takes amd, nested-dissection, natural, auto`,
      );
  }
}

/** Non-zeros of the factor. */
export function factorNonZeros(tree: EliminationTree): number {
  let sum = 0;
  for (const count of tree.counts) sum += count;
  return sum;
}

function betterOrder(graph: Graph): EliminationTree {
  const byDegree = eliminationTree(graph, minimumDegree(graph));
  const nonZeros = factorNonZeros(byDegree);
  // L has the non-zeros of the matrix under any order: without much fill there is nothing to win.
  const least = graph.neighbours.length / 2 + graph.size;
  if (graph.size < SMALL || nonZeros < SOLID_COLUMN * graph.size || nonZeros < 2 * least) return byDegree;
  const byDissection = eliminationTree(graph, nestedDissection(graph));
  return factorNonZeros(byDissection) < nonZeros ? byDissection : byDegree;
}

function naturalOrder(size: number): Int32Array {
  const order = new Int32Array(size);
  for (let v = 0; v < size; v++) order[v] = v;
  return order;
}
