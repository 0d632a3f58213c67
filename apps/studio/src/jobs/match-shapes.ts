/** Blend shapes on the vertices of a file that was made of them: packing may move vertices a little and reorder them. */
import { boundsOf, diagonalOf, InputError } from '@pelt/model';
import type { SliderShapes } from '@pelt/skin/sliders';

/** Of the diagonal: how far packing may move a vertex. */
const MOVED = 2e-3;

/**
 * @param positions  n × 3 of the file
 * @param names      S, of the file's sliders
 * @param fitted     S × n × 3 displacements of the file: they tell apart vertices that are in one place, as closed lips are
 * @returns          S × n × 3 displacements of the shapes, in the order of the file
 */
export function matchShapes(
  { mesh, names: given, shapes }: SliderShapes,
  positions: Float32Array,
  names: readonly string[],
  fitted: Float32Array,
): Float32Array {
  const [n, size, all] = [positions.length / 3, positions.length, mesh.positions.length];
  const within = MOVED * (diagonalOf(boundsOf(mesh.positions)) || 1);
  const order = names.map((name) => given.indexOf(name));
  const delta = (s: number, k: number) => (order[s] < 0 ? 0 : shapes[order[s] * all + k] - mesh.positions[k]);
  const cells = cellsOf(mesh.positions, within);
  const apart = (i: number, v: number) => {
    let sum = 0;
    for (let s = 0; s < names.length; s++) {
      for (let c = 0; c < 3; c++) sum += (fitted[s * size + 3 * i + c] - delta(s, 3 * v + c)) ** 2;
    }
    return sum;
  };
  const out = new Float32Array(fitted.length);
  for (let i = 0; i < n; i++) {
    const near = cells.near(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
    if (near.length === 0)
      throw new InputError('the face has other vertices than the blend shapes; fit its sliders again');
    let [best, least] = [near[0], Number.POSITIVE_INFINITY];
    if (near.length > 1) {
      for (const v of near) {
        const sum = apart(i, v);
        if (sum < least) [best, least] = [v, sum];
      }
    }
    for (let s = 0; s < names.length; s++) {
      for (let c = 0; c < 3; c++) out[s * size + 3 * i + c] = delta(s, 3 * best + c);
    }
  }
  return out;
}

/** Vertices by cells of a grid: those within a distance are in a cell or beside it. */
function cellsOf(positions: Float32Array, within: number) {
  const cells = new Map<string, number[]>();
  const keyOf = (x: number, y: number, z: number) => `${Math.floor(x)} ${Math.floor(y)} ${Math.floor(z)}`;
  for (let v = 0; 3 * v < positions.length; v++) {
    const key = keyOf(positions[3 * v] / within, positions[3 * v + 1] / within, positions[3 * v + 2] / within);
    const cell = cells.get(key);
    if (cell) cell.push(v);
    else cells.set(key, [v]);
  }
  return {
    /** Those that are nearest, all of them where several are in one place. */
    near(x: number, y: number, z: number): readonly number[] {
      let [found, least]: [number[], number] = [[], within * within];
      for (let cell = 0; cell < 27; cell++) {
        const [dx, dy, dz] = [(cell % 3) - 1, (Math.floor(cell / 3) % 3) - 1, Math.floor(cell / 9) - 1];
        for (const v of cells.get(keyOf(x / within + dx, y / within + dy, z / within + dz)) ?? []) {
          const squared =
            (positions[3 * v] - x) ** 2 + (positions[3 * v + 1] - y) ** 2 + (positions[3 * v + 2] - z) ** 2;
          if (squared > least * 1.0001) continue;
          if (squared < least * 0.9999) found = [];
          least = Math.min(least, squared);
          found.push(v);
        }
      }
      return found;
    },
  };
}
