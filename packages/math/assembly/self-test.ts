import { SumOfChunk } from './generated/numerics';

/** The pool's own test: out[chunk] = Σ x over the chunk's items. Arguments: x (f64 count), out (f64 chunks), grain. */
export function sumOfChunk(begin: i32, end: i32, args: SumOfChunk, scratch: usize): void {
  const x = args.values;
  const out = args.sums;
  const grain = args.grain;
  let sum: f64 = 0;
  for (let i = begin; i < end; i++) sum += load<f64>(x + (<usize>i << 3));
  store<f64>(out + (<usize>(begin / grain) << 3), sum);
}
