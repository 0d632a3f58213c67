import { integer, pointer } from './arguments';

/** The pool's own test: out[chunk] = Σ x over the chunk's items. args: x (f64 count), out (f64 chunks), grain. */
export function sumOfChunk(begin: i32, end: i32, args: usize, scratch: usize): void {
  const x = pointer(args, 0);
  const out = pointer(args, 1);
  const grain = integer(args, 2);
  let sum: f64 = 0;
  for (let i = begin; i < end; i++) sum += load<f64>(x + (<usize>i << 3));
  store<f64>(out + (<usize>(begin / grain) << 3), sum);
}
