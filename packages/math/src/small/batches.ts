/**
 * 3 × 3 work on many items at once, by all threads, on arrays that are in wasm memory already. One item's result is the
 * same as that of the function of the same name on one item (bit for bit where no sine or arc tangent is in it).
 */
import type { Numerics } from '../numerics/numerics.ts';
import type { Block } from '../numerics/scope.ts';

type Doubles = Block<Float64Array>;

/** Items in a chunk: some 100 µs of work, so that threads share evenly and waking them pays. */
const GRAIN = 256;

/**
 * @param h    n × 9, H = Σ w p̄ q̄ᵀ each, row-major
 * @param out  n × 9, the best rotations; may be `h`
 */
export function properRotations(numerics: Numerics, count: number, h: Doubles, out: Doubles): void {
  numerics.run('properRotationBatch', count, GRAIN, [h.pointer, out.pointer]);
}

/**
 * @param f          n × 9, row-major; none of the outputs
 * @param rotations  n × 9, proper
 * @param stretches  n × 9, symmetric
 */
export function polarDecompositions(
  numerics: Numerics,
  count: number,
  f: Doubles,
  rotations: Doubles,
  stretches: Doubles,
): void {
  numerics.run('polarBatch', count, GRAIN, [f.pointer, rotations.pointer, stretches.pointer]);
}

/**
 * @param a  n × 9, row-major
 * @param u  n × 9, proper rotations
 * @param s  n × 3, descending, the last with the sign of the determinant
 * @param v  n × 9, proper rotations
 */
export function svd3s(numerics: Numerics, count: number, a: Doubles, u: Doubles, s: Doubles, v: Doubles): void {
  numerics.run('svd3Batch', count, GRAIN, [a.pointer, u.pointer, s.pointer, v.pointer]);
}

/**
 * @param logs       n × 3
 * @param rotations  n × 9, row-major
 */
export function rotationExps(numerics: Numerics, count: number, logs: Doubles, rotations: Doubles): void {
  numerics.run('rotationExpBatch', count, GRAIN, [logs.pointer, rotations.pointer]);
}

/**
 * @param rotations   n × 9, row-major
 * @param references  n × 3, the branch each logarithm shall be nearest to; undefined: the principal one
 * @param logs        n × 3; may be `references`
 */
export function rotationLogs(
  numerics: Numerics,
  count: number,
  rotations: Doubles,
  references: Doubles | undefined,
  logs: Doubles,
): void {
  numerics.run('rotationLogBatch', count, GRAIN, [rotations.pointer, references?.pointer ?? 0, logs.pointer]);
}
