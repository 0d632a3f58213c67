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
 * of 42k vertices and, growing with the logarithm, not 100 on any that fits; solids of 8k and 25k have 207 and 385.
 */
const SOLID_COLUMN = 100;
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
  if (graph.size < SMALL || nonZeros < SOLID_COLUMN * graph.size) return byDegree;
  const byDissection = eliminationTree(graph, nestedDissection(graph));
  return factorNonZeros(byDissection) < nonZeros ? byDissection : byDegree;
}

function naturalOrder(size: number): Int32Array {
  const order = new Int32Array(size);
  for (let v = 0; v < size; v++) order[v] = v;
  return order;
}
