/**
 * The share of the handles' largest force that the surface stands: after each descent it is reduced while an edge is longer
 * than allowed, and grows again where none is (see EdgeLimit).
 */
import { ANY_STRETCH, allowedStretch, type EdgeLimit } from './edge-limit.ts';

/** Times that forces change for one pose; the least and largest factor; what is near enough to the limit. */
const MOST_ROUNDS = 8;
const LEAST_CUT = 0.4;
const MOST_CUT = 0.9;
const NEARLY = 0.85;
/** Relative decrease of the cost at which a descent with other forces has converged. */
const TOLERANCE = 1e-5;

export class ForceLimit {
  share = 1;
  /** How often the share was changed for this pose. */
  rounds = 0;
  /** Created when a handle is first far from all examples. */
  #edges: EdgeLimit | undefined;
  readonly #makeEdges: () => EdgeLimit;

  constructor(makeEdges: () => EdgeLimit) {
    this.#makeEdges = makeEdges;
  }

  /** @param tolerance  that of a descent with full forces */
  tolerance(tolerance: number): number {
    return this.rounds > 0 ? Math.max(tolerance, TOLERANCE) : tolerance;
  }

  /**
   * @param distance   of the handles from those of the nearest example, in model sizes
   * @param positions  n × 3, of the pose that a descent has found
   * @returns whether `share` has changed, so that another descent is needed
   */
  update(distance: number, positions: () => ArrayLike<number>): boolean {
    const allowed = allowedStretch(distance);
    if (this.rounds >= MOST_ROUNDS || (allowed > ANY_STRETCH && this.share === 1)) return false;
    this.#edges ??= this.#makeEdges();
    const stretch = this.#edges.stretch(positions());
    // Stretch beyond 1 grows about as the force does.
    const factor = (allowed - 1) / Math.max(stretch - 1, 1e-3);
    if (stretch > allowed) this.share *= Math.min(Math.max(factor, LEAST_CUT), MOST_CUT);
    else if (this.rounds === 0 && this.share < 1 && factor * NEARLY > 1) this.share = Math.min(1, this.share * factor);
    else return false;
    this.rounds++;
    return true;
  }
}
