/**
 * Mean dilatations: J = det F averaged from tetrahedra to vertices, weighted by volume, and on from vertex to vertex. What
 * is wanted of a tetrahedron is J + 1 − J̄, so that volume is kept in the neighbourhood and not by every tetrahedron by
 * itself: linear tetrahedra have fewer vertices than constraints then, and lock.
 *
 * Reference: de Souza Neto, Pires, Owen. F-bar-based linear triangles and tetrahedra for finite strain analysis of nearly
 * incompressible solids. 2005.
 */
import { BlockScratch, VolumeAverage, VolumeDilatation, VolumeDilatationOfVertices } from '../generated/volume';
import { CORNERS, coordinate, deposit, ENTRY, OPERATORS, SHAPES } from './blocks';
import { dot, minor, mul, sub } from './lanes';

/** Bytes of a vertex's three numbers. */
const VERTEX: usize = 24;

/**
 * Items are blocks; vol · J of each tetrahedron is added to its corners. Arguments: first pair of each block and the end, first
 * entry of each block and the end, the list, corners, operators, shapes, positions, as for `volumeTargets`; sums (f64, 4
 * an entry, of which the first is written).
 */
export function volumeDilatation(begin: i32, end: i32, args: VolumeDilatation, scratch: usize): void {
  const pairStarts = args.pairStarts;
  const listStarts = args.listStarts;
  const list = args.list;
  const corners = args.corners;
  const operators = args.operators;
  const shapes = args.shapes;
  const positions = args.positions;
  const sums = args.sums;
  const local = BlockScratch.local(scratch, args.mostVertices);
  for (let block = begin; block < end; block++) {
    const at = <usize>block << 2;
    const first = load<i32>(listStarts + at);
    const last = load<i32>(listStarts + at, 4);
    const out = sums + <usize>first * ENTRY;
    for (let k = first; k < last; k++) {
      const from = positions + <usize>load<i32>(list + (<usize>k << 2)) * VERTEX;
      const to = local + <usize>(k - first) * ENTRY;
      v128.store(to, v128.load(from));
      store<f64>(to, load<f64>(from, 16), 16);
    }
    memory.fill(out, 0, <usize>(last - first) * ENTRY);
    const pairEnd = load<i32>(pairStarts + at, 4);
    for (let pair = load<i32>(pairStarts + at); pair < pairEnd; pair++) {
      const own = corners + <usize>pair * CORNERS;
      let value = sixVolumes(local, own);
      if (shapes != 0) value = f64x2.div(value, v128.load(shapes + <usize>pair * SHAPES, 96));
      // A lane that only fills a pair has no volume.
      const volume = v128.load(operators + <usize>pair * OPERATORS, 144);
      value = v128.and(mul(f64x2.splat(1.0 / 6.0), value), f64x2.gt(volume, f64x2.splat(0)));
      for (let c: usize = 0; c < 4; c++) deposit(own, out, c, value);
    }
  }
}

/** Six times the volumes of two tetrahedra: the determinants of their edges. */
// @ts-ignore: decorator
@inline
function sixVolumes(local: usize, corners: usize): v128 {
  const ox = coordinate(local, corners, 0, 0), oy = coordinate(local, corners, 0, 1);
  const oz = coordinate(local, corners, 0, 2);
  const ux = sub(coordinate(local, corners, 1, 0), ox), uy = sub(coordinate(local, corners, 1, 1), oy);
  const uz = sub(coordinate(local, corners, 1, 2), oz), vx = sub(coordinate(local, corners, 2, 0), ox);
  const vy = sub(coordinate(local, corners, 2, 1), oy), vz = sub(coordinate(local, corners, 2, 2), oz);
  const wx = sub(coordinate(local, corners, 3, 0), ox), wy = sub(coordinate(local, corners, 3, 1), oy);
  const wz = sub(coordinate(local, corners, 3, 2), oz);
  return dot(ux, minor(vy, wz, vz, wy), uy, minor(vz, wx, vx, wz), uz, minor(vx, wy, vy, wx));
}

/**
 * Items are vertices. The sums of a vertex's copies in all blocks, divided by the volume about it. Arguments: first copy of each
 * vertex and the end (i32), the copies (i32), sums (f64, 4 an entry), inverse volumes (f64, one a vertex), out (f64, one a
 * vertex).
 */
export function volumeDilatationOfVertices(begin: i32, end: i32, args: VolumeDilatationOfVertices, scratch: usize): void {
  const starts = args.starts;
  const copies = args.copies;
  const sums = args.sums;
  const inverses = args.inverses;
  const out = args.out;
  for (let v = begin; v < end; v++) {
    const at = <usize>v << 2;
    let sum: f64 = 0;
    const last = load<i32>(starts + at, 4);
    for (let k = load<i32>(starts + at); k < last; k++) {
      sum += load<f64>(sums + <usize>load<i32>(copies + (<usize>k << 2)) * ENTRY);
    }
    store<f64>(out + (at << 1), sum * load<f64>(inverses + (at << 1)));
  }
}

/**
 * Items are rows: out = M x for a sparse matrix of rows. Arguments: first entry of each row and the end (i32), columns (i32),
 * entries (f64), x (f64), out (f64).
 */
export function volumeAverage(begin: i32, end: i32, args: VolumeAverage, scratch: usize): void {
  const starts = args.starts;
  const columns = args.columns;
  const values = args.values;
  const x = args.x;
  const out = args.out;
  for (let i = begin; i < end; i++) {
    let sum: f64 = 0;
    const last = load<i32>(starts + (<usize>i << 2), 4);
    for (let k = load<i32>(starts + (<usize>i << 2)); k < last; k++) {
      const column = <usize>load<i32>(columns + (<usize>k << 2));
      sum += load<f64>(values + (<usize>k << 3)) * load<f64>(x + (column << 3));
    }
    store<f64>(out + (<usize>i << 3), sum);
  }
}
