/**
 * A rig for bones that have no skin, such as those of a capture file: a spindle from each bone to each of its children,
 * so that the pose can be seen and measured.
 */
import type { Bone, Rig } from '@pelt/model';
import type { Vector } from '../transform.ts';

/** Half the thickness of a spindle, relative to its length; and of the knob at a bone without children, to the rig. */
const SLENDER = 0.12;
const KNOB = 0.01;

export function stickRig(name: string, bones: readonly Bone[]): Rig {
  const positions: number[] = [];
  const triangles: number[] = [];
  const owners: number[] = [];
  const origins = bones.map(({ rest }): Vector => [rest[3], rest[7], rest[11]]);
  const extent = Math.max(
    ...[0, 1, 2].map((k) => Math.max(...origins.map((o) => o[k])) - Math.min(...origins.map((o) => o[k]))),
  );
  const add = (bone: number, from: Vector, to: Vector, radius: number) => {
    const first = positions.length / 3;
    const along: Vector = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
    const [u, v] = across(along);
    const belt = [u, v, u.map((value) => -value), v.map((value) => -value)];
    positions.push(...from);
    for (const direction of belt)
      positions.push(...from.map((value, k) => value + 0.2 * along[k] + radius * direction[k]));
    positions.push(...to);
    for (let k = 0; k < 4; k++) {
      const [a, b] = [first + 1 + k, first + 1 + ((k + 1) % 4)];
      triangles.push(first, b, a, first + 5, a, b);
    }
    for (let k = 0; k < 6; k++) owners.push(bone);
  };
  bones.forEach((bone, j) => {
    const length = bone.parent < 0 ? 0 : distance(origins[bone.parent], origins[j]);
    if (length > 0) add(bone.parent, origins[bone.parent], origins[j], SLENDER * length);
    if (bones.some((other) => other.parent === j)) return;
    const knob = KNOB * (extent || 1);
    add(j, origins[j], [origins[j][0], origins[j][1] + 2 * knob, origins[j][2]], knob);
  });
  return {
    name,
    mesh: { name, positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) },
    bones,
    weights: { slots: 1, bones: Uint16Array.from(owners), weights: new Float32Array(owners.length).fill(1) },
  };
}

/** Two unit vectors across a direction and each other, right-handed with it. */
function across(along: Vector): [number[], number[]] {
  const length = Math.hypot(...along);
  const [x, y, z] = along.map((value) => value / length);
  const helper = Math.abs(y) < 0.9 ? [0, 1, 0] : [1, 0, 0];
  const u = [helper[1] * z - helper[2] * y, helper[2] * x - helper[0] * z, helper[0] * y - helper[1] * x];
  const size = Math.hypot(...u);
  const unit = u.map((value) => value / size);
  return [unit, [y * unit[2] - z * unit[1], z * unit[0] - x * unit[2], x * unit[1] - y * unit[0]]];
}

function distance(a: Vector, b: Vector): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
