/**
 * Skins as skeletons of USD, as few as possible: a skeleton has one bind for each joint, and a mesh one transform into
 * the space of all of them. Skins whose binds differ by one transform alone share a skeleton.
 */
import { identityTransform, invert, isSingular, multiply, type Transform } from '../gltf/transform.ts';
import type { FileScene } from '../scene/file-scene.ts';
import type { UsdJoints } from './usd-skeleton.ts';

/** Binds that differ by less than this, against their size, are one. */
const SAME_BIND = 1e-5;

/** How a mesh is bound. */
export interface UsdBind {
  /** Which of the skeletons. */
  readonly skeleton: number;
  /** From the mesh to the space that the skeleton is bound in. */
  readonly geometry: Transform;
}

export class UsdBinds {
  /** Inverse binds of each skeleton, by node. */
  readonly #skeletons: Map<number, Transform>[] = [];
  readonly #skins = new Map<number, UsdBind>();
  readonly #joints: UsdJoints;
  readonly #rest: readonly Transform[];

  constructor(scene: FileScene, joints: UsdJoints) {
    this.#joints = joints;
    this.#rest = joints.restWorlds();
    scene.nodes.forEach(({ mesh, skin }) => {
      if (mesh >= 0 && skin >= 0 && !this.#skins.has(skin)) this.#skins.set(skin, this.#place(scene, skin));
    });
    if (this.#skeletons.length === 0) this.#skeletons.push(new Map());
  }

  get count(): number {
    return this.#skeletons.length;
  }

  skin(skin: number): UsdBind {
    return this.#skins.get(skin) ?? { skeleton: 0, geometry: identityTransform() };
  }

  /** A mesh that hangs on its node alone: where its joint is bound, with the scales that were taken out of that. */
  rigid(node: number): UsdBind {
    const bind = this.#bind(0, node);
    const factor = this.#joints.factors[node];
    return { skeleton: 0, geometry: bind.map((value, k) => (k % 4 === 3 ? value : value * factor)) };
  }

  /** Where the joints of a skeleton are bound: in the rest pose, where no skin says another place. */
  bindTransforms(skeleton: number): Transform[] {
    return this.#joints.nodes.map((node) => this.#bind(skeleton, node));
  }

  #bind(skeleton: number, node: number): Transform {
    const inverse = this.#skeletons[skeleton].get(node);
    if (inverse) return invert(inverse, new Float64Array(12));
    const rest = this.#rest[this.#joints.indices.get(node) ?? 0];
    return isSingular(rest) ? identityTransform() : rest;
  }

  #place({ skins }: FileScene, skin: number): UsdBind {
    const { joints, inverseBinds } = skins[skin];
    const own = new Map<number, Transform>();
    joints.forEach((joint, j) => {
      const inverse = inverseBinds[j].map((value) => value * this.#joints.factors[joint]);
      if (!isSingular(inverse)) own.set(joint, inverse);
    });
    for (const [skeleton, known] of this.#skeletons.entries()) {
      const geometry = differenceOf(known, own);
      if (!geometry) continue;
      const back = invert(geometry, new Float64Array(12));
      for (const [joint, inverse] of own) {
        if (!known.has(joint)) known.set(joint, multiply(inverse, back, new Float64Array(12)));
      }
      return { skeleton, geometry };
    }
    this.#skeletons.push(own);
    return { skeleton: this.#skeletons.length - 1, geometry: identityTransform() };
  }
}

/** The transform by which all joints that two skins share are bound apart; `undefined` where there is no such one. */
function differenceOf(
  known: ReadonlyMap<number, Transform>,
  own: ReadonlyMap<number, Transform>,
): Transform | undefined {
  let difference: Transform | undefined;
  for (const [joint, inverse] of own) {
    const other = known.get(joint);
    if (!other) continue;
    difference ??= multiply(invert(other, new Float64Array(12)), inverse, new Float64Array(12));
    const expected = multiply(other, difference, new Float64Array(12));
    const size = Math.max(...inverse.map(Math.abs), Number.MIN_VALUE);
    if (inverse.some((value, k) => Math.abs(value - expected[k]) > SAME_BIND * size)) return undefined;
  }
  return difference ?? identityTransform();
}
