import { SimplexBatch, SimplexBatchScratch } from '../generated/numerics';
import { minimiseOnSimplex } from './simplex';

/**
 * Many small problems min ‖Ax − b‖², x ≥ 0, Σx = 1, each from its Gram form. With Σx = 1 the objective is xᵀA'x for the
 * centred A'_jk = (AᵀA)_jk − (Aᵀb)_j − (Aᵀb)_k + bᵀb.
 *
 * Arguments: AᵀA (count × c × c), Aᵀb (count × c), bᵀb (count), c, limit, x (count × c; start in, solution out)
 */
export function simplexBatch(begin: i32, end: i32, args: SimplexBatch, scratch: usize): void {
  const gram = args.gram;
  const rhs = args.rhs;
  const norms = args.squaredNorms;
  const c = args.c;
  const limit = args.limit;
  const x = args.x;
  const A = SimplexBatchScratch.A(scratch, c);
  const support = SimplexBatchScratch.support(scratch, c);
  const inner = SimplexBatchScratch.inner(scratch, c);
  for (let i = begin; i < end; i++) {
    const g = gram + (<usize>(i * c * c) << 3);
    const b = rhs + (<usize>(i * c) << 3);
    const norm = load<f64>(norms + (<usize>i << 3));
    for (let j = 0; j < c; j++) {
      for (let k = 0; k < c; k++) {
        const at = <usize>(j * c + k) << 3;
        store<f64>(A + at, load<f64>(g + at) - load<f64>(b + (<usize>j << 3)) - load<f64>(b + (<usize>k << 3)) + norm);
      }
    }
    minimiseOnSimplex(A, c, x + (<usize>(i * c) << 3), limit, support, inner);
  }
}
