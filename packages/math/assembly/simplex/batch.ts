import { integer, pointer } from '../arguments';
import { minimiseOnSimplex, simplexScratch } from './simplex';

/**
 * Many small problems min ‖Ax − b‖², x ≥ 0, Σx = 1, each from its Gram form. With Σx = 1 the objective is xᵀA'x for the
 * centred A'_jk = (AᵀA)_jk − (Aᵀb)_j − (Aᵀb)_k + bᵀb.
 *
 * args: 0 AᵀA (count × c × c), 1 Aᵀb (count × c), 2 bᵀb (count), 3 c, 4 limit, 5 x (count × c; start in, solution out)
 */
export function simplexBatch(begin: i32, end: i32, args: usize, scratch: usize): void {
  const gram = pointer(args, 0);
  const rhs = pointer(args, 1);
  const norms = pointer(args, 2);
  const c = integer(args, 3);
  const limit = integer(args, 4);
  const x = pointer(args, 5);
  const A = scratch;
  const support = A + (<usize>(c * c) << 3);
  const inner = (support + (<usize>c << 2) + 15) & ~15;
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

/** Bytes of scratch for problems of c columns. */
export function simplexBatchScratch(c: i32): i32 {
  return ((c * c) << 3) + (c << 2) + 16 + simplexScratch(c);
}
