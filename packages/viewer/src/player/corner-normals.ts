/**
 * Normals of a surface that moves. Which corners share a normal is found once, at rest: those at one point whose faces do
 * not bend away by more than the crease angle. A frame then costs one sum over its faces.
 */

const CREASE_COSINE = Math.cos((50 * Math.PI) / 180);

export class CornerNormals {
  readonly #triangles: Uint32Array;
  /** 3 f, the group of each corner */
  readonly #groupOf: Uint32Array;
  readonly #sums: Float64Array;

  /**
   * @param rest       n × 3
   * @param triangles  f × 3
   * @param flat       every face alone
   */
  constructor(rest: Float32Array, triangles: Uint32Array, flat: boolean) {
    this.#triangles = triangles;
    const { groupOf, count } = flat ? faceGroups(triangles.length) : smoothGroups(rest, triangles);
    this.#groupOf = groupOf;
    this.#sums = new Float64Array(3 * count);
  }

  /**
   * @param positions  n × 3
   * @param out        3 f × 3, one normal a corner
   */
  compute(positions: Float32Array, out: Float32Array): void {
    const [groupOf, sums] = [this.#groupOf, this.#sums.fill(0)];
    const face = new Float64Array(3);
    for (let k = 0; k < groupOf.length; k += 3) {
      faceNormal(positions, this.#triangles, k, face);
      for (let c = k; c < k + 3; c++) for (let x = 0; x < 3; x++) sums[3 * groupOf[c] + x] += face[x];
    }
    for (let g = 0; g < sums.length; g += 3) {
      const length = Math.hypot(sums[g], sums[g + 1], sums[g + 2]) || 1;
      for (let x = 0; x < 3; x++) sums[g + x] /= length;
    }
    for (let c = 0; c < groupOf.length; c++) for (let x = 0; x < 3; x++) out[3 * c + x] = sums[3 * groupOf[c] + x];
  }
}

/** Twice the area times the normal of the face whose corners start at k. */
function faceNormal(p: Float32Array, triangles: Uint32Array, k: number, out: Float64Array): void {
  const [a, b, c] = [3 * triangles[k], 3 * triangles[k + 1], 3 * triangles[k + 2]];
  const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
  out[0] = uy * vz - uz * vy;
  out[1] = uz * vx - ux * vz;
  out[2] = ux * vy - uy * vx;
}

function faceGroups(corners: number) {
  return { groupOf: Uint32Array.from({ length: corners }, (_, c) => Math.floor(c / 3)), count: corners / 3 };
}

/** Corners at one point, joined while their faces agree. */
function smoothGroups(rest: Float32Array, triangles: Uint32Array) {
  const corners = triangles.length;
  const unit = new Float64Array(corners);
  const face = new Float64Array(3);
  const around = new Map<string, number[]>();
  for (let c = 0; c < corners; c++) {
    if (c % 3 === 0) {
      faceNormal(rest, triangles, c, face);
      const length = Math.hypot(face[0], face[1], face[2]) || 1;
      for (let x = 0; x < 3; x++) unit[c + x] = face[x] / length;
    }
    const i = 3 * triangles[c];
    const key = `${rest[i]},${rest[i + 1]},${rest[i + 2]}`;
    const found = around.get(key);
    if (found) found.push(c);
    else around.set(key, [c]);
  }
  const groupOf = new Uint32Array(corners);
  let count = 0;
  for (const point of around.values()) {
    const left = new Set(point);
    for (const first of point) {
      if (!left.delete(first)) continue;
      const open = [first];
      for (let own = open.pop(); own !== undefined; own = open.pop()) {
        groupOf[own] = count;
        for (const other of left) if (agree(unit, own, other) && left.delete(other)) open.push(other);
      }
      count++;
    }
  }
  return { groupOf, count };
}

function agree(unit: Float64Array, a: number, b: number): boolean {
  const [p, q] = [a - (a % 3), b - (b % 3)];
  return unit[p] * unit[q] + unit[p + 1] * unit[q + 1] + unit[p + 2] * unit[q + 2] >= CREASE_COSINE;
}
