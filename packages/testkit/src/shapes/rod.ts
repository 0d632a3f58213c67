/**
 * A rod that bends and twists without losing volume: the deformation of a limb about its centreline, and what linear
 * blending cannot do. The rod lies along x; its section at s turns by F(s) = Π (turns so far), the centreline follows
 * c(s) = ∫ F(s) eₓ ds, and a point (s, y, z) goes to c(s) + F(s)·(0, y, z). By Pappus the volume is kept wherever the
 * sections are symmetric about the line; sections do not meet while curvature × radius stays below 1.
 *
 * Reference: Barr. Global and local deformations of solid primitives. 1984 (§5, bend and twist).
 */
import { apply, compose, IDENTITY, type Transform, turnAbout, type Vector } from '../transform.ts';

/** One joint of the rod: from `start` to `end` the sections turn by `angle` about `axis`, in the frame before it. */
export interface RodTurn {
  readonly axis: Vector;
  readonly angle: number;
  readonly start: number;
  readonly end: number;
  /** Turn at a constant rate, instead of easing in and out. */
  readonly even?: boolean;
}

/** Steps of the centreline's integration (midpoint rule) over the length. */
const STEPS = 400;

export class Rod {
  readonly #turns: readonly RodTurn[];
  readonly #length: number;
  /** (STEPS + 1) × 3 */
  readonly #line: Float64Array;

  /**
   * @param length  the rod reaches from x = 0 to here, and straight on beyond both ends
   * @param turns   inner joints first: a later turn happens in the frame that the earlier ones made
   */
  constructor(length: number, turns: readonly RodTurn[]) {
    this.#turns = turns;
    this.#length = length;
    this.#line = new Float64Array(3 * (STEPS + 1));
    const h = length / STEPS;
    for (let k = 0; k < STEPS; k++) {
      const tangent = apply(this.#turnAt((k + 0.5) * h), [1, 0, 0]);
      for (let c = 0; c < 3; c++) this.#line[3 * (k + 1) + c] = this.#line[3 * k + c] + h * tangent[c];
    }
  }

  /** Where the rod carries a point of its straight state. */
  carry([x, y, z]: Vector): Vector {
    return apply(this.frameAt(x), [0, y, z]);
  }

  /** The section's frame at s, [F | c]: from (0, y, z) to the deformed rod. */
  frameAt(s: number): Transform {
    const inside = Math.min(this.#length, Math.max(0, s));
    const position = (inside / this.#length) * STEPS;
    const k = Math.min(STEPS - 1, Math.floor(position));
    const turn = this.#turnAt(s);
    const beyond = apply(turn, [s - inside, 0, 0]);
    const at = (c: number) =>
      this.#line[3 * k + c] + (position - k) * (this.#line[3 * k + 3 + c] - this.#line[3 * k + c]) + beyond[c];
    return turn.with(3, at(0)).with(7, at(1)).with(11, at(2));
  }

  /** Rest → pose of a rigid bone that rides on the rod at s. */
  boneAt(s: number): Transform {
    return compose(this.frameAt(s), [1, 0, 0, -s, 0, 1, 0, 0, 0, 0, 1, 0]);
  }

  #turnAt(s: number): Transform {
    let turn = IDENTITY;
    for (const { axis, angle, start, end, even } of this.#turns) {
      const share = even ? Math.min(1, Math.max(0, (s - start) / (end - start))) : ease(start, end, s);
      turn = compose(turn, turnAbout([0, 0, 0], axis, angle * share));
    }
    return turn;
  }
}

/** 0 before `start`, 1 after `end`, between them a curve whose slope (the curvature of a bend) starts and ends at 0. */
export function ease(start: number, end: number, s: number): number {
  const u = Math.min(1, Math.max(0, (s - start) / (end - start)));
  return u * u * (3 - 2 * u);
}
