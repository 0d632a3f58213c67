/**
 * Measures of a character's body: the height of the ground, its stature, the points that touch the ground, the vertices
 * that each bone carries. They follow from the rest mesh and its weights; the ground follows from the example poses,
 * since a rig may rest anywhere, but stands in most of its poses.
 */
import { type Rig, UsageError, vertexCount } from '@pelt/model';

/** A point of the character that touches the ground. */
export interface ContactPoint {
  readonly bone: number;
  /** Rest position in model space. */
  readonly point: readonly [number, number, number];
}

/** A foot: a bone and what it, and its descendants, stand on. */
export interface ContactFoot {
  readonly bone: number;
  readonly points: readonly ContactPoint[];
}

/** Largest distance from the ground of a vertex that touches it, relative to the height. */
const TOUCHING = 0.02;
/** Thickness of a sole, relative to the height. */
const SOLE = 0.004;
/** Largest height above the ground of a foot's vertices, relative to the character's. */
const FOOT_HEIGHT = 0.15;

export class CharacterShape {
  readonly #rig: Rig;
  /** n: the bone with the largest weight */
  readonly #owner: Int32Array;
  /** n heights for each pose */
  readonly #heights: readonly Float64Array[];
  /** Median over the poses of the height of the lowest vertex. */
  readonly floor: number;
  /** Vertical extent in the first pose; for a flat character its largest extent at rest. */
  readonly height: number;

  /** @param poses  m × 12 each, rest → pose; the first is the neutral one */
  constructor(rig: Rig, poses: readonly Float64Array[]) {
    this.#rig = rig;
    this.#owner = ownersOf(rig);
    this.#heights = poses.map((pose) => heightsOf(rig, this.#owner, pose));
    const lowest = this.#heights.map((heights) => extentOf(heights).low).sort((a, b) => a - b);
    const upright = extentOf(this.#heights[0]).size;
    const { positions } = rig.mesh;
    const widest = Math.max(...[0, 1, 2].map((axis) => extentOf(positions.filter((_, k) => k % 3 === axis)).size));
    this.floor = lowest[lowest.length >> 1];
    this.height = upright > TOUCHING * widest ? upright : widest > 0 ? widest : 1;
  }

  /** Rest position of the first root. */
  pivot(): Float64Array {
    const { rest } = this.#rig.bones[0];
    return Float64Array.of(rest[3], rest[7], rest[11]);
  }

  /**
   * Feet: bones with points that touch the ground, of themselves and of their descendants (heel and toes).
   *
   * @param wanted  names or indices of bones, or `auto`: those that are low, and touch the ground in any pose
   */
  feet(wanted: 'auto' | readonly (string | number)[]): ContactFoot[] {
    const { bones } = this.#rig;
    const soles = [...bones.keys()].flatMap((bone) => this.#lowestPoint(bone, true));
    const above = (bone: number, other: number) => {
      for (let p = bones[bone].parent; p >= 0; p = bones[p].parent) if (p === other) return true;
      return false;
    };
    const named =
      wanted === 'auto'
        ? soles.map(({ bone }) => bone)
        : wanted.map((bone) => (typeof bone === 'number' ? bone : boneIndex(this.#rig, bone)));
    return named
      .filter((bone) => !named.some((other) => above(bone, other)))
      .map((bone) => {
        // Toes stand on the ball of the foot, under their joint, about which a foot rolls and turns.
        const own = soles
          .filter((sole) => sole.bone === bone || above(sole.bone, bone))
          .map((sole) =>
            sole.bone === bone ? sole : { ...sole, point: underJoint(bones[sole.bone].rest, sole.point) },
          );
        return { bone, points: own.length > 0 ? own : this.#lowestPoint(bone, false) };
      });
  }

  /**
   * The mean of a bone's lowest vertices, in the pose in which it is lowest.
   *
   * @param onlyFeet  empty where the bone does not touch the ground, or is not a foot
   */
  #lowestPoint(bone: number, onlyFeet: boolean): ContactPoint[] {
    const { positions } = this.#rig.mesh;
    const { rest } = this.#rig.bones[bone];
    const carried = Array.from(this.#owner.keys()).filter((i) => this.#owner[i] === bone);
    if (carried.length === 0) return onlyFeet ? [] : [{ bone, point: [rest[3], rest[7], rest[11]] }];
    const extents = this.#heights.map((heights) => extentOf(Float64Array.from(carried, (i) => heights[i])));
    const pose = extents.reduce((best, { low }, k) => (low < extents[best].low ? k : best), 0);
    const { low, size } = extents[pose];
    const touches = low <= this.floor + TOUCHING * this.height;
    if (onlyFeet && !(touches && low + size <= this.floor + FOOT_HEIGHT * this.height)) return [];
    const sole = carried.filter((i) => this.#heights[pose][i] <= low + SOLE * this.height);
    const [x, y, z] = [0, 1, 2].map((k) => sole.reduce((sum, i) => sum + positions[3 * i + k], 0) / sole.length);
    return [{ bone, point: [x, y, z] }];
  }

  /** Sorted indices of the named bones and their descendants. */
  looseBones(names: readonly string[]): number[] {
    const { bones } = this.#rig;
    const named = new Set(names.map((name) => boneIndex(this.#rig, name)));
    bones.forEach((bone, j) => {
      if (named.has(bone.parent)) named.add(j);
    });
    return [...named].sort((a, b) => a - b);
  }

  /** 3 numbers per bone: the mean of the vertices that it carries, or else of its children's joints. */
  tips(bones: readonly number[]): Float64Array {
    const { positions } = this.#rig.mesh;
    const tips = new Float64Array(bones.length * 3);
    bones.forEach((bone, at) => {
      const points: number[][] = [];
      for (let i = 0; i < this.#owner.length; i++) {
        if (this.#owner[i] === bone) points.push([0, 1, 2].map((k) => positions[3 * i + k]));
      }
      if (points.length === 0) {
        for (const child of this.#rig.bones) {
          if (child.parent === bone) points.push([child.rest[3], child.rest[7], child.rest[11]]);
        }
      }
      const { rest } = this.#rig.bones[bone];
      for (let k = 0; k < 3; k++) {
        const sum = points.reduce((total, point) => total + point[k], 0);
        tips[3 * at + k] = points.length > 0 ? sum / points.length : rest[4 * k + 3];
      }
    });
    return tips;
  }
}

/** The point at the height of another under a joint. */
function underJoint(rest: Float64Array, [, y]: ContactPoint['point']): ContactPoint['point'] {
  return [rest[3], y, rest[11]];
}

/** n: the bone with the largest weight at each vertex. */
function ownersOf({ mesh, weights: { slots, bones, weights } }: Rig): Int32Array {
  return Int32Array.from({ length: vertexCount(mesh) }, (_, i) => {
    let best = i * slots;
    for (let s = best + 1; s < (i + 1) * slots; s++) if (weights[s] > weights[best]) best = s;
    return bones[best];
  });
}

/** Heights of the vertices in a pose, each moved rigidly by its dominant bone. */
function heightsOf({ mesh: { positions } }: Rig, owner: Int32Array, pose: Float64Array): Float64Array {
  return Float64Array.from(owner, (bone, i) => {
    const row = 12 * bone + 4;
    const [x, y, z] = [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]];
    return pose[row] * x + pose[row + 1] * y + pose[row + 2] * z + pose[row + 3];
  });
}

function extentOf(values: Float32Array | Float64Array): { low: number; size: number } {
  if (values.length === 0) return { low: 0, size: 0 };
  let [low, high] = [values[0], values[0]];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return { low, size: high - low };
}

function boneIndex(rig: Rig, name: string): number {
  const index = rig.bones.findIndex((bone) => bone.name === name);
  if (index >= 0) return index;
  const names = rig.bones.map((bone) => bone.name);
  throw new UsageError(
    `createPuppet: '${rig.name}' has no bone '${name}'; it has ${names.slice(0, 40).join(', ')}${names.length > 40 ? ' …' : ''}`,
  );
}
