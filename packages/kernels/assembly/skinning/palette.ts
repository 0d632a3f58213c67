import { PaletteProduct } from '../generated/blending';

/**
 * Transforms as a constant sparse matrix times three columns, one each for x, y and z. Of every transform, only the
 * places that it depends on are stored; each has four numbers, which multiply x to the first row of the transform, y to
 * the second and z to the third.
 *
 * Arguments: starts (P + 1 u32), places (u32, in bytes), entries (4 f32 a place), numbers (4 f32 each: x, y, z, unused),
 * out (P × 12 f32)
 */
export function paletteProduct(begin: i32, end: i32, args: PaletteProduct, scratch: usize): void {
  const starts = args.starts;
  const numbers = args.numbers;
  let to = args.out + <usize>begin * 48;
  let e = <usize>load<u32>(starts + (<usize>begin << 2));
  let place = args.places + (e << 2);
  let entry = args.entries + (e << 4);
  for (let j = begin; j < end; j++) {
    const last = <usize>load<u32>(starts + (<usize>(j + 1) << 2));
    let ax = f32x4.splat(0);
    let ay = f32x4.splat(0);
    let az = f32x4.splat(0);
    let bx = f32x4.splat(0);
    let by = f32x4.splat(0);
    let bz = f32x4.splat(0);
    // Two places at a time, so that sums do not wait for each other.
    for (; e + 2 <= last; e += 2) {
      const a = v128.load(entry);
      const b = v128.load(entry, 16);
      const p = numbers + <usize>load<u32>(place);
      const q = numbers + <usize>load<u32>(place, 4);
      ax = f32x4.add(ax, f32x4.mul(a, v128.load32_splat(p)));
      ay = f32x4.add(ay, f32x4.mul(a, v128.load32_splat(p, 4)));
      az = f32x4.add(az, f32x4.mul(a, v128.load32_splat(p, 8)));
      bx = f32x4.add(bx, f32x4.mul(b, v128.load32_splat(q)));
      by = f32x4.add(by, f32x4.mul(b, v128.load32_splat(q, 4)));
      bz = f32x4.add(bz, f32x4.mul(b, v128.load32_splat(q, 8)));
      place += 8;
      entry += 32;
    }
    if (e < last) {
      const a = v128.load(entry);
      const p = numbers + <usize>load<u32>(place);
      ax = f32x4.add(ax, f32x4.mul(a, v128.load32_splat(p)));
      ay = f32x4.add(ay, f32x4.mul(a, v128.load32_splat(p, 4)));
      az = f32x4.add(az, f32x4.mul(a, v128.load32_splat(p, 8)));
      place += 4;
      entry += 16;
      e++;
    }
    v128.store(to, f32x4.add(ax, bx));
    v128.store(to, f32x4.add(ay, by), 16);
    v128.store(to, f32x4.add(az, bz), 32);
    to += 48;
  }
}
