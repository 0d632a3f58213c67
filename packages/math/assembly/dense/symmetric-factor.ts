/**
 * A = L D Lᵀ of a dense positive definite matrix, L unit lower triangular, D diagonal and positive: right-looking, in blocks
 * of columns. Row-major; only the lower triangle is read, L and D replace it, what is above the diagonal is undefined.
 *
 * One step: factor the diagonal block; solve W L₁₁ᵀ = A₂₁ for the rows below (each row on its own), L₂₁ = W D₁⁻¹; update
 * A₂₂ −= W L₂₁ᵀ tile by tile, where nearly all the work is. W and L₂₁ are left in packed panels by the second part for
 * the third.
 *
 * Reference: Golub, Van Loan. Matrix Computations. 4th ed. 2013 (§4.1, §4.2.9).
 */
import { FactorPanel, FactorUpdate } from '../generated/dense';
import { addTile, addTilePart, STEP_SHIFT, TILE } from './tile';

/**
 * Factors the diagonal block in place.
 *
 * @param a          its first entry; `stride` bytes between rows
 * @param size       rows of the block
 * @param diagonal   f64 × size: the diagonal of the whole matrix before the factorisation
 * @param tolerance  a pivot counts as zero below this fraction of its diagonal entry
 * @returns  the first column whose pivot is not positive, or −1
 */
export function factorDiagonal(a: usize, stride: usize, size: i32, diagonal: usize, tolerance: f64): i32 {
  for (let r = 0; r < size; r++) {
    const row = a + <usize>r * stride;
    // Row r holds W = L D so far: wₖ = aₖ − Σ_{l<k} w_l L_kl.
    for (let k = 0; k < r; k++) {
      const other = a + <usize>k * stride;
      let sum = load<f64>(row + (<usize>k << 3));
      for (let l: usize = 0; l < <usize>k << 3; l += 8) sum -= load<f64>(row + l) * load<f64>(other + l);
      store<f64>(row + (<usize>k << 3), sum);
    }
    let pivot = load<f64>(row + (<usize>r << 3));
    for (let k = 0; k < r; k++) {
      const at = row + (<usize>k << 3);
      const w = load<f64>(at);
      const l = w / load<f64>(a + <usize>k * stride + (<usize>k << 3));
      pivot -= w * l;
      store<f64>(at, l);
    }
    store<f64>(row + (<usize>r << 3), pivot);
    const least = tolerance * abs(load<f64>(diagonal + (<usize>r << 3)));
    if (!(pivot > least)) return r;
  }
  return -1;
}

/**
 * The rows below a diagonal block: L₂₁ in place, W and L₂₁ packed. Items are groups of four rows.
 * Arguments: a₂₁ (its first entry), bytes between rows, rows, the diagonal block, its size, packed W, packed L
 */
export function factorPanel(begin: i32, end: i32, args: FactorPanel, scratch: usize): void {
  const a = args.a;
  const stride = args.stride;
  const rows = args.rows;
  const block = args.block;
  const size = args.size;
  const packedW = args.packedW;
  const packedL = args.packedL;
  for (let group = begin; group < end; group++) {
    const first = a + <usize>(group * TILE) * stride;
    const height = min(TILE, rows - group * TILE);
    const w = packedW + (<usize>group * size << STEP_SHIFT);
    const l = packedL + (<usize>group * size << STEP_SHIFT);
    solvePanel(first, stride, height, block, size, w, l);
  }
}

function solvePanel(a: usize, stride: usize, height: i32, block: usize, size: i32, w: usize, l: usize): void {
  for (let k = 0; k < size; k++) {
    const at = a + (<usize>k << 3);
    const row = block + <usize>k * stride;
    let low = f64x2.splat(load<f64>(at));
    if (height > 1) low = f64x2.replace_lane(low, 1, load<f64>(at + stride));
    let high = f64x2.splat(height > 2 ? load<f64>(at + 2 * stride) : 0);
    if (height > 3) high = f64x2.replace_lane(high, 1, load<f64>(at + 3 * stride));
    for (let m = 0; m < k; m++) {
      const factor = v128.load64_splat(row + (<usize>m << 3));
      const known = w + (<usize>m << STEP_SHIFT);
      low = f64x2.sub(low, f64x2.mul(factor, v128.load(known)));
      high = f64x2.sub(high, f64x2.mul(factor, v128.load(known, 16)));
    }
    const target = <usize>k << STEP_SHIFT;
    v128.store(w + target, low);
    v128.store(w + target, high, 16);
    const pivot = v128.load64_splat(row + (<usize>k << 3));
    low = f64x2.div(low, pivot);
    high = f64x2.div(high, pivot);
    v128.store(l + target, low);
    v128.store(l + target, high, 16);
    store<f64>(at, f64x2.extract_lane(low, 0));
    if (height > 1) store<f64>(at + stride, f64x2.extract_lane(low, 1));
    if (height > 2) store<f64>(at + 2 * stride, f64x2.extract_lane(high, 0));
    if (height > 3) store<f64>(at + 3 * stride, f64x2.extract_lane(high, 1));
  }
}

/**
 * A₂₂ −= W L₂₁ᵀ, lower triangle in whole tiles. Items are groups of four rows.
 * Arguments: a₂₂ (its first entry), bytes between rows, rows, size of the step, packed W, packed L
 */
export function factorUpdate(begin: i32, end: i32, args: FactorUpdate, scratch: usize): void {
  const a = args.a;
  const stride = args.stride;
  const rows = args.rows;
  const size = args.size;
  const panelBytes = <usize>size << STEP_SHIFT;
  const packedW = args.packedW;
  const packedL = args.packedL;
  for (let column = 0; column < end; column++) {
    const panelL = packedL + <usize>column * panelBytes;
    const width = min(TILE, rows - column * TILE);
    for (let group = max(begin, column); group < end; group++) {
      const at = a + <usize>(group * TILE) * stride + (<usize>(column * TILE) << 3);
      const height = min(TILE, rows - group * TILE);
      const panelW = packedW + <usize>group * panelBytes;
      if (height == TILE && width == TILE) addTile(size, -1, panelW, panelL, at, stride);
      else addTilePart(size, -1, panelW, panelL, at, stride, height, width, scratch);
    }
  }
}
