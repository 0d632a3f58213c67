import { orient3d } from 'robust-predicates';

/** The first four points of `order` that span a volume, positively oriented; undefined where all are coplanar. */
export function firstSimplex(points: Float64Array, order: Uint32Array): readonly number[] | undefined {
  const [x, y, z] = [0, 1, 2].map((axis) => (i: number) => points[3 * i + axis]);
  const a = order[0];
  const b = order.find((i) => x(i) !== x(a) || y(i) !== y(a) || z(i) !== z(a));
  if (b === undefined) return undefined;
  // Not on the line a b: a plane through the line cannot contain a shifted along all three axes. The shift is as large as
  // the coordinates, so that it is not lost by rounding.
  const volume = (i: number, ux: number, uy: number, uz: number) =>
    orient3d(x(a), y(a), z(a), x(b), y(b), z(b), x(i), y(i), z(i), ux, uy, uz);
  const span = Math.max(Math.abs(x(a)), Math.abs(y(a)), Math.abs(z(a)), Math.abs(x(b)), Math.abs(y(b)), Math.abs(z(b)));
  const c = order.find(
    (i) =>
      volume(i, x(a) + span, y(a), z(a)) !== 0 ||
      volume(i, x(a), y(a) + span, z(a)) !== 0 ||
      volume(i, x(a), y(a), z(a) + span) !== 0,
  );
  if (c === undefined) return undefined;
  const d = order.find((i) => volume(c, x(i), y(i), z(i)) !== 0);
  if (d === undefined) return undefined;
  return volume(c, x(d), y(d), z(d)) < 0 ? [a, b, c, d] : [a, b, d, c];
}
