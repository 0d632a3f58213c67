/**
 * The local step of volumetric deformation. For each tetrahedron: its gradient F = Σ (x_a − x_0) g_aᵀ, the rotation R
 * nearest to it, the target T = R (or T = (R + w D)/(1 + w), with D the nearest matrix that keeps the volume), and what
 * its vertices miss of it, vol · (T − F) g_a, summed over the tetrahedra of a vertex.
 *
 * Tetrahedra lie in blocks of neighbours, two and two in the lanes of a register. A block has a list of its own vertices
 * and sums of its own, so that threads never write to the same place; `volumeGather` adds the blocks' sums in a fixed
 * order.
 *
 * Reference: Sorkine, Alexa. As-rigid-as-possible surface modeling. 2007 (the alternation); Bouaziz et al. Projective
 * dynamics. 2014 (targets by projection).
 */
import { number, pointer } from '../arguments';
import { a00, a01, a02, a10, a11, a12, a20, a21, a22, add, dot, mul, polar, setMatrix, sub, towardsVolume }
  from './lanes';

/** Bytes of a vertex's three numbers, of a pair's corners (8 × i32), operators (20 × f64) and shapes (14 × f64). */
const VERTEX: usize = 24;
const CORNERS: usize = 32;
const OPERATORS: usize = 160;
const SHAPES: usize = 112;
/** Scratch before the block's positions, for the rotation of a flat tetrahedron and for given ones. */
const ROOM: usize = 144;

/** Bytes of scratch for blocks of at most `vertices` vertices. */
export function volumeScratch(vertices: i32): i32 {
  return <i32>(ROOM + <usize>vertices * VERTEX);
}

/**
 * Items are blocks. args: first pair of each block and the end (i32), first entry in the list of vertices of each block
 * and the end (i32), the list (i32), corners (pairs × 8 byte offsets into the block's positions: corner 0 of both, corner
 * 1 of both, …), operators (pairs × 20: nine entries g₁ g₂ g₃ and the volume, each for both), shapes (pairs × 14: six
 * entries of a symmetric stretch, and its determinant, each for both; or 0), positions (f64, 3 a vertex), sums (f64, 3 an
 * entry of the list), weight of the volume (0: rotations only).
 */
export function volumeTargets(begin: i32, end: i32, args: usize, scratch: usize): void {
  const pairStarts = pointer(args, 0);
  const listStarts = pointer(args, 1);
  const list = pointer(args, 2);
  const corners = pointer(args, 3);
  const operators = pointer(args, 4);
  const shapes = pointer(args, 5);
  const positions = pointer(args, 6);
  const sums = pointer(args, 7);
  const weight = number(args, 8);
  const local = scratch + ROOM;
  for (let block = begin; block < end; block++) {
    const at = <usize>block << 2;
    const first = load<i32>(listStarts + at);
    const last = load<i32>(listStarts + at, 4);
    const out = sums + <usize>first * VERTEX;
    for (let k = first; k < last; k++) {
      const from = positions + <usize>load<i32>(list + (<usize>k << 2)) * VERTEX;
      const to = local + <usize>(k - first) * VERTEX;
      v128.store(to, v128.load(from));
      store<f64>(to, load<f64>(from, 16), 16);
    }
    memory.fill(out, 0, <usize>(last - first) * VERTEX);
    const pairEnd = load<i32>(pairStarts + at, 4);
    for (let pair = load<i32>(pairStarts + at); pair < pairEnd; pair++) {
      const shape = shapes == 0 ? 0 : shapes + <usize>pair * SHAPES;
      target(corners + <usize>pair * CORNERS, operators + <usize>pair * OPERATORS, shape, local, out, weight, scratch);
    }
  }
}

/** The k-th coordinate of corner c of both tetrahedra. */
// @ts-ignore: decorator
@inline
function coordinate(local: usize, corners: usize, c: usize, k: usize): v128 {
  const first = load<i32>(corners + (c << 3));
  const second = load<i32>(corners + (c << 3), 4);
  return v128.load64_lane(local + <usize>second + (k << 3), v128.load64_zero(local + <usize>first + (k << 3)), 1);
}

function target(
  corners: usize, operators: usize, shape: usize, local: usize, out: usize, weight: f64, scratch: usize,
): void {
  const ox = coordinate(local, corners, 0, 0), oy = coordinate(local, corners, 0, 1);
  const oz = coordinate(local, corners, 0, 2);
  const ux = sub(coordinate(local, corners, 1, 0), ox), uy = sub(coordinate(local, corners, 1, 1), oy);
  const uz = sub(coordinate(local, corners, 1, 2), oz), vx = sub(coordinate(local, corners, 2, 0), ox);
  const vy = sub(coordinate(local, corners, 2, 1), oy), vz = sub(coordinate(local, corners, 2, 2), oz);
  const wx = sub(coordinate(local, corners, 3, 0), ox), wy = sub(coordinate(local, corners, 3, 1), oy);
  const wz = sub(coordinate(local, corners, 3, 2), oz);
  const g00 = v128.load(operators), g01 = v128.load(operators, 16), g02 = v128.load(operators, 32);
  const g10 = v128.load(operators, 48), g11 = v128.load(operators, 64), g12 = v128.load(operators, 80);
  const g20 = v128.load(operators, 96), g21 = v128.load(operators, 112), g22 = v128.load(operators, 128);
  const f00 = dot(ux, g00, vx, g10, wx, g20), f01 = dot(ux, g01, vx, g11, wx, g21), f02 = dot(ux, g02, vx, g12, wx, g22);
  const f10 = dot(uy, g00, vy, g10, wy, g20), f11 = dot(uy, g01, vy, g11, wy, g21), f12 = dot(uy, g02, vy, g12, wy, g22);
  const f20 = dot(uz, g00, vz, g10, wz, g20), f21 = dot(uz, g01, vz, g11, wz, g21), f22 = dot(uz, g02, vz, g12, wz, g22);
  let wanted = f64x2.splat(1);
  if (shape == 0) {
    setMatrix(f00, f01, f02, f10, f11, f12, f20, f21, f22);
    polar(scratch);
  } else {
    // The rotation R for which R S is nearest to F is that of F S.
    timesSymmetric(f00, f01, f02, f10, f11, f12, f20, f21, f22, shape);
    polar(scratch);
    timesSymmetric(a00, a01, a02, a10, a11, a12, a20, a21, a22, shape);
    wanted = v128.load(shape, 96);
  }
  if (weight > 0) towardsVolume(weight, wanted, f00, f01, f02, f10, f11, f12, f20, f21, f22);
  setMatrix(
    sub(a00, f00), sub(a01, f01), sub(a02, f02),
    sub(a10, f10), sub(a11, f11), sub(a12, f12),
    sub(a20, f20), sub(a21, f21), sub(a22, f22),
  );
  ask(corners, operators, out);
}

/** Adds vol · A g_a to the sums of the corners. */
function ask(corners: usize, operators: usize, out: usize): void {
  const g00 = v128.load(operators), g01 = v128.load(operators, 16), g02 = v128.load(operators, 32);
  const g10 = v128.load(operators, 48), g11 = v128.load(operators, 64), g12 = v128.load(operators, 80);
  const g20 = v128.load(operators, 96), g21 = v128.load(operators, 112), g22 = v128.load(operators, 128);
  const volume = v128.load(operators, 144);
  scatter(corners, out, 0, mul(volume, a00), mul(volume, a01), mul(volume, a02),
    g00, g01, g02, g10, g11, g12, g20, g21, g22);
  scatter(corners, out, 8, mul(volume, a10), mul(volume, a11), mul(volume, a12),
    g00, g01, g02, g10, g11, g12, g20, g21, g22);
  scatter(corners, out, 16, mul(volume, a20), mul(volume, a21), mul(volume, a22),
    g00, g01, g02, g10, g11, g12, g20, g21, g22);
}

/** A := B times the symmetric matrices stored at `symmetric` (six entries, for both). */
function timesSymmetric(
  b00: v128, b01: v128, b02: v128, b10: v128, b11: v128, b12: v128, b20: v128, b21: v128, b22: v128, symmetric: usize,
): void {
  const t00 = v128.load(symmetric), t01 = v128.load(symmetric, 16), t02 = v128.load(symmetric, 32);
  const t11 = v128.load(symmetric, 48), t12 = v128.load(symmetric, 64), t22 = v128.load(symmetric, 80);
  setMatrix(
    dot(b00, t00, b01, t01, b02, t02), dot(b00, t01, b01, t11, b02, t12), dot(b00, t02, b01, t12, b02, t22),
    dot(b10, t00, b11, t01, b12, t02), dot(b10, t01, b11, t11, b12, t12), dot(b10, t02, b11, t12, b12, t22),
    dot(b20, t00, b21, t01, b22, t02), dot(b20, t01, b21, t11, b22, t12), dot(b20, t02, b21, t12, b22, t22),
  );
}

/** Adds row (t0 t1 t2) of vol · T times each g_a to coordinate `axis` of the corners' sums. */
// @ts-ignore: decorator
@inline
function scatter(
  corners: usize, out: usize, axis: usize, t0: v128, t1: v128, t2: v128,
  g00: v128, g01: v128, g02: v128, g10: v128, g11: v128, g12: v128, g20: v128, g21: v128, g22: v128,
): void {
  const p = dot(t0, g00, t1, g01, t2, g02);
  const q = dot(t0, g10, t1, g11, t2, g12);
  const r = dot(t0, g20, t1, g21, t2, g22);
  deposit(corners, out + axis, 0, f64x2.neg(add(add(p, q), r)));
  deposit(corners, out + axis, 1, p);
  deposit(corners, out + axis, 2, q);
  deposit(corners, out + axis, 3, r);
}

// @ts-ignore: decorator
@inline
function deposit(corners: usize, out: usize, c: usize, value: v128): void {
  const first = out + <usize>load<i32>(corners + (c << 3));
  store<f64>(first, load<f64>(first) + f64x2.extract_lane(value, 0));
  const second = out + <usize>load<i32>(corners + (c << 3), 4);
  store<f64>(second, load<f64>(second) + f64x2.extract_lane(value, 1));
}

/**
 * What given targets ask of the vertices, vol · T g_a: rotations, one quaternion (x, y, z, w) a vertex, averaged over the
 * corners. args as for `volumeTargets`, with the quaternions (f64, 4 a vertex) in the place of the positions; the weight
 * is not read.
 */
export function volumeRotations(begin: i32, end: i32, args: usize, scratch: usize): void {
  const pairStarts = pointer(args, 0);
  const listStarts = pointer(args, 1);
  const list = pointer(args, 2);
  const corners = pointer(args, 3);
  const operators = pointer(args, 4);
  const shapes = pointer(args, 5);
  const quaternions = pointer(args, 6);
  const sums = pointer(args, 7);
  for (let block = begin; block < end; block++) {
    const at = <usize>block << 2;
    const first = load<i32>(listStarts + at);
    const out = sums + <usize>first * VERTEX;
    memory.fill(out, 0, <usize>(load<i32>(listStarts + at, 4) - first) * VERTEX);
    const pairEnd = load<i32>(pairStarts + at, 4);
    for (let pair = load<i32>(pairStarts + at); pair < pairEnd; pair++) {
      const pairCorners = corners + <usize>pair * CORNERS;
      meanRotation(pairCorners, list + (<usize>first << 2), quaternions, scratch);
      meanRotation(pairCorners + 4, list + (<usize>first << 2), quaternions, scratch + 8);
      setMatrix(
        v128.load(scratch), v128.load(scratch, 16), v128.load(scratch, 32),
        v128.load(scratch, 48), v128.load(scratch, 64), v128.load(scratch, 80),
        v128.load(scratch, 96), v128.load(scratch, 112), v128.load(scratch, 128),
      );
      if (shapes != 0) {
        timesSymmetric(a00, a01, a02, a10, a11, a12, a20, a21, a22, shapes + <usize>pair * SHAPES);
      }
      ask(pairCorners, operators + <usize>pair * OPERATORS, out);
    }
  }
}

/** The rotation of the mean quaternion of four corners, its nine entries 16 bytes apart. */
function meanRotation(corners: usize, list: usize, quaternions: usize, out: usize): void {
  let x: f64 = 0, y: f64 = 0, z: f64 = 0, w: f64 = 0;
  for (let c: usize = 0; c < 4; c++) {
    const entry = <usize>load<i32>(corners + (c << 3)) / VERTEX;
    const q = quaternions + (<usize>load<i32>(list + (entry << 2)) << 5);
    const qx = load<f64>(q), qy = load<f64>(q, 8), qz = load<f64>(q, 16), qw = load<f64>(q, 24);
    // q and −q are the same rotation.
    const side: f64 = x * qx + y * qy + z * qz + w * qw < 0 ? -1 : 1;
    x += side * qx; y += side * qy; z += side * qz; w += side * qw;
  }
  const s = 2 / (x * x + y * y + z * z + w * w);
  store<f64>(out, 1 - s * (y * y + z * z));
  store<f64>(out, s * (x * y - w * z), 16);
  store<f64>(out, s * (x * z + w * y), 32);
  store<f64>(out, s * (x * y + w * z), 48);
  store<f64>(out, 1 - s * (x * x + z * z), 64);
  store<f64>(out, s * (y * z - w * x), 80);
  store<f64>(out, s * (x * z - w * y), 96);
  store<f64>(out, s * (y * z + w * x), 112);
  store<f64>(out, 1 - s * (x * x + y * y), 128);
}

/**
 * Items are free vertices. rhs = the sums of a vertex's copies in all blocks − what the fixed vertices ask. args: first
 * copy of each vertex and the end (i32), the copies (i32, entries of the list), sums (f64, 3 an entry), fixed (f64, 3 a
 * free vertex; or 0 where the sums have it), rhs (f64, 3 a free vertex).
 */
export function volumeGather(begin: i32, end: i32, args: usize, scratch: usize): void {
  const starts = pointer(args, 0);
  const copies = pointer(args, 1);
  const sums = pointer(args, 2);
  const fixed = pointer(args, 3);
  const rhs = pointer(args, 4);
  for (let i = begin; i < end; i++) {
    let x: f64 = 0, y: f64 = 0, z: f64 = 0;
    const last = load<i32>(starts + (<usize>i << 2), 4);
    for (let k = load<i32>(starts + (<usize>i << 2)); k < last; k++) {
      const from = sums + <usize>load<i32>(copies + (<usize>k << 2)) * VERTEX;
      x += load<f64>(from);
      y += load<f64>(from, 8);
      z += load<f64>(from, 16);
    }
    const at = <usize>i * VERTEX;
    if (fixed != 0) {
      x -= load<f64>(fixed + at);
      y -= load<f64>(fixed + at, 8);
      z -= load<f64>(fixed + at, 16);
    }
    store<f64>(rhs + at, x);
    store<f64>(rhs + at, y, 8);
    store<f64>(rhs + at, z, 16);
  }
}
