/**
 * The end of a limb is brought to a place, with its middle towards a pole. Two bones are solved in closed form by the law
 * of cosines; longer chains by FABRIK, from an arc on the side of the pole, so that a pose does not depend on the one
 * before. The end keeps how it is turned in the world, so that a foot stays flat.
 *
 * Reference: Aristidou, Lasenby. FABRIK: a fast, iterative solver for the inverse kinematics problem. Graphical Models, 2011.
 */
import { type Object3D, Quaternion, Vector3 } from 'three/webgpu';

/** Of the whole length: a limb is not pulled quite straight, where it would have no plane to bend in. */
const STRAIGHTEST = 0.9995;
const ROUNDS = 60;
/** Part of the length at which a chain has reached. */
const NEAR = 1e-4;

/**
 * Places of the joints of a chain with its end at a target.
 *
 * @param joints  root first, end last; at least three
 * @param pole    where the middle points; the chain has no say in it
 */
export function reachedChain(joints: readonly Vector3[], target: Vector3, pole: Vector3): Vector3[] {
  const lengths = joints.slice(1).map((joint, k) => joint.distanceTo(joints[k]));
  const whole = lengths.reduce((sum, length) => sum + length, 0);
  const [root] = joints;
  const line = target.clone().sub(root);
  const distance = Math.min(line.length(), STRAIGHTEST * whole);
  if (!(whole > 0 && distance > 0)) return joints.map((joint) => joint.clone());
  line.normalize();
  const aside = awayFrom(line, pole.clone().sub(root)) ?? awayFrom(line, joints[1].clone().sub(root)) ?? anyAside(line);
  const end = root.clone().addScaledVector(line, distance);
  return lengths.length === 2
    ? twoBones(root, end, lengths[0], lengths[1], line, aside)
    : fabrik(arc(root, end, lengths, line, aside), lengths, end, NEAR * whole);
}

/**
 * Turns the joints of a chain so that its end is at a target.
 *
 * @param chain  root first, end last
 * @param share  how much of it is done, from 0 to 1
 */
export function reach(chain: readonly Object3D[], target: Vector3, pole: Vector3, share = 1): void {
  const end = chain[chain.length - 1];
  chain[0].updateWorldMatrix(true, true);
  const kept = end.getWorldQuaternion(new Quaternion());
  const now = chain.map((joint) => joint.getWorldPosition(new Vector3()));
  const wanted = now[now.length - 1].clone().lerp(target, share);
  // On the way in, the middle turns to the pole as much as the end goes to the target.
  const middle = now[1].clone().lerp(pole, share);
  const places = reachedChain(now, wanted, middle);
  const [at, from, to] = [new Vector3(), new Vector3(), new Vector3()];
  for (let k = 0; k + 1 < chain.length; k++) {
    chain[k].getWorldPosition(at);
    chain[k + 1].getWorldPosition(from).sub(at).normalize();
    to.copy(places[k + 1])
      .sub(places[k])
      .normalize();
    turnInWorld(chain[k], new Quaternion().setFromUnitVectors(from, to));
    chain[k].updateWorldMatrix(false, true);
  }
  const parent = end.parent?.getWorldQuaternion(new Quaternion()) ?? new Quaternion();
  end.quaternion.copy(parent.invert().multiply(kept)).normalize();
  end.updateWorldMatrix(false, true);
}

/** A joint and so many above it, root first; fewer where there are no more. */
export function chainAbove(end: Object3D, bones: number): Object3D[] {
  const chain: Object3D[] = [end];
  for (let above = end.parent; chain.length <= bones && above && 'isBone' in above; above = above.parent) {
    chain.unshift(above);
  }
  return chain;
}

function twoBones(root: Vector3, end: Vector3, a: number, b: number, line: Vector3, aside: Vector3): Vector3[] {
  const c = Math.min(Math.max(root.distanceTo(end), Math.abs(a - b) / STRAIGHTEST), a + b);
  const cosine = Math.min(1, Math.max(-1, (a * a + c * c - b * b) / (2 * a * c)));
  const middle = root
    .clone()
    .addScaledVector(line, a * cosine)
    .addScaledVector(aside, a * Math.sqrt(1 - cosine * cosine));
  return [root.clone(), middle, root.clone().addScaledVector(line, c)];
}

/** Where a chain begins: on an arc from root to end, as high as it has length to spare. */
function arc(root: Vector3, end: Vector3, lengths: readonly number[], line: Vector3, aside: Vector3): Vector3[] {
  const whole = lengths.reduce((sum, length) => sum + length, 0);
  const distance = root.distanceTo(end);
  const height = Math.sqrt(Math.max(0, whole * whole - distance * distance)) / 2;
  let along = 0;
  return [0, ...lengths].map((length) => {
    along += length / whole;
    return root
      .clone()
      .addScaledVector(line, along * distance)
      .addScaledVector(aside, height * Math.sin(Math.PI * along));
  });
}

function fabrik(start: readonly Vector3[], lengths: readonly number[], end: Vector3, near: number): Vector3[] {
  const places = [...start];
  const root = start[0].clone();
  const last = places.length - 1;
  const place = (moved: number, fixed: number, length: number) => {
    const away = places[moved].clone().sub(places[fixed]);
    places[moved] = away.lengthSq() > 0 ? away.setLength(length).add(places[fixed]) : places[fixed].clone();
  };
  for (let round = 0; round < ROUNDS; round++) {
    places[last] = end.clone();
    for (let k = last - 1; k >= 0; k--) place(k, k + 1, lengths[k]);
    places[0] = root.clone();
    for (let k = 1; k <= last; k++) place(k, k - 1, lengths[k - 1]);
    if (places[last].distanceTo(end) <= near) break;
  }
  return places;
}

/** The unit part of a vector that is across a line; undefined where there is none. */
function awayFrom(line: Vector3, vector: Vector3): Vector3 | undefined {
  const length = vector.length();
  const across = vector.clone().addScaledVector(line, -vector.dot(line));
  return across.length() > 1e-6 * length ? across.normalize() : undefined;
}

function anyAside(line: Vector3): Vector3 {
  const other = Math.abs(line.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  return other.addScaledVector(line, -other.dot(line)).normalize();
}

/** A turn in the world as one in the frame of the parent: P⁻¹ T P. */
function turnInWorld(joint: Object3D, turn: Quaternion): void {
  const parent = joint.parent?.getWorldQuaternion(new Quaternion()) ?? new Quaternion();
  const own = parent.clone().invert().multiply(turn).multiply(parent);
  joint.quaternion.premultiply(own).normalize();
}
