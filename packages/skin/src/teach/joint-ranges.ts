/**
 * Ranges of the joints of a skeleton, and poses drawn from them. The range of a joint is the set of rotations between
 * two that it has in given poses, each joint on its own, or a ball about rest where no pose moves it. Bones keep their
 * lengths and the root its place: what a skin learns does not depend on where the character is.
 */
import { composeTransforms, cos, type Random, rotationExp, transformOf } from '@pelt/math';
import { type Bone, IDENTITY_TRANSFORM, TRANSFORM_SIZE } from '@pelt/model';
import { jointCentres, PoseCoordinates } from '../envelope/runtime/pose-coordinates.ts';

/** Poses that ranges are read from, evenly spaced, at most: comparing all with all takes their square. */
const MOST_READ = 120;
/** A joint that turns by less, in radians, does not move. */
const STILL = 1e-3;

export class JointRanges {
  readonly m: number;
  readonly #bones: readonly Bone[];
  /** Rotation vectors of each joint, 3 each, the first one rest; none of a joint without a known range. */
  readonly #values: readonly Float64Array[];
  readonly #range: number;

  /**
   * @param bones   m
   * @param poses   m × 12 each
   * @param radians  by which joints turn that no pose moves
   */
  constructor(bones: readonly Bone[], poses: readonly Float64Array[], radians: number) {
    this.m = bones.length;
    this.#bones = bones;
    this.#range = radians;
    const step = Math.max(1, poses.length / MOST_READ);
    const read = Array.from({ length: Math.min(poses.length, MOST_READ) }, (_, k) => poses[Math.floor(k * step)]);
    const coordinates = new PoseCoordinates(bones, jointCentres(bones, read));
    const values = read.map((pose) => coordinates.read(pose).values.slice());
    this.#values = bones.map((_, j) => {
      const moves = values.some((pose) => lengthAt(pose, 6 * j) > STILL);
      const own = values.flatMap((pose) => [pose[6 * j], pose[6 * j + 1], pose[6 * j + 2]]);
      return Float64Array.from(moves ? [0, 0, 0, ...own] : []);
    });
  }

  /** Whether a joint turns at all. */
  moves(j: number): boolean {
    return this.#bones[j].parent >= 0 && (this.#values[j].length > 0 || this.#range > 0);
  }

  /** Draws a rotation vector of a joint into `out` at 3 j; zero for one that does not move. */
  draw(random: Random, j: number, out: Float64Array): void {
    out.fill(0, 3 * j, 3 * j + 3);
    if (!this.moves(j)) return;
    const values = this.#values[j];
    if (values.length === 0) {
      this.#drawFromBall(random, j, out);
      return;
    }
    const count = values.length / 3;
    const first = random.integer(count);
    const [a, b] = [3 * first, 3 * ((first + 1 + random.integer(count - 1)) % count)];
    const share = random.uniform(0, 1);
    for (let c = 0; c < 3; c++) out[3 * j + c] = values[a + c] + share * (values[b + c] - values[a + c]);
  }

  /** A uniform direction, and an angle up to the range. */
  #drawFromBall(random: Random, j: number, out: Float64Array): void {
    const [z, turn, angle] = [random.uniform(-1, 1), random.uniform(0, 2 * Math.PI), random.uniform(0, this.#range)];
    const r = angle * Math.sqrt(1 - z * z);
    out[3 * j] = r * cos(turn);
    out[3 * j + 1] = r * cos(turn - 0.5 * Math.PI);
    out[3 * j + 2] = angle * z;
  }

  /**
   * Forward kinematics of rotation vectors.
   *
   * @param joints  m × 3
   * @returns m × 12, rest → pose
   */
  pose(joints: Float64Array): Float64Array {
    const out = Float64Array.from(this.#bones.flatMap(() => IDENTITY_TRANSFORM));
    const turn = new Float64Array(9);
    this.#bones.forEach(({ parent, rest }, j) => {
      if (parent < 0) return;
      rotationExp(joints, 3 * j, turn, 0);
      const origin = [rest[3], rest[7], rest[11]];
      const move = origin.map((value, r) => value - origin.reduce((sum, o, c) => sum + turn[3 * r + c] * o, 0));
      composeTransforms(out, parent * TRANSFORM_SIZE, transformOf(turn, 0, move), 0, out, j * TRANSFORM_SIZE);
    });
    return out;
  }
}

function lengthAt(values: ArrayLike<number>, at: number): number {
  return Math.hypot(values[at], values[at + 1], values[at + 2]);
}
