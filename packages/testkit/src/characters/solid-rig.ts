/**
 * A rig made of soft solids, one or more to a bone: the skin is their smooth union, or a shape of its own, and a vertex
 * follows the bones in whose solids it lies deepest.
 */
import type { Rig } from '@pelt/model';
import { boneAt } from '../scene.ts';
import { weightsBy } from '../scenes/rod-scene.ts';
import { type DistanceField, smoothUnion } from '../shapes/distance-field.ts';
import { gridLine, surfaceNets } from '../shapes/surface-nets.ts';
import type { Vector } from '../transform.ts';

export interface SolidBone {
  readonly name: string;
  /** Name of the parent, which comes before; absent for the root. */
  readonly parent?: string;
  readonly origin: Vector;
  /** What the bone carries. */
  readonly solid: DistanceField;
}

export interface SolidRigOptions {
  readonly name: string;
  readonly bones: readonly SolidBone[];
  /** The skin; absent: the union of what the bones carry. */
  readonly skin?: DistanceField;
  /** A box round the character, with room to spare. */
  readonly low: Vector;
  readonly high: Vector;
  /** Edge length of the mesh, about. */
  readonly detail: number;
  /** Radius of the fillets between solids. */
  readonly fillet: number;
  /** Thickness of the skin's transition between two bones. */
  readonly blend: number;
}

/** Shares below this are no influence. */
const LEAST_SHARE = 1e-3;

export function solidRig({ name, bones, skin, low, high, detail, fillet, blend }: SolidRigOptions): Rig {
  const [x, y, z] = [0, 1, 2].map((axis) => gridLine(low[axis], [high[axis], detail]));
  const mesh = surfaceNets(name, skin ?? smoothUnion(fillet, ...bones.map((bone) => bone.solid)), { x, y, z });
  const shares = (i: number) => {
    const at = mesh.positions.subarray(3 * i, 3 * i + 3);
    const distances = bones.map((bone) => bone.solid(at[0], at[1], at[2]));
    const least = Math.min(...distances);
    return distances.map((distance) => {
      const share = Math.exp((least - distance) / blend);
      return share < LEAST_SHARE ? 0 : share;
    });
  };
  return {
    name,
    mesh,
    bones: bones.map((bone) =>
      boneAt(
        bone.name,
        bones.findIndex((other) => other.name === bone.parent),
        bone.origin,
      ),
    ),
    weights: weightsBy(mesh.positions.length / 3, bones.length, shares),
  };
}

/** A box with rounded edges, along the axes: exact outside and on the surface. */
export function roundedBox(centre: Vector, half: Vector, radius: number): DistanceField {
  return (x, y, z) => {
    const q = [x - centre[0], y - centre[1], z - centre[2]].map((value, k) => Math.abs(value) - half[k] + radius);
    const outside = Math.sqrt(q.reduce((sum, value) => sum + Math.max(value, 0) ** 2, 0));
    return outside + Math.min(Math.max(...q), 0) - radius;
  };
}
