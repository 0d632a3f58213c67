/**
 * How a kernel gets its arguments. Every kernel that runs in parallel has the signature
 *
 *   (begin, end, args, scratch)
 *
 * for the items [begin, end), where `args` points at the call's numbers as f64 (an f64 holds any wasm32 pointer and any
 * i32 exactly) and `scratch` at memory that belongs to the running thread alone.
 */
// @ts-ignore: decorator
@inline
export function pointer(args: usize, k: i32): usize {
  return <usize>load<f64>(args + (<usize>k << 3));
}

// @ts-ignore: decorator
@inline
export function integer(args: usize, k: i32): i32 {
  return <i32>load<f64>(args + (<usize>k << 3));
}

// @ts-ignore: decorator
@inline
export function number(args: usize, k: i32): f64 {
  return load<f64>(args + (<usize>k << 3));
}
