/**
 * Pose features of a learnt skin: the rotation Qⱼ of every bone, and each joint's rotation Q_parentᵀ Qⱼ as three numbers
 * in rest axes, which do not change when the whole character moves.
 *
 * Every joint has two charts. `log` is the rotation vector, on the branch nearest to the centre of the range that the
 * examples had: a joint that turned from 0 to 180° is then read from −90° to 270°, without a jump at 180°. `swing-twist`
 * is the rotation vector of the swing plus the angle of the twist about the bone, for joints of three degrees of
 * freedom, whose twist and swing act on different parts of the skin.
 *
 * Reference: Grassia. Practical parameterization of rotations using the exponential map. 1998.
 */
import {
  atan2,
  cos,
  multiplyTransposed3,
  polarDecomposition,
  quaternionFromRotation,
  rotationLogNear,
} from '@pelt/math';
import { type Bone, TRANSFORM_SIZE } from '@pelt/model';

/** Charts per joint: block 2j holds the three coordinates of joint j as `log`, block 2j + 1 as `swing-twist`. */
const CHARTS = 2;

export class PoseCoordinates {
  readonly m: number;
  /** m × 9 rotations of the bones, rest → pose */
  readonly rotations: Float64Array;
  /** 2m × 3, zero for a bone without parent */
  readonly values: Float64Array;
  /** 2m: 1 − cos of each joint's angle, of the whole rotation and of the swing */
  readonly versines: Float64Array;
  /** m × 3 directions along the bones at rest; zero where a bone has no length */
  readonly axes: Float64Array;
  readonly #parents: Int32Array;
  readonly #centres: Float64Array;
  readonly #linear = new Float64Array(9);
  readonly #relative = new Float64Array(9);
  readonly #stretch = new Float64Array(9);
  readonly #quaternion = new Float64Array(4);

  /** @param centres  m × 3 centres of the joints' ranges, as rotation vectors */
  constructor(bones: readonly Bone[], centres: Float64Array = new Float64Array(3 * bones.length)) {
    this.m = bones.length;
    this.#parents = Int32Array.from(bones, (bone) => bone.parent);
    this.#centres = centres;
    this.rotations = new Float64Array(9 * this.m);
    this.values = new Float64Array(CHARTS * 3 * this.m);
    this.versines = new Float64Array(CHARTS * this.m);
    this.axes = boneDirections(bones);
  }

  /**
   * Reads a pose into `rotations`, `values` and `versines`; allocates nothing.
   *
   * @param transforms  m × 12, rest → pose
   */
  read(transforms: Float64Array): this {
    const { rotations, values, versines, m } = this;
    for (let j = 0; j < m; j++) {
      for (let k = 0; k < 9; k++) this.#linear[k] = transforms[j * TRANSFORM_SIZE + 4 * Math.floor(k / 3) + (k % 3)];
      polarDecomposition(this.#linear, 0, rotations, 9 * j, this.#stretch, 0);
    }
    for (let j = 0; j < m; j++) {
      const parent = this.#parents[j];
      if (parent < 0) continue;
      const relative = this.#relative;
      multiplyTransposed3(rotations, 9 * parent, rotations, 9 * j, relative, 0);
      rotationLogNear(relative, 0, this.#centres, 3 * j, values, 6 * j);
      this.#swingTwist(j, relative);
      versines[CHARTS * j] = 1 - cos(Math.hypot(values[6 * j], values[6 * j + 1], values[6 * j + 2]));
    }
    return this;
  }

  /** relative = swing · twist, with the twist about the bone's axis on the branch nearest to the centre. */
  #swingTwist(j: number, relative: Float64Array): void {
    const { values, axes } = this;
    const at = 6 * j + 3;
    const ax = axes[3 * j];
    const ay = axes[3 * j + 1];
    const az = axes[3 * j + 2];
    const q = this.#quaternion;
    quaternionFromRotation(relative, 0, q, 0);
    const x = q[0];
    const y = q[1];
    const z = q[2];
    const w = q[3];
    const along = x * ax + y * ay + z * az;
    const length = Math.hypot(along, w);
    const centre = this.#centres[3 * j] * ax + this.#centres[3 * j + 1] * ay + this.#centres[3 * j + 2] * az;
    let twist = 2 * atan2(along, w);
    twist += 2 * Math.PI * Math.round((centre - twist) / (2 * Math.PI));
    // A swing of half a turn leaves the twist undefined; it is set to zero.
    if (length < 1e-9 || (ax === 0 && ay === 0 && az === 0)) twist = 0;
    // swing = q · conj(twist); its scalar part is `length`, its vector part is perpendicular to the axis.
    const s = length < 1e-9 ? 0 : -along / length;
    const c = length < 1e-9 ? 1 : w / length;
    const sx = c * x + s * (w * ax + y * az - z * ay);
    const sy = c * y + s * (w * ay + z * ax - x * az);
    const sz = c * z + s * (w * az + x * ay - y * ax);
    const sine = Math.hypot(sx, sy, sz);
    const factor = sine > 0 ? (2 * atan2(sine, c * w - s * along)) / sine : 2;
    // 1 − cos of the swing's angle, from the sine of half the angle: muscles follow the swing.
    this.versines[CHARTS * j + 1] = 2 * sine * sine;
    values[at] = factor * sx + twist * ax;
    values[at + 1] = factor * sy + twist * ay;
    values[at + 2] = factor * sz + twist * az;
  }
}

/**
 * The centres of the joints' ranges over example poses. The rotation vectors of a joint are unwrapped from pose to
 * nearest pose, starting at rest, so that a range beyond half a turn stays in one piece.
 *
 * @param poses  m × 12 each
 * @returns m × 3 rotation vectors
 */
export function jointCentres(bones: readonly Bone[], poses: readonly Float64Array[]): Float64Array {
  const m = bones.length;
  const reader = new PoseCoordinates(bones);
  const relative = poses.map((pose) => {
    reader.read(pose);
    const out = new Float64Array(9 * m);
    bones.forEach(({ parent }, j) => {
      if (parent < 0) return;
      multiplyTransposed3(reader.rotations, 9 * parent, reader.rotations, 9 * j, out, 9 * j);
    });
    return out;
  });
  const centres = new Float64Array(3 * m);
  bones.forEach(({ parent }, j) => {
    if (parent < 0) return;
    const logs = followLogs(relative.map((rotations) => rotations.subarray(9 * j, 9 * j + 9)));
    for (let c = 0; c < 3; c++) {
      const values = logs.map((log) => log[c]);
      centres[3 * j + c] = 0.5 * (Math.min(0, ...values) + Math.max(0, ...values));
    }
  });
  return centres;
}

/**
 * Rotation vectors of a set of rotations, each on the branch nearest to that of its nearest neighbour along the minimum
 * spanning tree from the identity (Prim).
 */
export function followLogs(rotations: readonly ArrayLike<number>[]): Float64Array[] {
  const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const logs = rotations.map(() => new Float64Array(3));
  const distance = rotations.map((rotation) => turn(identity, rotation));
  const reference: Float64Array[] = rotations.map(() => new Float64Array(3));
  const waiting = new Set(rotations.keys());
  while (waiting.size > 0) {
    let next = -1;
    for (const t of waiting) if (next < 0 || distance[t] < distance[next]) next = t;
    waiting.delete(next);
    rotationLogNear(rotations[next], 0, reference[next], 0, logs[next], 0);
    for (const t of waiting) {
      const away = turn(rotations[next], rotations[t]);
      if (away >= distance[t]) continue;
      distance[t] = away;
      reference[t] = logs[next];
    }
  }
  return logs;
}

/** 3 − tr(AᵀB), which grows with the angle between two rotations. */
function turn(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let trace = 0;
  for (let k = 0; k < 9; k++) trace += a[k] * b[k];
  return 3 - trace;
}

/** m × 3: from each bone's origin to the mean of its children's; for a leaf, the direction from its parent. */
function boneDirections(bones: readonly Bone[]): Float64Array {
  const axes = new Float64Array(3 * bones.length);
  const origin = (j: number) => [3, 7, 11].map((k) => bones[j].rest[k]);
  bones.forEach(({ parent }, j) => {
    const children = bones.flatMap((bone, b) => (bone.parent === j ? [origin(b)] : []));
    const from = children.length > 0 ? origin(j) : parent >= 0 ? origin(parent) : origin(j);
    const ends = children.length > 0 ? children : [origin(j)];
    const direction = [0, 1, 2].map((c) => ends.reduce((sum, end) => sum + end[c] - from[c], 0));
    const length = Math.hypot(...direction);
    if (length > 0)
      axes.set(
        direction.map((value) => value / length),
        3 * j,
      );
  });
  return axes;
}
