/**
 * The local step of volumetric deformation. For each tetrahedron: its gradient F = Σ (x_a − x_0) g_aᵀ; the rotation R that
 * minimises ‖F − R‖² + κ‖R − Q‖², with Q the rotation of its bones; the target T = R (or T = (R + w D)/(1 + w), with D the
 * nearest matrix of the volume that is wanted of it, see `volumeDilatation`); and what its vertices miss of it,
 * vol · (T − F) g_a, summed over the tetrahedra of a vertex.
 *
 * Tetrahedra lie in blocks of neighbours, two and two in the lanes of a register. A block has a list of its own vertices
 * and sums of its own, so that threads never write to the same place; `volumeGather` adds the blocks' sums in a fixed
 * order.
 *
 * Reference: Sorkine, Alexa. As-rigid-as-possible surface modeling. 2007 (the alternation); Bouaziz et al. Projective
 * dynamics. 2014 (targets by projection).
 */
import { BlockScratch, VolumeGather, VolumeTargets } from '../generated/volume';
import { CORNERS, coordinate, deposit, ENTRY, OPERATORS, SHAPES } from './blocks';
import { a00, a01, a02, a10, a11, a12, a20, a21, a22, add, dot, mul, polar, setMatrix, sub, towardsVolume }
  from './lanes';

/** Bytes of a vertex's three numbers, and of a pair's quaternions (8 × f64). */
const VERTEX: usize = 24;
const QUATERNIONS: usize = 64;
/**
 * Items are blocks. Arguments: first pair of each block and the end (i32), first entry in the list of vertices of each block
 * and the end (i32), the list (i32), corners (pairs × 8 byte offsets of a block's entries: corner 0 of both, corner 1 of
 * both, …), operators (pairs × 20: nine entries g₁ g₂ g₃ and the volume, each for both), shapes (pairs × 14: six entries of
 * a symmetric stretch, and its determinant, each for both; or 0), positions (f64, 3 a vertex), sums (f64, 4 an entry of the
 * list, the last unused), weight of the volume (0: rotations only), mean dilatations (f64, one a vertex), quaternions of
 * the bones (pairs × 8: x y z w, each for both; or 0), κ (infinite: their rotations are taken as they are), Laplacians of
 * the surface at rest (f64, 3 a vertex), sums of turned ones (f64, 4 an entry), whether a pair touches the surface (i32; or
 * 0 where nothing resists bending).
 */
export function volumeTargets(begin: i32, end: i32, args: VolumeTargets, scratch: usize): void {
  const pairStarts = args.pairStarts;
  const listStarts = args.listStarts;
  const list = args.list;
  const corners = args.corners;
  const operators = args.operators;
  const shapes = args.shapes;
  const positions = args.positions;
  const sums = args.sums;
  const weight = args.weight;
  const dilatations = args.dilatations;
  const quaternions = args.quaternions;
  const prior = args.prior;
  const laplacians = args.laplacians;
  const turned = args.turned;
  const touches = args.touches;
  const local = BlockScratch.local(scratch, args.mostVertices);
  for (let block = begin; block < end; block++) {
    const at = <usize>block << 2;
    const first = load<i32>(listStarts + at);
    const last = load<i32>(listStarts + at, 4);
    const size = <usize>(last - first) * ENTRY;
    const out = sums + <usize>first * ENTRY;
    const bent = local + size;
    const bentOut = turned + <usize>first * ENTRY;
    for (let k = first; k < last; k++) {
      const v = <usize>load<i32>(list + (<usize>k << 2));
      const from = positions + v * VERTEX;
      const to = local + <usize>(k - first) * ENTRY;
      v128.store(to, v128.load(from));
      store<f64>(to, load<f64>(from, 16), 16);
      if (weight > 0) store<f64>(to, load<f64>(dilatations + (v << 3)), 24);
      if (touches != 0) {
        v128.store(to + size, v128.load(laplacians + v * VERTEX));
        store<f64>(to + size, load<f64>(laplacians + v * VERTEX, 16), 16);
      }
    }
    memory.fill(out, 0, size);
    if (touches != 0) memory.fill(bentOut, 0, size);
    const pairEnd = load<i32>(pairStarts + at, 4);
    for (let pair = load<i32>(pairStarts + at); pair < pairEnd; pair++) {
      const pairCorners = corners + <usize>pair * CORNERS;
      const pairOperators = operators + <usize>pair * OPERATORS;
      const shape = shapes == 0 ? 0 : shapes + <usize>pair * SHAPES;
      const quaternion = quaternions == 0 ? 0 : quaternions + <usize>pair * QUATERNIONS;
      const bends = touches != 0 && load<i32>(touches + (<usize>pair << 2)) != 0;
      target(pairCorners, pairOperators, shape, quaternion, local, out, weight, prior, bends ? bent : 0, bentOut, scratch);
    }
  }
}

function target(
  corners: usize, operators: usize, shape: usize, quaternion: usize, local: usize, out: usize, weight: f64, prior: f64,
  bent: usize, bentOut: usize, scratch: usize,
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
  if (shape == 0) setMatrix(f00, f01, f02, f10, f11, f12, f20, f21, f22);
  // The rotation R for which R S is nearest to F is that of F S.
  else timesSymmetric(f00, f01, f02, f10, f11, f12, f20, f21, f22, shape);
  if (quaternion != 0) lean(quaternion, prior);
  if (prior != Infinity) polar(scratch);
  if (shape != 0) timesSymmetric(a00, a01, a02, a10, a11, a12, a20, a21, a22, shape);
  if (bent != 0) turn(corners, v128.load(operators, 144), bent, bentOut);
  if (weight > 0) {
    const whole = shape == 0 ? f64x2.splat(1) : v128.load(shape, 96);
    const mean = mul(f64x2.splat(0.25), add(
      add(coordinate(local, corners, 0, 3), coordinate(local, corners, 1, 3)),
      add(coordinate(local, corners, 2, 3), coordinate(local, corners, 3, 3)),
    ));
    towardsVolume(weight, whole, mean, f00, f01, f02, f10, f11, f12, f20, f21, f22);
  }
  setMatrix(
    sub(a00, f00), sub(a01, f01), sub(a02, f02),
    sub(a10, f10), sub(a11, f11), sub(a12, f12),
    sub(a20, f20), sub(a21, f21), sub(a22, f22),
  );
  ask(corners, operators, out);
}

/** A := (A + κ Q)/(1 + κ) with the rotations of quaternions of length 1; A := Q where κ is infinite. */
function lean(quaternion: usize, prior: f64): void {
  const x = v128.load(quaternion), y = v128.load(quaternion, 16);
  const z = v128.load(quaternion, 32), w = v128.load(quaternion, 48);
  const two = f64x2.splat(2), one = f64x2.splat(1);
  const tx = mul(two, x), ty = mul(two, y), tz = mul(two, z);
  const q00 = sub(one, add(mul(ty, y), mul(tz, z))), q01 = sub(mul(tx, y), mul(tz, w)), q02 = add(mul(tx, z), mul(ty, w));
  const q10 = add(mul(tx, y), mul(tz, w)), q11 = sub(one, add(mul(tx, x), mul(tz, z))), q12 = sub(mul(ty, z), mul(tx, w));
  const q20 = sub(mul(tx, z), mul(ty, w)), q21 = add(mul(ty, z), mul(tx, w)), q22 = sub(one, add(mul(tx, x), mul(ty, y)));
  if (prior == Infinity) {
    setMatrix(q00, q01, q02, q10, q11, q12, q20, q21, q22);
    return;
  }
  // Divided by 1 + κ, so that what is no more than turned is a rotation already.
  const own = f64x2.splat(1 / (1 + prior)), k = f64x2.splat(prior / (1 + prior));
  setMatrix(
    add(mul(own, a00), mul(k, q00)), add(mul(own, a01), mul(k, q01)), add(mul(own, a02), mul(k, q02)),
    add(mul(own, a10), mul(k, q10)), add(mul(own, a11), mul(k, q11)), add(mul(own, a12), mul(k, q12)),
    add(mul(own, a20), mul(k, q20)), add(mul(own, a21), mul(k, q21)), add(mul(own, a22), mul(k, q22)),
  );
}

/** Adds vol · A δ to the corners' sums, with δ the corner's Laplacian at rest. */
function turn(corners: usize, volume: v128, bent: usize, out: usize): void {
  for (let c: usize = 0; c < 4; c++) {
    const x = mul(volume, coordinate(bent, corners, c, 0));
    const y = mul(volume, coordinate(bent, corners, c, 1));
    const z = mul(volume, coordinate(bent, corners, c, 2));
    deposit(corners, out, c, dot(a00, x, a01, y, a02, z));
    deposit(corners, out + 8, c, dot(a10, x, a11, y, a12, z));
    deposit(corners, out + 16, c, dot(a20, x, a21, y, a22, z));
  }
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

/**
 * Items are free vertices. rhs = the sums of a vertex's copies in all blocks + what bending asks of it. Arguments: vertex of each
 * free one (i32), first copy of each vertex and the end (i32), the copies (i32, entries of the list), sums (f64, 4 an
 * entry), rhs (f64, 3 a free vertex), index of each vertex on the surface (i32, −1 for inner ones; or 0 where nothing
 * resists bending), first neighbour of each vertex of the surface and the end (i32), neighbours (i32, indices on the
 * surface), misses divided by the number of neighbours (f64, 3 a vertex of the surface).
 */
export function volumeGather(begin: i32, end: i32, args: VolumeGather, scratch: usize): void {
  const free = args.free;
  const starts = args.starts;
  const copies = args.copies;
  const sums = args.sums;
  const rhs = args.out;
  const surface = args.surface;
  const neighbourStarts = args.neighbourStarts;
  const neighbours = args.neighbours;
  const misses = args.misses;
  for (let i = begin; i < end; i++) {
    let x: f64 = 0, y: f64 = 0, z: f64 = 0;
    const v = <usize>load<i32>(free + (<usize>i << 2)) << 2;
    const last = load<i32>(starts + v, 4);
    for (let k = load<i32>(starts + v); k < last; k++) {
      const from = sums + <usize>load<i32>(copies + (<usize>k << 2)) * ENTRY;
      x += load<f64>(from);
      y += load<f64>(from, 8);
      z += load<f64>(from, 16);
    }
    const s = surface == 0 ? -1 : load<i32>(surface + v);
    if (s >= 0) {
      // Column of the umbrella Laplacian: −1 for the vertex itself, 1/degree of each neighbour.
      const first = load<i32>(neighbourStarts + (<usize>s << 2));
      const beyond = load<i32>(neighbourStarts + (<usize>s << 2), 4);
      const own = misses + <usize>s * VERTEX;
      const degree = <f64>(beyond - first);
      x -= degree * load<f64>(own);
      y -= degree * load<f64>(own, 8);
      z -= degree * load<f64>(own, 16);
      for (let k = first; k < beyond; k++) {
        const other = misses + <usize>load<i32>(neighbours + (<usize>k << 2)) * VERTEX;
        x += load<f64>(other);
        y += load<f64>(other, 8);
        z += load<f64>(other, 16);
      }
    }
    const at = rhs + <usize>i * VERTEX;
    store<f64>(at, x);
    store<f64>(at, y, 8);
    store<f64>(at, z, 16);
  }
}
