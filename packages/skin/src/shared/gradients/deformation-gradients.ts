/**
 * Deformation gradients of triangles: the 3 × 3 matrix
 *
 *   D = [e₁′ e₂′ n′] [e₁ e₂ n]⁻¹,   n = (e₁ × e₂) / √‖e₁ × e₂‖,
 *
 * maps the edges of the rest triangle to those of the posed one, and its normal to a normal whose length follows a uniform
 * scale. A degenerate rest triangle takes the mean of its neighbours, nearest first; a triangle that a pose collapses has
 * a singular D.
 *
 * Reference: Sumner, Popović. Deformation transfer for triangle meshes. 2004 (equations 3 and 4).
 */
import { invert3, multiply3, polarDecomposition } from '@pelt/math';
import { UsageError } from '@pelt/model';
import { triangleGraph } from '../mesh/triangle-graph.ts';

/** A triangle is degenerate if twice its area is below this fraction of its longest edge squared. */
const FLAT = 1e-10;

export class DeformationGradients {
  /** f × 3 */
  readonly triangles: Uint32Array;
  /** f × 9, [e₁ e₂ n]⁻¹ at rest, row-major; zero for degenerate triangles */
  readonly inverseFrames: Float64Array;
  /** f areas at rest; 0 for degenerate triangles */
  readonly areas: Float64Array;
  readonly #vertices: number;
  /** Degenerate triangles in the order in which they are filled, with the triangles they are filled from. */
  readonly #filled: { readonly triangle: number; readonly sources: readonly number[] }[];
  readonly #frame = new Float64Array(9);

  /**
   * @param rest       n × 3
   * @param triangles  f × 3
   */
  constructor(rest: ArrayLike<number>, triangles: Uint32Array) {
    const f = triangles.length / 3;
    this.triangles = triangles;
    this.#vertices = rest.length / 3;
    this.inverseFrames = new Float64Array(9 * f);
    this.areas = new Float64Array(f);
    const frame = this.#frame;
    for (let t = 0; t < f; t++) {
      const doubleArea = triangleFrame(rest, triangles, t, frame);
      const longest = Math.max(
        frame[0] ** 2 + frame[3] ** 2 + frame[6] ** 2,
        frame[1] ** 2 + frame[4] ** 2 + frame[7] ** 2,
        (frame[1] - frame[0]) ** 2 + (frame[4] - frame[3]) ** 2 + (frame[7] - frame[6]) ** 2,
      );
      if (!(doubleArea > FLAT * longest)) continue;
      this.areas[t] = 0.5 * doubleArea;
      invert3(frame, 0, this.inverseFrames, 9 * t);
    }
    this.#filled = fillOrder(this.areas, triangles, this.#vertices);
  }

  get count(): number {
    return this.areas.length;
  }

  /**
   * @param positions  n × 3, a pose
   * @param out        f × 9, row-major; overwritten
   */
  of(positions: ArrayLike<number>, out = new Float64Array(9 * this.count)): Float64Array {
    if (positions.length !== 3 * this.#vertices) {
      throw new UsageError(`deformation gradients: ${positions.length / 3} vertices, expected ${this.#vertices}`);
    }
    const { inverseFrames, triangles } = this;
    const frame = this.#frame;
    for (let t = 0; t < this.count; t++) {
      triangleFrame(positions, triangles, t, frame);
      multiply3(frame, 0, inverseFrames, 9 * t, out, 9 * t);
    }
    for (const { triangle, sources } of this.#filled) {
      for (let k = 0; k < 9; k++) {
        let sum = 0;
        for (const source of sources) sum += out[9 * source + k];
        // A component without any area is assumed to be undeformed.
        out[9 * triangle + k] = sources.length > 0 ? sum / sources.length : k % 4 === 0 ? 1 : 0;
      }
    }
    return out;
  }
}

/**
 * Polar decomposition D = R S of each gradient into a proper rotation and a symmetric stretch. If D is a reflection, the
 * smallest stretch is negative.
 *
 * @param gradients  f × 9
 * @param rotations  f × 9; overwritten
 * @param stretches  f × 9, symmetric; overwritten
 */
export function splitGradients(gradients: Float64Array, rotations: Float64Array, stretches: Float64Array): void {
  for (let at = 0; at < gradients.length; at += 9) {
    polarDecomposition(gradients, at, rotations, at, stretches, at);
  }
}

/** The columns e₁, e₂, n of a triangle, row-major; returns twice its area. */
function triangleFrame(x: ArrayLike<number>, triangles: Uint32Array, t: number, out: Float64Array): number {
  const a = 3 * triangles[3 * t];
  const b = 3 * triangles[3 * t + 1];
  const c = 3 * triangles[3 * t + 2];
  for (let k = 0; k < 3; k++) {
    out[3 * k] = x[b + k] - x[a + k];
    out[3 * k + 1] = x[c + k] - x[a + k];
  }
  const nx = out[3] * out[7] - out[6] * out[4];
  const ny = out[6] * out[1] - out[0] * out[7];
  const nz = out[0] * out[4] - out[3] * out[1];
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  const scale = length > 0 ? 1 / Math.sqrt(length) : 0;
  out[2] = nx * scale;
  out[5] = ny * scale;
  out[8] = nz * scale;
  return length;
}

/** Breadth-first from the non-degenerate triangles; each degenerate one is filled from the previous rings. */
function fillOrder(areas: Float64Array, triangles: Uint32Array, vertices: number) {
  if (areas.every((area) => area > 0)) return [];
  const graph = triangleGraph(triangles, vertices);
  const known = Uint8Array.from(areas, (area) => (area > 0 ? 1 : 0));
  const order: { triangle: number; sources: number[] }[] = [];
  let waiting = Array.from(areas.keys()).filter((t) => known[t] === 0);
  while (waiting.length > 0) {
    const ring = waiting.map((triangle) => {
      const around = graph.neighbours.subarray(graph.starts[triangle], graph.starts[triangle + 1]);
      return { triangle, sources: Array.from(around).filter((s) => known[s] === 1) };
    });
    const reached = ring.filter(({ sources }) => sources.length > 0);
    // The rest are components that are degenerate as a whole.
    const done = reached.length > 0 ? reached : ring;
    for (const item of done) {
      known[item.triangle] = 1;
      order.push(item);
    }
    waiting = waiting.filter((t) => known[t] === 0);
  }
  return order;
}
