/**
 * Groups of triangles that move nearly alike, by greedy joins: every triangle starts as a group with its own affine
 * transform per shape, and the join A → B of adjacent groups of the least error
 *
 *   E_{A→B} = Σ_t Σ_{a ∈ A} ‖v_ta − T_tB p̂_a‖²
 *
 * comes next, until so many groups are left. After a join T_B is fitted to all of its vertices. The error is a quadratic
 * form in T_B whose coefficients are sums over the vertices of A, so that its cost does not grow with the groups. A
 * vertex counts once for each of its triangles.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007 (section 4.1).
 */
import { factorSmall, solveSmall } from '@pelt/math';
import { checkCancelled, type RunContext, TRANSFORM_SIZE } from '@pelt/model';
import { CostQueue } from '../../../shared/cost-queue.ts';
import { DeformationGradients } from '../../../shared/gradients/deformation-gradients.ts';
import { triangleGraph } from '../../../shared/mesh/triangle-graph.ts';

/** Weight of the transform at hand in a fit, relative to the mean diagonal: for groups that are flat. */
const RIDGE = 1e-6;
/** Joins between two looks at the signal. */
const BATCH = 64;

export interface SampledShapes {
  /** n × 3, at rest */
  readonly rest: Float32Array;
  /** f × 3 */
  readonly triangles: Uint32Array;
  /** S of n × 3 */
  readonly shapes: readonly Float32Array[];
}

export interface TriangleGroups {
  readonly count: number;
  /** f: the group of each triangle; −1 where it was left out */
  readonly groupOf: Int32Array;
  /** The groups that are adjacent to each, in increasing order. */
  readonly adjacent: readonly (readonly number[])[];
  /** S × count × 12 */
  readonly transforms: Float64Array;
}

/**
 * @param chosen  indices of the triangles to group, in increasing order
 * @param count   number of groups, at least 1; fewer where there are fewer triangles
 */
export function joinGroups(data: SampledShapes, chosen: Int32Array, count: number, run: RunContext): TriangleGroups {
  const groups = new Groups(data, chosen, run);
  const total = chosen.length;
  const queue = new CostQueue();
  const offer = (a: number, b: number) => {
    queue.push(groups.error(a, b), a, b, groups.stamp(a, b));
    queue.push(groups.error(b, a), b, a, groups.stamp(a, b));
  };
  groups.forEachPair(offer);
  for (let left = total; left > Math.max(1, count); ) {
    const pair = queue.pop();
    if (!pair) {
      // Every part of the mesh is one group by now: parts may join, too.
      const alive = groups.alive();
      alive.forEach((a, k) => {
        for (const b of alive.slice(k + 1)) offer(a, b);
      });
      continue;
    }
    if (pair.stamp !== groups.stamp(pair.a, pair.b)) continue;
    if (left % BATCH === 0) {
      checkCancelled(run);
      run.onProgress?.({ stage: 'joining groups', fraction: 1 - left / total });
    }
    groups.join(pair.a, pair.b);
    for (const other of groups.neighbours(pair.b)) offer(other, pair.b);
    left--;
  }
  return groups.result();
}

/** Numbers of one group's sums: Σ p̂p̂ᵀ and Σ‖v‖². */
const REST_SUMS = 17;

class Groups {
  readonly #chosen: Int32Array;
  readonly #f: number;
  readonly #S: number;
  /** The group that a group was joined to; itself as long as it is alive. */
  readonly #into: Int32Array;
  /** Raised whenever a group changes; −1 once it is gone. */
  readonly #versions: Int32Array;
  readonly #near: Set<number>[];
  readonly #sums: Float64Array;
  /** Σ v p̂ᵀ and T, S × 12 of each group */
  readonly #moments: Float64Array;
  readonly #transforms: Float64Array;
  readonly #system = new Float64Array(16);
  readonly #sides: Float64Array;

  constructor(data: SampledShapes, chosen: Int32Array, run: RunContext) {
    const { rest, triangles, shapes } = data;
    const total = chosen.length;
    this.#chosen = chosen;
    this.#f = triangles.length / 3;
    this.#S = shapes.length;
    this.#into = Int32Array.from({ length: total }, (_, g) => g);
    this.#versions = new Int32Array(total);
    this.#sums = new Float64Array(REST_SUMS * total);
    this.#moments = new Float64Array(TRANSFORM_SIZE * this.#S * total);
    this.#transforms = new Float64Array(TRANSFORM_SIZE * this.#S * total);
    this.#sides = new Float64Array(TRANSFORM_SIZE * this.#S);
    this.#near = nearTriangles(triangles, rest.length / 3, chosen);
    const operator = new DeformationGradients(rest, triangles);
    shapes.forEach((shape, t) => {
      checkCancelled(run);
      const gradients = operator.of(shape);
      chosen.forEach((k, g) => {
        const at = TRANSFORM_SIZE * (g * this.#S + t);
        placeTriangle(rest, shape, triangles, k, gradients, this.#transforms, at);
        for (let corner = 3 * k; corner < 3 * k + 3; corner++)
          this.#addVertex(g, at, triangles[corner], rest, shape, t);
      });
    });
  }

  stamp(a: number, b: number): number {
    const [va, vb] = [this.#versions[a], this.#versions[b]];
    return va < 0 || vb < 0 ? -1 : va + vb;
  }

  neighbours(g: number): ReadonlySet<number> {
    return this.#near[g];
  }

  alive(): number[] {
    return Array.from(this.#into.keys()).filter((g) => this.#into[g] === g);
  }

  forEachPair(visit: (a: number, b: number) => void): void {
    this.#near.forEach((near, a) => {
      for (const b of near) if (a < b) visit(a, b);
    });
  }

  /** E of joining a to b. */
  error(a: number, b: number): number {
    const [sums, C, T] = [this.#sums, this.#moments, this.#transforms];
    const m = REST_SUMS * a;
    let error = sums[m + 16];
    const length = TRANSFORM_SIZE * this.#S;
    for (let k = 0, at = length * b, from = length * a; k < length; k += 4, at += 4, from += 4) {
      const [x, y, z, w] = [T[at], T[at + 1], T[at + 2], T[at + 3]];
      for (let r = 0; r < 4; r++) {
        const row = m + 4 * r;
        const product = sums[row] * x + sums[row + 1] * y + sums[row + 2] * z + sums[row + 3] * w;
        error += T[at + r] * (product - 2 * C[from + r]);
      }
    }
    return error;
  }

  /** Joins a to b, and fits the transforms of b. */
  join(a: number, b: number): void {
    const length = TRANSFORM_SIZE * this.#S;
    for (let k = 0; k < REST_SUMS; k++) this.#sums[REST_SUMS * b + k] += this.#sums[REST_SUMS * a + k];
    for (let k = 0; k < length; k++) this.#moments[length * b + k] += this.#moments[length * a + k];
    this.#into[a] = b;
    this.#versions[a] = -1;
    this.#versions[b]++;
    for (const other of this.#near[a]) {
      this.#near[other].delete(a);
      if (other === b) continue;
      this.#near[other].add(b);
      this.#near[b].add(other);
    }
    this.#near[a].clear();
    this.#fit(b);
  }

  result(): TriangleGroups {
    const alive = this.alive();
    const place = new Map(alive.map((g, k) => [g, k]));
    const numberOf = (g: number): number => {
      let root = g;
      while (this.#into[root] !== root) root = this.#into[root];
      return place.get(root) ?? -1;
    };
    const groupOf = new Int32Array(this.#f).fill(-1);
    this.#chosen.forEach((k, g) => {
      groupOf[k] = numberOf(g);
    });
    const transforms = new Float64Array(TRANSFORM_SIZE * this.#S * alive.length);
    alive.forEach((g, k) => {
      for (let t = 0; t < this.#S; t++) {
        const from = TRANSFORM_SIZE * (g * this.#S + t);
        const to = TRANSFORM_SIZE * (t * alive.length + k);
        transforms.set(this.#transforms.subarray(from, from + TRANSFORM_SIZE), to);
      }
    });
    const adjacent = alive.map((g) => Array.from(this.#near[g], numberOf).sort((x, y) => x - y));
    return { count: alive.length, groupOf, adjacent, transforms };
  }

  #addVertex(g: number, at: number, i: number, rest: Float32Array, shape: Float32Array, t: number): void {
    const m = REST_SUMS * g;
    const sums = this.#sums;
    for (let r = 0; r < 4; r++) {
      const p = r < 3 ? rest[3 * i + r] : 1;
      for (let c = 0; c < 3; c++) this.#moments[at + 4 * c + r] += shape[3 * i + c] * p;
      if (t > 0) continue;
      for (let c = 0; c < 4; c++) sums[m + 4 * r + c] += p * (c < 3 ? rest[3 * i + c] : 1);
    }
    for (let c = 0; c < 3; c++) sums[m + 16] += shape[3 * i + c] ** 2;
  }

  /** The least squares transforms of a group, solved for the change from those at hand. */
  #fit(g: number): void {
    const [system, sides, sums] = [this.#system, this.#sides, this.#sums];
    const m = REST_SUMS * g;
    const rows = 3 * this.#S;
    const first = TRANSFORM_SIZE * this.#S * g;
    for (let k = 0; k < 16; k++) system[k] = sums[m + k];
    const ridge = (RIDGE * (system[0] + system[5] + system[10] + system[15])) / 4;
    for (let row = 0, at = first; row < rows; row++, at += 4) {
      for (let r = 0; r < 4; r++) {
        let side = this.#moments[at + r];
        for (let c = 0; c < 4; c++) side -= system[4 * r + c] * this.#transforms[at + c];
        sides[r * rows + row] = side;
      }
    }
    for (let r = 0; r < 4; r++) system[5 * r] += ridge;
    factorSmall(system, 4, 4);
    solveSmall(system, 4, 4, sides, rows);
    for (let row = 0, at = first; row < rows; row++, at += 4) {
      for (let r = 0; r < 4; r++) this.#transforms[at + r] += sides[r * rows + row];
    }
  }
}

/** For each chosen triangle the chosen ones next to it, by their places. */
function nearTriangles(triangles: Uint32Array, n: number, chosen: Int32Array): Set<number>[] {
  const { starts, neighbours } = triangleGraph(triangles, n);
  const place = new Int32Array(triangles.length / 3).fill(-1);
  chosen.forEach((k, g) => {
    place[k] = g;
  });
  return Array.from(chosen, (k) => {
    const near = Array.from(neighbours.subarray(starts[k], starts[k + 1]), (other) => place[other]);
    return new Set(near.filter((g) => g >= 0));
  });
}

/** The transform of triangle k: its gradient, placed so that the centroid goes where it should. */
function placeTriangle(
  rest: Float32Array,
  shape: Float32Array,
  triangles: Uint32Array,
  k: number,
  gradients: Float64Array,
  out: Float64Array,
  at: number,
): void {
  for (let r = 0; r < 3; r++) {
    let shift = 0;
    for (let corner = 3 * k; corner < 3 * k + 3; corner++) {
      const i = 3 * triangles[corner];
      shift += shape[i + r] / 3;
      for (let c = 0; c < 3; c++) shift -= (gradients[9 * k + 3 * r + c] * rest[i + c]) / 3;
    }
    for (let c = 0; c < 3; c++) out[at + 4 * r + c] = gradients[9 * k + 3 * r + c];
    out[at + 4 * r + 3] = shift;
  }
}
