/**
 * 3 × 3 work on many items at once, by all threads, on arrays that are in wasm memory already. One item's result is the
 * same as that of the function of the same name on one item, bit for bit.
 */
import * as kernels from '../generated/calls.ts';
import type { Numerics } from '../numerics/numerics.ts';
import type { Block } from '../numerics/scope.ts';

/** Items in a chunk: some 100 µs of work, so that threads share evenly and waking them pays. */
const GRAIN = 256;

/**
 * Polar decompositions F = R S of n matrices in the kernels' memory, on all threads.
 *
 * @param f          n × 9, row-major; none of the outputs
 * @param rotations  n × 9, proper
 * @param stretches  n × 9, symmetric
 * @example
 * {@includeCode ../../examples/rotations.ts}
 */
export function polarDecompositions(
  numerics: Numerics,
  count: number,
  f: Block<Float64Array>,
  rotations: Block<Float64Array>,
  stretches: Block<Float64Array>,
): void {
  kernels.polarBatch(numerics, count, GRAIN, { f, rotations, stretches });
}
