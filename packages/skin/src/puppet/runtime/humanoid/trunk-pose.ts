/**
 * Rotations of a humanoid's trunk, neck and head: pelvis, chest and head take the performer's from standing upright, the
 * bones of the spine share the rotation between pelvis and chest, the neck that between chest and head.
 *
 * The shoulders would then inherit every error of the pelvis through the spine as a lever (on short-legged characters twice
 * the performer's jitter), so the spine below the chest is swung until the shoulders lie from the hips where the performer's
 * do. The chest itself keeps the performer's rotation, and with it the line of the shoulders.
 */
import { multiply3, quaternionFromRotation, rotate3, rotationFromQuaternion, slerp } from '@pelt/math';
import type { Bone } from '@pelt/model';
import { shortestRotation } from '../subtree.ts';
import { multiplyByTransposed } from './frames.ts';
import type { Humanoid } from './humanoid.ts';
import type { HumanoidRest } from './humanoid-rest.ts';
import { CHEST, HEAD, PELVIS, type PerformerBody, TRUNK } from './performer-body.ts';

/** Largest swing of the spine in radians: what is left by degenerate frames. */
const WIDEST_SWING = 0.5;

export class TrunkPose {
  readonly #humanoid: Humanoid;
  readonly #rest: HumanoidRest;
  /** (K + 2) × 3: from the hips over the K bones of the spine to the middle of the shoulders, link by link, at rest */
  readonly #links: Float64Array;
  /** 3 × 4: pelvis, chest, head */
  readonly #quaternions = new Float64Array(12);
  readonly #quaternion = new Float64Array(4);
  readonly #product = new Float64Array(9);
  readonly #rotation = new Float64Array(9);
  readonly #link = new Float64Array(3);
  readonly #fixed = new Float64Array(3);
  readonly #swung = new Float64Array(3);
  readonly #target = new Float64Array(3);

  constructor(bones: readonly Bone[], humanoid: Humanoid, rest: HumanoidRest) {
    this.#humanoid = humanoid;
    this.#rest = rest;
    const origin = (j: number) => [3, 7, 11].map((k) => bones[j].rest[k]);
    const [left, right] = humanoid.arms.map(({ upper }) => origin(upper));
    const points = [[...rest.hips], ...humanoid.spine.map(origin), left.map((value, k) => (value + right[k]) / 2)];
    this.#links = Float64Array.from(
      points.slice(1).flatMap((point, i) => point.map((value, k) => value - points[i][k])),
    );
  }

  /**
   * @param world      9: from the performer's axes to the character's
   * @param rotations  m × 9; those of the trunk, neck and head are overwritten
   */
  turn(body: PerformerBody, world: Float64Array, rotations: Float64Array): void {
    const { pelvis, spine, neck, head } = this.#humanoid;
    const q = this.#quaternions;
    this.#measure(body, PELVIS, world, 0);
    this.#measure(body, CHEST, world, 4);
    if (body.hasHead) this.#measure(body, HEAD, world, 8);
    else for (let k = 0; k < 4; k++) q[8 + k] = q[4 + k];
    this.#between(0, 4, 0, rotations, pelvis);
    for (let k = 0; k < spine.length; k++) this.#between(0, 4, (k + 1) / spine.length, rotations, spine[k]);
    if (spine.length > 0) this.#swingSpine(body, world, rotations);
    if (neck >= 0) this.#between(4, 8, head >= 0 ? 0.5 : 1, rotations, neck);
    if (head >= 0) this.#between(4, 8, 1, rotations, head);
  }

  /** The character's rotation for a part's, world · R · axesᵀ, in `#rotation`, and as a quaternion at an index. */
  #measure(body: PerformerBody, part: number, world: Float64Array, at: number): void {
    multiply3(world, 0, body.rotations, 9 * part, this.#product, 0);
    multiplyByTransposed(this.#product, 0, this.#rest.axes, 0, this.#rotation, 0);
    if (at >= 0) quaternionFromRotation(this.#rotation, 0, this.#quaternions, at);
  }

  #between(a: number, b: number, share: number, rotations: Float64Array, bone: number): void {
    slerp(this.#quaternions, a, this.#quaternions, b, share, this.#quaternion, 0);
    rotationFromQuaternion(this.#quaternion, 0, rotations, 9 * bone);
  }

  #swingSpine(body: PerformerBody, world: Float64Array, rotations: Float64Array): void {
    const { pelvis, spine } = this.#humanoid;
    const links = this.#links;
    const link = this.#link;
    const fixed = this.#fixed;
    const swung = this.#swung;
    const target = this.#target;
    // A spine of one bone is the chest: that one has to swing.
    const bends = Math.max(1, spine.length - 1);
    rotate3(rotations, 9 * pelvis, links, 0, fixed, 0);
    swung.fill(0);
    target.fill(0);
    for (let k = 0; k <= spine.length; k++) {
      for (let r = 0; r < 3; r++) target[r] += links[3 * k + r];
      if (k === 0) continue;
      rotate3(rotations, 9 * spine[k - 1], links, 3 * k, link, 0);
      const out = k > bends ? fixed : swung;
      for (let r = 0; r < 3; r++) out[r] += link[r];
    }
    let length = 0;
    for (let r = 0; r < 3; r++) length += (fixed[r] + swung[r]) ** 2;
    // Where the shoulders belong: as far from the hips as they are now, in the direction of the performer's.
    this.#measure(body, TRUNK, world, -1);
    rotate3(this.#rotation, 0, target, 0, link, 0);
    const scale = Math.sqrt(length / (link[0] * link[0] + link[1] * link[1] + link[2] * link[2]));
    for (let r = 0; r < 3; r++) target[r] = scale * link[r] - fixed[r];
    shortestRotation(swung, target, WIDEST_SWING, this.#product);
    for (let k = 0; k < bends; k++) multiply3(this.#product, 0, rotations, 9 * spine[k], rotations, 9 * spine[k]);
  }
}
