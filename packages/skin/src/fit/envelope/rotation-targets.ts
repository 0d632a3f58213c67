/**
 * What the predictors are fitted to: each triangle's gradients at the example poses, their rotations, and those
 * rotations relative to a bone as vectors ρ = log(Qᵀ R) without jumps between the poses.
 */
import { rotationLogNear } from '@pelt/math';
import type { SkinWeights } from '@pelt/model';
import { type PoseCoordinates, transposedProduct } from '../../deform/envelope/pose-coordinates.ts';
import { DeformationGradients, splitGradients } from '../../solve/deformation-gradients.ts';
import type { Examples } from './examples.ts';

export interface PoseReading {
  /** m × 9 */
  readonly rotations: Float64Array;
  /** 2m × 3 */
  readonly values: Float64Array;
  /** 2m */
  readonly versines: Float64Array;
}

export class RotationTargets {
  readonly f: number;
  readonly S: number;
  /** S of f × 9 */
  readonly gradients: readonly Float64Array[];
  /** S of f × 9 */
  readonly rotations: readonly Float64Array[];
  /** S poses as the skin reads them */
  readonly readings: readonly PoseReading[];
  readonly #relative = new Float64Array(9);
  readonly #trees = new Map<number, { order: Int32Array; parents: Int32Array }>();
  readonly #origin = new Float64Array(3);

  constructor(examples: Examples, coordinates: PoseCoordinates) {
    const { mesh, poses, shapes } = examples;
    const operator = new DeformationGradients(mesh.positions, mesh.triangles);
    this.f = operator.count;
    this.S = poses.length;
    this.gradients = shapes.map((shape) => operator.of(shape));
    const stretches = new Float64Array(9 * this.f);
    this.rotations = this.gradients.map((gradients) => {
      const rotations = new Float64Array(9 * this.f);
      splitGradients(gradients, rotations, stretches);
      return rotations;
    });
    this.readings = poses.map((pose) => {
      const { rotations, values, versines } = coordinates.read(pose);
      return { rotations: rotations.slice(), values: values.slice(), versines: versines.slice() };
    });
  }

  /**
   * Rotation vectors of triangle k relative to bone j. Each pose takes the branch nearest to the pose before it in a
   * tree of nearest poses from rest on, judged by the joints at the bone.
   *
   * @param out  S × 3; overwritten
   */
  logs(k: number, j: number, joints: readonly number[], out: Float64Array): Float64Array {
    const { order, parents } = this.#tree(j, joints);
    for (const t of order) {
      transposedProduct(this.readings[t].rotations, 9 * j, this.rotations[t], 9 * k, this.#relative);
      if (parents[t] < 0) rotationLogNear(this.#relative, 0, this.#origin, 0, out, 3 * t);
      else rotationLogNear(this.#relative, 0, out, 3 * parents[t], out, 3 * t);
    }
    return out;
  }

  #tree(j: number, joints: readonly number[]) {
    const known = this.#trees.get(j);
    if (known) return known;
    const { S, readings } = this;
    const away = (t: number, u: number) => {
      let sum = 0;
      for (const b of joints) {
        for (let k = 6 * b; k < 6 * b + 3; k++) sum += (readings[t].values[k] - (readings[u]?.values[k] ?? 0)) ** 2;
      }
      return sum;
    };
    const parents = new Int32Array(S).fill(-1);
    const distance = Float64Array.from(readings, (_, t) => away(t, -1));
    const waiting = new Set(readings.keys());
    const order: number[] = [];
    while (waiting.size > 0) {
      let next = -1;
      for (const t of waiting) if (next < 0 || distance[t] < distance[next]) next = t;
      waiting.delete(next);
      order.push(next);
      for (const t of waiting) {
        const d = away(t, next);
        if (d < distance[t]) [distance[t], parents[t]] = [d, next];
      }
    }
    const tree = { order: Int32Array.from(order), parents };
    this.#trees.set(j, tree);
    return tree;
  }
}

/** The bone that moves each triangle most, by the weights of its corners: f. */
export function dominantBones(triangles: Uint32Array, skin: SkinWeights, m: number): Int32Array {
  const shares = new Float64Array(m);
  return Int32Array.from({ length: triangles.length / 3 }, (_, k) => {
    shares.fill(0);
    for (let corner = 3 * k; corner < 3 * k + 3; corner++) {
      for (let s = triangles[corner] * skin.slots; s < (triangles[corner] + 1) * skin.slots; s++) {
        shares[skin.bones[s]] += skin.weights[s];
      }
    }
    return shares.indexOf(Math.max(...shares));
  });
}
