/**
 * Rotation of the whole pose as an unknown beside the blend. Poses are solved in a frame F, in which the examples stand as
 * they were given; with F ← F exp [ω]× the handles' targets move by −ω × τ in it, where τ is the arm of a target from their
 * mean. The gradients of the examples are the same in every frame, so that the rotation enters through the handles alone,
 * by three columns e × τ. Handles that turn rigidly then turn the pose rigidly, but for a weak regulariser
 *
 *   λ (1 − cos θ) = ½λ (3 − tr F)
 *
 * towards the examples' own frame, which decides where handles leave a rotation open, such as about a line of them. Nothing
 * is allocated while handles move.
 */
import { expAndJacobian } from './proxy-blend.ts';

/** λ. Of 1e-4, 1e-3, 3e-3, 1e-2 and 3e-2 the one with the least error of frames left out, on clips that are not reported. */
const RIDGE = 3e-3;
/** Numbers of a handle: x, y, z of its movement by a rotation about each axis. */
export const TURN_COLUMNS = 9;

export class HandleTurn {
  /** 9: F, about the centre of the model; row-major */
  readonly frame = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  /** k × 3: targets in the frame relative to their mean, in model sizes */
  arms = new Float64Array(0);
  /** k × 9: entry 3r + a is coordinate r of e_a × τ */
  moves = new Float64Array(0);
  /** k × 9: the same times the inverse of the handles' compliance */
  yielding = new Float64Array(0);
  readonly #turn = new Float64Array(9);
  readonly #jacobian = new Float64Array(9);

  reserve(capacity: number): void {
    this.arms = new Float64Array(3 * capacity);
    this.moves = new Float64Array(TURN_COLUMNS * capacity);
    this.yielding = new Float64Array(TURN_COLUMNS * capacity);
  }

  /** F ← from · exp [ω]×, with ω at an index of `steps`. */
  turnFrom(from: Float64Array, steps: Float64Array, at: number): void {
    const r = this.#turn;
    expAndJacobian(steps[at], steps[at + 1], steps[at + 2], r, this.#jacobian);
    for (let a = 0; a < 9; a += 3) {
      for (let b = 0; b < 3; b++) {
        this.frame[a + b] = from[a] * r[b] + from[a + 1] * r[3 + b] + from[a + 2] * r[6 + b];
      }
    }
  }

  /** Value of the regulariser. */
  get cost(): number {
    return 0.5 * RIDGE * (3 - this.frame[0] - this.frame[4] - this.frame[8]);
  }

  /**
   * The movement of every handle by a rotation, and the slope of the cost along it.
   *
   * @param forces    k × 3
   * @param gradient  three numbers from index `at` on are overwritten
   */
  linearise(k: number, forces: Float64Array, gradient: Float64Array, at: number): void {
    const { arms, moves, frame } = this;
    for (let c = 0; c < k; c++) {
      const x = arms[3 * c];
      const y = arms[3 * c + 1];
      const z = arms[3 * c + 2];
      const to = TURN_COLUMNS * c;
      moves[to] = moves[to + 4] = moves[to + 8] = 0;
      moves[to + 1] = z;
      moves[to + 2] = -y;
      moves[to + 3] = -z;
      moves[to + 5] = x;
      moves[to + 6] = y;
      moves[to + 7] = -x;
    }
    for (let n = 0; n < TURN_COLUMNS * k; n++) this.yielding[n] = moves[n];
    gradient[at] = 0.5 * RIDGE * (frame[7] - frame[5]);
    gradient[at + 1] = 0.5 * RIDGE * (frame[2] - frame[6]);
    gradient[at + 2] = 0.5 * RIDGE * (frame[3] - frame[1]);
    for (let c = 0; c < 3 * k; c++) {
      for (let a = 0; a < 3; a++) gradient[at + a] -= forces[c] * moves[3 * c + a];
    }
  }

  /**
   * The rows of the Gauss–Newton matrix that belong to the rotation, behind those of E other unknowns.
   *
   * @param held  k × 3·width: entry e + lead of a coordinate is the movement by unknown e under the handles' compliance
   * @param a     (E + 3)², of which the lower triangle of the last three rows is overwritten
   */
  addRows(k: number, E: number, held: Float64Array, width: number, lead: number, a: Float64Array): void {
    const { moves, yielding } = this;
    const M = E + 3;
    for (let b = 0; b < 3; b++) {
      const row = (E + b) * M;
      for (let e = 0; e < E; e++) {
        let sum = 0;
        for (let c = 0, at = e + lead; c < 3 * k; c++, at += width) sum += moves[3 * c + b] * held[at];
        a[row + e] = sum;
      }
      for (let d = 0; d <= b; d++) {
        let sum = b === d ? RIDGE : 0;
        for (let c = 0; c < 3 * k; c++) sum += moves[3 * c + b] * yielding[3 * c + d];
        a[row + E + d] = sum;
      }
    }
  }
}
