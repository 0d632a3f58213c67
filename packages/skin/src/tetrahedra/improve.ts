/**
 * Mends the worst tetrahedra of a complex until all have at least a wanted quality or nothing helps any more. Every
 * change makes the worst quality of the tetrahedra it touches better, so the whole cannot become worse.
 *
 * In order of what they cost and disturb: edge removal, face removal, moving inner vertices, peeling flat ones off the
 * boundary, drawing inner vertices together, inserting a vertex.
 *
 * Reference: Klingner, Shewchuk. Aggressive tetrahedral mesh improvement. 2007.
 */
import { checkCancelled, type RunContext } from '@pelt/model';
import type { Complex } from './complex.ts';
import { tryContraction } from './contract-edge.ts';
import { EdgeRemoval } from './edge-removal.ts';
import { tryFaceRemoval } from './face-removal.ts';
import { tryPeel } from './peel.ts';
import { leastSine } from './quality.ts';
import { VertexSmoother } from './smooth-vertex.ts';
import { trySplit } from './split-edge.ts';

/** Slots of the six edges. */
const EDGES = [0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3] as const;

/**
 * @param goal    least sine that every tetrahedron should have
 * @param passes  times that all bad tetrahedra are visited, at most
 */
export function improve(complex: Complex, goal: number, passes: number, context?: RunContext): void {
  const improver = new Improver(complex);
  for (let pass = 0; pass < passes; pass++) {
    checkCancelled(context);
    context?.onProgress?.({ stage: 'improving tetrahedra', fraction: pass / passes });
    if (!improver.pass(goal)) return;
  }
}

class Improver {
  readonly #complex: Complex;
  readonly #smoother = new VertexSmoother();
  readonly #edgeRemoval = new EdgeRemoval();
  /** When something last changed at each point, and when each place was last visited without success. */
  #changed: Int32Array = new Int32Array(0);
  #failed: Int32Array = new Int32Array(0);
  #clock = 1;

  constructor(complex: Complex) {
    this.#complex = complex;
  }

  /** Visits every tetrahedron below the goal, the worst first. False where nothing changed. */
  pass(goal: number): boolean {
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
    for (const t of bad) {
      // Something else may have come into this place since.
      if (!complex.isAlive(t) || this.#qualityOf(t) >= goal) continue;
      const corners = this.#cornersOf(t);
      this.#changed = resized(this.#changed, complex.pointCount + 1);
      const failed = this.#failed[t];
      if (failed > 0 && corners.every((v) => this.#changed[v] < failed)) continue;
      const star = this.#mend(t, corners);
      if (!star) {
        this.#failed[t] = this.#clock;
        continue;
      }
      this.#clock++;
      for (const v of star) this.#changed[v] = this.#clock;
    }
    return this.#clock > before;
  }

  /** @returns  the points about which something changed, or undefined */
  #mend(t: number, corners: readonly number[]): readonly number[] | undefined {
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
