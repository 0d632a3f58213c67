/**
 * Mesh improvement: modifies the worst tetrahedra of a complex until all have the required quality or no operation helps.
 * Every operation improves the worst quality of the tetrahedra it modifies, so that the mesh cannot become worse.
 *
 * In order of increasing cost: edge removal, face removal, vertex smoothing, peeling degenerate tetrahedra off the
 * boundary, edge contraction, vertex insertion.
 *
 * Reference: Klingner, Shewchuk. Aggressive tetrahedral mesh improvement. 2007.
 */
import { checkCancelled, type RunContext, stageOf } from '@pelt/model';
import type { Complex } from './complex.ts';
import { tryContraction } from './contract-edge.ts';
import { EdgeRemoval } from './edge-removal.ts';
import { tryFaceRemoval } from './face-removal.ts';
import { tryPeel } from './peel.ts';
import { leastSine } from './quality.ts';
import { VertexSmoother } from './smooth-vertex.ts';
import { trySplit } from './split-edge.ts';

/** Vertex indices of the six edges. */
const EDGES = [0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3] as const;
/** Tetrahedra between two looks at the signal. */
const BATCH = 256;

/**
 * @param goal    quality that every tetrahedron should have, as a sine
 * @param passes  most passes over all bad tetrahedra
 */
export function improve(complex: Complex, goal: number, passes: number, run?: RunContext): void {
  const improver = new Improver(complex);
  for (let pass = 0; pass < passes; pass++) {
    if (!improver.pass(goal, stageOf(run, pass / passes, (pass + 1) / passes))) return;
  }
}

class Improver {
  readonly #complex: Complex;
  readonly #smoother = new VertexSmoother();
  readonly #edgeRemoval = new EdgeRemoval();
  /** Time of the last change at each point, and of the last failure at each tetrahedron. */
  #changed: Int32Array = new Int32Array(0);
  #failed: Int32Array = new Int32Array(0);
  #clock = 1;

  constructor(complex: Complex) {
    this.#complex = complex;
  }

  /** Visits every tetrahedron below the goal, the worst first. False where nothing changed. */
  pass(goal: number, run: RunContext): boolean {
    const complex = this.#complex;
    const bad: number[] = [];
    const quality = new Float64Array(complex.places);
    for (let t = 0; t < complex.places; t++) {
      if (!complex.isAlive(t)) continue;
      quality[t] = this.#qualityOf(t);
      if (quality[t] < goal) bad.push(t);
    }
    bad.sort((a, b) => quality[a] - quality[b] || a - b);
    this.#failed = resized(this.#failed, complex.places);
    const before = this.#clock;
    for (const [k, t] of bad.entries()) {
      if (k % BATCH === 0) {
        checkCancelled(run);
        run.onProgress?.({ stage: 'improving tetrahedra', fraction: k / bad.length });
      }
      // Another tetrahedron may occupy this slot by now.
      if (!complex.isAlive(t) || this.#qualityOf(t) >= goal) continue;
      const corners = this.#cornersOf(t);
      this.#changed = resized(this.#changed, complex.pointCount + 1);
      const failed = this.#failed[t];
      if (failed > 0 && corners.every((v) => this.#changed[v] < failed)) continue;
      const star = this.#improve(t, corners);
      if (!star) {
        this.#failed[t] = this.#clock;
        continue;
      }
      this.#clock++;
      for (const v of star) this.#changed[v] = this.#clock;
    }
    return this.#clock > before;
  }

  /** @returns  the points around which something changed, or undefined */
  #improve(t: number, corners: readonly number[]): readonly number[] | undefined {
    const complex = this.#complex;
    for (let e = 0; e < 12; e += 2) {
      const made = this.#edgeRemoval.tryEdge(complex, t, corners[EDGES[e]], corners[EDGES[e + 1]]);
      if (made) return this.#pointsOf(made);
    }
    for (let slot = 0; slot < 4; slot++) {
      const made = tryFaceRemoval(complex, t, slot);
      if (made) return this.#pointsOf(made);
    }
    for (const v of corners) {
      if (this.#smoother.improve(complex, v)) return this.#smoother.neighbours;
    }
    if (tryPeel(complex, t)) return corners;
    for (const v of corners) {
      for (const u of corners) {
        const made = u === v ? undefined : tryContraction(complex, v, u);
        if (made) return this.#pointsOf(made);
      }
    }
    for (let e = 0; e < 12; e += 2) {
      const made = trySplit(complex, this.#smoother, t, corners[EDGES[e]], corners[EDGES[e + 1]]);
      if (made) return this.#pointsOf(made);
    }
    return undefined;
  }

  #qualityOf(t: number): number {
    const { points, vertices } = this.#complex;
    return leastSine(points, vertices[4 * t], vertices[4 * t + 1], vertices[4 * t + 2], vertices[4 * t + 3]);
  }

  #cornersOf(t: number): number[] {
    const { vertices } = this.#complex;
    return [vertices[4 * t], vertices[4 * t + 1], vertices[4 * t + 2], vertices[4 * t + 3]];
  }

  #pointsOf(places: readonly number[]): number[] {
    return places.flatMap((t) => this.#cornersOf(t));
  }
}

function resized(values: Int32Array, length: number): Int32Array {
  if (values.length >= length) return values;
  const larger = new Int32Array(Math.ceil(1.5 * length));
  larger.set(values);
  return larger;
}
