/**
 * What a puppet needs to know of its character's body: where the ground is, how tall it stands, which points touch the
 * ground, what each bone carries. All from the rest mesh and its weights.
 */
import { type Rig, UsageError, vertexCount } from '@pelt/model';
import type { ContactPoint } from './contacts.ts';

/** Vertices this near to the ground, relative to the height, touch it. */
const TOUCHING = 0.02;

export class CharacterShape {
  readonly #rig: Rig;
  /** n; the bone with the largest weight */
  readonly #owner: Int32Array;
  /** Lowest vertex. */
  readonly floor: number;
  /** From the lowest to the highest vertex; for a flat character its widest extent. */
  readonly height: number;

  constructor(rig: Rig) {
    this.#rig = rig;
    const { positions } = rig.mesh;
    const low = [0, 1, 2].map(() => Number.POSITIVE_INFINITY);
    const high = low.map((value) => -value);
    for (let k = 0; k < positions.length; k++) {
      low[k % 3] = Math.min(low[k % 3], positions[k]);
      high[k % 3] = Math.max(high[k % 3], positions[k]);
    }
    const extents = high.map((value, k) => value - low[k]);
    const widest = Math.max(...extents);
    this.floor = positions.length > 0 ? low[1] : 0;
    this.height = extents[1] > TOUCHING * widest ? extents[1] : widest > 0 ? widest : 1;

    const { slots, bones, weights } = rig.weights;
    this.#owner = new Int32Array(vertexCount(rig.mesh));
    for (let i = 0; i < this.#owner.length; i++) {
      let best = i * slots;
      for (let s = best + 1; s < (i + 1) * slots; s++) if (weights[s] > weights[best]) best = s;
      this.#owner[i] = bones[best];
    }
  }

  /** Where the first root sits at rest. */
  pivot(): Float64Array {
    const { rest } = this.#rig.bones[0];
    return Float64Array.of(rest[3], rest[7], rest[11]);
  }

  /** @param wanted  names of bones, or `auto`: the bones that carry vertices on the ground */
  contactPoints(wanted: 'auto' | readonly string[]): ContactPoint[] {
    const { positions } = this.#rig.mesh;
    const bones = wanted === 'auto' ? [...this.#rig.bones.keys()] : wanted.map((name) => boneIndex(this.#rig, name));
    return bones.flatMap((bone): ContactPoint[] => {
      const sum = [0, 0, 0];
      let count = 0;
      let lowest = Number.POSITIVE_INFINITY;
      for (let i = 0; i < this.#owner.length; i++) {
        if (this.#owner[i] === bone) lowest = Math.min(lowest, positions[3 * i + 1]);
      }
      if (wanted === 'auto' && lowest > this.floor + TOUCHING * this.height) return [];
      for (let i = 0; i < this.#owner.length; i++) {
        if (this.#owner[i] !== bone || positions[3 * i + 1] > lowest + TOUCHING * this.height) continue;
        for (let k = 0; k < 3; k++) sum[k] += positions[3 * i + k];
        count++;
      }
      if (count === 0) {
        const { rest } = this.#rig.bones[bone];
        return [{ bone, point: [rest[3], rest[7], rest[11]] }];
      }
      return [{ bone, point: [sum[0] / count, sum[1] / count, sum[2] / count] }];
    });
  }

  /** The named bones and all below them, rising. */
  looseBones(names: readonly string[]): number[] {
    const { bones } = this.#rig;
    const named = new Set(names.map((name) => boneIndex(this.#rig, name)));
    bones.forEach((bone, j) => {
      if (named.has(bone.parent)) named.add(j);
    });
    return [...named].sort((a, b) => a - b);
  }

  /** 3 numbers a bone: the middle of the vertices it carries; where it carries none, of its children's joints. */
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

function boneIndex(rig: Rig, name: string): number {
  const index = rig.bones.findIndex((bone) => bone.name === name);
  if (index >= 0) return index;
  const names = rig.bones.map((bone) => bone.name);
  throw new UsageError(
    `puppet: '${rig.name}' has no bone '${name}'; it has ${names.slice(0, 40).join(', ')}${names.length > 40 ? ' …' : ''}`,
  );
}
