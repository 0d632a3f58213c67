/** What a pose asks once: rotations of the bones for the tetrahedra; and how far the surface is from its shape at rest. */
import { VolumeBend, VolumeRotations } from '../generated/volume';
import { CORNERS, ENTRY } from './blocks';

/** Bytes of a vertex's three numbers, and of a pair's quaternions. */
const VERTEX: usize = 24;
const QUATERNIONS: usize = 64;

/**
 * Items are blocks: the mean quaternion of the corners of each tetrahedron, of length 1. Arguments: first pair of each block and
 * the end (i32), first entry of each block and the end (i32), the list (i32), corners, quaternions of the vertices (f64, x
 * y z w, of any length), out (pairs × 8: x y z w, each for both).
 */
export function volumeRotations(begin: i32, end: i32, args: VolumeRotations, scratch: usize): void {
  const pairStarts = args.pairStarts;
  const listStarts = args.listStarts;
  const list = args.list;
  const corners = args.corners;
  const quaternions = args.quaternions;
  const out = args.out;
  for (let block = begin; block < end; block++) {
    const at = <usize>block << 2;
    const own = list + (<usize>load<i32>(listStarts + at) << 2);
    const pairEnd = load<i32>(pairStarts + at, 4);
    for (let pair = load<i32>(pairStarts + at); pair < pairEnd; pair++) {
      for (let lane: usize = 0; lane < 2; lane++) {
        meanRotation(corners + <usize>pair * CORNERS + (lane << 2), own, quaternions,
          out + <usize>pair * QUATERNIONS + (lane << 3));
      }
    }
  }
}

/** The mean quaternion of four corners, its numbers 16 bytes apart. */
function meanRotation(corners: usize, list: usize, quaternions: usize, out: usize): void {
  let x: f64 = 0, y: f64 = 0, z: f64 = 0, w: f64 = 0;
  for (let c: usize = 0; c < 4; c++) {
    const entry = <usize>load<i32>(corners + (c << 3)) / ENTRY;
    const q = quaternions + (<usize>load<i32>(list + (entry << 2)) << 5);
    const qx = load<f64>(q), qy = load<f64>(q, 8), qz = load<f64>(q, 16), qw = load<f64>(q, 24);
    // q and −q are the same rotation.
    const side: f64 = x * qx + y * qy + z * qz + w * qw < 0 ? -1 : 1;
    x += side * qx; y += side * qy; z += side * qz; w += side * qw;
  }
  const s = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
  store<f64>(out, s * x);
  store<f64>(out, s * y, 16);
  store<f64>(out, s * z, 32);
  store<f64>(out, s * w, 48);
}

/**
 * Items are vertices of the surface. What is missing from their turned Laplacians, stiffness · (R̄ Δrest − Δx), divided by
 * the number of neighbours. Arguments: vertex of each (i32), first copy of each vertex and the end (i32), the copies (i32),
 * sums of turned Laplacians (f64, 4 an entry), first neighbour of each and the end (i32), neighbours (i32, indices on the
 * surface), positions (f64, 3 a vertex), stiffness, out (f64, 3 a vertex of the surface).
 */
export function volumeBend(begin: i32, end: i32, args: VolumeBend, scratch: usize): void {
  const vertices = args.vertices;
  const starts = args.starts;
  const copies = args.copies;
  const sums = args.turned;
  const neighbourStarts = args.neighbourStarts;
  const neighbours = args.neighbours;
  const positions = args.positions;
  const stiffness = args.stiffness;
  const out = args.out;
  for (let s = begin; s < end; s++) {
    const v = <usize>load<i32>(vertices + (<usize>s << 2));
    let x: f64 = 0, y: f64 = 0, z: f64 = 0;
    const last = load<i32>(starts + (v << 2), 4);
    for (let k = load<i32>(starts + (v << 2)); k < last; k++) {
      const from = sums + <usize>load<i32>(copies + (<usize>k << 2)) * ENTRY;
      x += load<f64>(from);
      y += load<f64>(from, 8);
      z += load<f64>(from, 16);
    }
    const first = load<i32>(neighbourStarts + (<usize>s << 2));
    const beyond = load<i32>(neighbourStarts + (<usize>s << 2), 4);
    let mx: f64 = 0, my: f64 = 0, mz: f64 = 0;
    for (let k = first; k < beyond; k++) {
      const other = <usize>load<i32>(neighbours + (<usize>k << 2));
      const from = positions + <usize>load<i32>(vertices + (other << 2)) * VERTEX;
      mx += load<f64>(from);
      my += load<f64>(from, 8);
      mz += load<f64>(from, 16);
    }
    const share = 1 / <f64>(beyond - first);
    const factor = stiffness * share;
    const own = positions + v * VERTEX;
    const to = out + <usize>s * VERTEX;
    store<f64>(to, factor * (x - (share * mx - load<f64>(own))));
    store<f64>(to, factor * (y - (share * my - load<f64>(own, 8))), 8);
    store<f64>(to, factor * (z - (share * mz - load<f64>(own, 16))), 16);
  }
}
