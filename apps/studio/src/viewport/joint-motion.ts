/**
 * What moves joints over time: a motion below, keys that turn joints away from it, and places that limbs reach for, in
 * this order.
 */
import { TRANSFORM_SIZE } from '@pelt/model';
import { type Bone, Matrix4, type Object3D, Quaternion, Vector3 } from 'three/webgpu';
import type { JointClip } from '../jobs/joint-clips.ts';
import { type EditedClip, type JointPose, jointsAt, type Reach, reachesAt } from '../store/clips.ts';
import { chainAbove, reach } from './limb-reach.ts';

/** Turns smaller than this are none: half angles, as quaternions have them. */
const STILL = 1e-6;

interface Joint {
  readonly bone: Bone;
  readonly name: string;
  /** In the space of the character's root. */
  readonly rest: Matrix4;
  readonly turn: Quaternion;
  readonly place: Vector3;
}

export class JointMotion {
  readonly #root: Object3D;
  /** Parents before their children. */
  readonly #joints: readonly Joint[];
  /** As the motion below has them. */
  readonly #turns: Quaternion[];
  readonly #places: Vector3[];
  #below: JointClip | undefined;
  #from: readonly number[] = [];

  /**
   * @param bones  at rest
   * @param names  as the file has them
   */
  constructor(root: Object3D, bones: readonly Bone[], names: readonly string[]) {
    this.#root = root;
    root.updateWorldMatrix(true, true);
    const outer = root.matrixWorld.clone().invert();
    const joints = bones.map((bone, j) => ({
      bone,
      name: names[j],
      rest: outer.clone().multiply(bone.matrixWorld),
      turn: bone.quaternion.clone(),
      place: bone.position.clone(),
    }));
    this.#joints = joints.toSorted((a, b) => depthOf(a.bone) - depthOf(b.bone));
    this.#turns = this.#joints.map(({ turn }) => turn.clone());
    this.#places = this.#joints.map(({ place }) => place.clone());
  }

  /** The motion below; undefined: rest. */
  set below(clip: JointClip | undefined) {
    if (clip === this.#below) return;
    this.#below = clip;
    this.#from = this.#joints.map(({ name }) => clip?.joints.indexOf(name) ?? -1);
  }

  /** Puts the joints where a clip has them at a frame. */
  show(clip: EditedClip, frame: number): void {
    this.#showBelow(frame, clip.closes);
    const { turns, shift = [0, 0, 0] } = jointsAt(clip, frame);
    this.#joints.forEach(({ bone, name }, j) => {
      const turn = turns[name];
      bone.quaternion.copy(this.#turns[j]);
      if (turn) bone.quaternion.multiply(new Quaternion(...turn));
      bone.position.copy(this.#places[j]);
    });
    this.#joints[0]?.bone.position.add(new Vector3(...shift));
    for (const { joint, share, ...wanted } of reachesAt(clip, frame)) this.reach(joint, wanted, share);
  }

  /** Brings the end of a limb to where it is to be, in the space of the root. */
  reach(joint: string, { at, pole, bones }: Reach, share = 1): void {
    const end = this.#joints.find(({ name }) => name === joint)?.bone;
    if (!end) return;
    const chain = chainAbove(end, bones);
    if (chain.length < 3) return;
    const world = (point: readonly [number, number, number]) => this.#root.localToWorld(new Vector3(...point));
    reach(chain, world(at), world(pole), share);
  }

  /** All joints as they are, to come back to. */
  get joints(): readonly { readonly turn: Quaternion; readonly place: Vector3 }[] {
    return this.#joints.map(({ bone }) => ({ turn: bone.quaternion.clone(), place: bone.position.clone() }));
  }

  setJoints(joints: JointMotion['joints']): void {
    for (const [j, { turn, place }] of joints.entries()) {
      this.#joints[j].bone.quaternion.copy(turn);
      this.#joints[j].bone.position.copy(place);
    }
  }

  /** How the joints are turned now, from the motion below. */
  get pose(): JointPose {
    const turns: Record<string, readonly [number, number, number, number]> = {};
    this.#joints.forEach(({ bone, name }, j) => {
      const { x, y, z, w } = this.#turns[j].clone().invert().multiply(bone.quaternion);
      if (Math.hypot(x, y, z) > STILL) turns[name] = [x, y, z, w];
    });
    const [first] = this.#joints;
    const shift = first ? first.bone.position.clone().sub(this.#places[0]).toArray() : ([0, 0, 0] as const);
    return { turns, shift };
  }

  /** Where a limb's end is now, with a pole before its middle: nothing moves when it is begun. */
  reachOf(joint: string, bones: number): Reach | undefined {
    const end = this.#joints.find(({ name }) => name === joint)?.bone;
    const chain = end && chainAbove(end, bones);
    if (!chain || chain.length < 3) return undefined;
    this.#root.updateWorldMatrix(true, true);
    const [root, middle, tip] = [chain[0], chain[Math.floor((chain.length - 1) / 2)], chain[chain.length - 1]].map(
      (object) => this.#root.worldToLocal(object.getWorldPosition(new Vector3())),
    );
    // The middle, pushed away from the line between root and end by the length of the limb.
    const line = tip.clone().sub(root);
    const along = Math.max(line.lengthSq(), Number.MIN_VALUE);
    const foot = root.clone().addScaledVector(line, middle.clone().sub(root).dot(line) / along);
    const away = middle.clone().sub(foot);
    const size = Math.sqrt(along);
    if (away.length() > 1e-3 * size) away.setLength(size);
    else away.set(0, 0, /knee|leg|ankle|foot/i.test(joint) ? size : -size);
    return { at: tip.toArray(), pole: middle.clone().add(away).toArray(), bones: chain.length - 1 };
  }

  #showBelow(frame: number, closes: boolean): void {
    const clip = this.#below;
    if (!clip) {
      this.#joints.forEach(({ turn, place }, j) => {
        this.#turns[j].copy(turn);
        this.#places[j].copy(place);
      });
      return;
    }
    const t = closes ? frame % clip.frames : Math.min(frame, clip.frames - 1);
    const [matrix, inverse, scale] = [new Matrix4(), new Matrix4(), new Vector3()];
    const outer = this.#root.matrixWorld.clone().invert();
    const posed = new Map<Object3D, Matrix4>();
    this.#joints.forEach(({ bone, rest }, j) => {
      const world = matrixOf(clip, t, this.#from[j]).multiply(rest);
      posed.set(bone, world);
      const parent = bone.parent && posed.get(bone.parent);
      if (parent) inverse.copy(parent).invert();
      else
        inverse
          .copy(bone.parent?.matrixWorld ?? this.#root.matrixWorld)
          .premultiply(outer)
          .invert();
      matrix.multiplyMatrices(inverse, world).decompose(this.#places[j], this.#turns[j], scale);
    });
  }
}

/** The transform of a joint in a clip; of none, that of rest. */
function matrixOf({ joints, transforms }: JointClip, t: number, j: number): Matrix4 {
  const matrix = new Matrix4();
  if (j < 0) return matrix;
  const at = (t * joints.length + j) * TRANSFORM_SIZE;
  const [a, b, c, x, d, e, f, y, g, h, i, z] = transforms.subarray(at, at + TRANSFORM_SIZE);
  return matrix.set(a, b, c, x, d, e, f, y, g, h, i, z, 0, 0, 0, 1);
}

function depthOf(object: Object3D): number {
  let depth = 0;
  for (let above = object.parent; above; above = above.parent) depth++;
  return depth;
}
