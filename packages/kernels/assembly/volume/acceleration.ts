/**
 * Vectors of an accelerated fixed-point iteration over vertices, three numbers each, which lie in wasm memory padded with
 * zeros to whole pairs of vertices. Items are pairs of vertices: six numbers, three registers.
 */
import { VolumeLookAhead, VolumeMeasure, VolumePlace } from '../generated/volume';

/** Bytes of a pair of vertices. */
const PAIR: usize = 48;
/** Sums of a chunk before those of the slots: see `volumeMeasure`. */
const LEAD: i32 = 5;

/** positions[free[k]] = copy[k] = values[k]. Items are free vertices. Arguments: values, free (i32), positions, copy (or 0). */
export function volumePlace(begin: i32, end: i32, args: VolumePlace, scratch: usize): void {
  const values = args.values;
  const free = args.free;
  const positions = args.positions;
  const copy = args.copy;
  if (copy != 0) memory.copy(copy + <usize>begin * 24, values + <usize>begin * 24, <usize>(end - begin) * 24);
  for (let k = begin; k < end; k++) {
    const from = values + <usize>k * 24;
    const to = positions + <usize>load<i32>(free + (<usize>k << 2)) * 24;
    v128.store(to, v128.load(from));
    store<f64>(to, load<f64>(from, 16), 16);
  }
}

/**
 * What a round from `look` to y did. With the miss f = y − look it writes the differences to the last round, f − f₀ and
 * y − y₀, into a slot of the history, and the new f and y over the last ones.
 *
 * Arguments: y, look, y₀, f₀, history of f (slots × stride), history of y, stride in bytes, slots, slot to write, sums, pairs in
 * a chunk. Sums of a chunk: Σx Σy Σz of y, ‖y‖², ‖f‖²; then for each slot f · Δy, f · Δf and Δf(written) · Δf.
 */
export function volumeMeasure(begin: i32, end: i32, args: VolumeMeasure, scratch: usize): void {
  const from = <usize>begin * PAIR;
  const to = <usize>end * PAIR;
  const y = args.y;
  const look = args.look;
  const lastY = args.lastY;
  const lastMiss = args.lastMiss;
  const misses = args.misses;
  const stride = args.stride;
  const slots = args.slots;
  const slot = <usize>args.slot;
  const sums = args.sums + (<usize>((begin / args.grain) * (LEAD + 3 * slots)) << 3);
  const missStep = misses + slot * stride;
  const steps = args.steps;
  const step = steps + slot * stride;
  let s0 = f64x2.splat(0), s1 = f64x2.splat(0), s2 = f64x2.splat(0);
  let squares = f64x2.splat(0), missed = f64x2.splat(0);
  for (let at = from; at < to; at += PAIR) {
    s0 = f64x2.add(s0, v128.load(y + at));
    s1 = f64x2.add(s1, v128.load(y + at, 16));
    s2 = f64x2.add(s2, v128.load(y + at, 32));
    for (let k = at; k < at + PAIR; k += 16) {
      const value = v128.load(y + k);
      const miss = f64x2.sub(value, v128.load(look + k));
      v128.store(missStep + k, f64x2.sub(miss, v128.load(lastMiss + k)));
      v128.store(step + k, f64x2.sub(value, v128.load(lastY + k)));
      v128.store(lastMiss + k, miss);
      v128.store(lastY + k, value);
      squares = f64x2.add(squares, f64x2.mul(value, value));
      missed = f64x2.add(missed, f64x2.mul(miss, miss));
    }
  }
  store<f64>(sums, f64x2.extract_lane(s0, 0) + f64x2.extract_lane(s1, 1));
  store<f64>(sums, f64x2.extract_lane(s0, 1) + f64x2.extract_lane(s2, 0), 8);
  store<f64>(sums, f64x2.extract_lane(s1, 0) + f64x2.extract_lane(s2, 1), 16);
  store<f64>(sums, total(squares), 24);
  store<f64>(sums, total(missed), 32);
  for (let s = 0; s < slots; s++) {
    const otherStep = steps + <usize>s * stride;
    const otherMiss = misses + <usize>s * stride;
    let along = f64x2.splat(0), ofMiss = f64x2.splat(0), ofNewest = f64x2.splat(0);
    for (let k = from; k < to; k += 16) {
      const miss = v128.load(lastMiss + k);
      const value = v128.load(otherMiss + k);
      along = f64x2.add(along, f64x2.mul(v128.load(otherStep + k), miss));
      ofMiss = f64x2.add(ofMiss, f64x2.mul(value, miss));
      ofNewest = f64x2.add(ofNewest, f64x2.mul(value, v128.load(missStep + k)));
    }
    store<f64>(sums + (<usize>(LEAD + s) << 3), total(along));
    store<f64>(sums + (<usize>(LEAD + slots + s) << 3), total(ofMiss));
    store<f64>(sums + (<usize>(LEAD + 2 * slots + s) << 3), total(ofNewest));
  }
}

// @ts-ignore: decorator
@inline
function total(lanes: v128): f64 {
  return f64x2.extract_lane(lanes, 0) + f64x2.extract_lane(lanes, 1);
}

/**
 * look = y − Σ γ_s Δy_s over the slots with a coefficient other than zero. Arguments: y, look, history of y, stride in bytes,
 * slots, γ (f64, one a slot).
 */
export function volumeLookAhead(begin: i32, end: i32, args: VolumeLookAhead, scratch: usize): void {
  const from = <usize>begin * PAIR;
  const to = <usize>end * PAIR;
  const look = args.look;
  const history = args.steps;
  const stride = args.stride;
  const slots = args.slots;
  const factors = args.factors;
  memory.copy(look + from, args.y + from, to - from);
  for (let s = 0; s < slots; s++) {
    const factor = load<f64>(factors + (<usize>s << 3));
    if (factor == 0) continue;
    const steps = history + <usize>s * stride;
    const by = f64x2.splat(factor);
    for (let k = from; k < to; k += 16) {
      v128.store(look + k, f64x2.sub(v128.load(look + k), f64x2.mul(by, v128.load(steps + k))));
    }
  }
}
