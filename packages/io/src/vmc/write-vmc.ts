/**
 * VMC out: a character's pose as the bones that receivers know, relative to their parents, as in a skeleton whose bones have
 * the model's axes at rest.
 */
import { linearPart, multiplyTransposed3, quaternionFromRotation } from '@pelt/math';
import type { Bone } from '@pelt/model';
import type { OscMessage } from './osc.ts';
import { VMC_BONES, vmcBoneOf } from './vmc-bones.ts';

/** Bones of a character by the names of VMC, with the one above that has a name as well. */
export interface VmcSkeleton {
  readonly name: string;
  readonly bone: number;
  readonly parent: number;
}

/**
 * The bones of a character that VMC has names for.
 *
 * @param human  bones by the human bones of VRM (`leftUpperArm`)
 * @example
 * {@includeCode ../../examples/vmc.ts}
 */
export function vmcSkeleton(human: Readonly<Record<string, number>>): VmcSkeleton[] {
  const places = new Set(Object.keys(human));
  const found = new Map(
    Object.entries(human).flatMap(([place, bone]) => {
      const name = vmcBoneOf(place, places);
      return name === undefined ? [] : [[name, bone] as const];
    }),
  );
  return [...VMC_BONES].flatMap(([name, above]) => {
    const bone = found.get(name);
    if (bone === undefined) return [];
    let parent = above;
    while (parent !== '' && !found.has(parent)) parent = VMC_BONES.get(parent) ?? '';
    return [{ name, bone, parent: parent === '' ? -1 : (found.get(parent) as number) }];
  });
}

/**
 * The messages of one frame.
 *
 * @param bones       m
 * @param skeleton    which of them are sent
 * @param transforms  m × 12, rest → pose, rotations and translations
 * @param seconds     since the sender began
 * @param sliders     0 to 1 by name
 * @example
 * {@includeCode ../../examples/vmc.ts}
 */
export function vmcMessages(
  bones: readonly Bone[],
  skeleton: readonly VmcSkeleton[],
  transforms: Float64Array,
  seconds: number,
  sliders: Readonly<Record<string, number>> = {},
): OscMessage[] {
  const rotation = (j: number) => {
    const R = new Float64Array(9);
    linearPart(transforms, 12 * j, R, 0);
    return R;
  };
  const local = new Float64Array(9);
  const q = new Float64Array(4);
  const poses = skeleton.map(({ name, bone, parent }): OscMessage => {
    const own = rotation(bone);
    if (parent < 0) local.set(own);
    else multiplyTransposed3(rotation(parent), 0, own, 0, local, 0);
    quaternionFromRotation(local, 0, q, 0);
    const at = parent < 0 ? posedOrigin(bones[bone], transforms, bone) : offset(bones[bone], bones[parent]);
    return { address: '/VMC/Ext/Bone/Pos', args: [name, -at[0], at[1], at[2], q[0], -q[1], -q[2], q[3]] };
  });
  const values = Object.entries(sliders).map(([name, value]) => ({
    address: '/VMC/Ext/Blend/Val',
    args: [name, value],
  }));
  return [
    { address: '/VMC/Ext/OK', args: [1n] },
    { address: '/VMC/Ext/T', args: [seconds] },
    { address: '/VMC/Ext/Root/Pos', args: ['root', 0, 0, 0, 0, 0, 0, 1] },
    ...poses,
    ...values,
    ...(values.length > 0 ? [{ address: '/VMC/Ext/Blend/Apply', args: [] }] : []),
  ];
}

function offset({ rest }: Bone, { rest: above }: Bone): number[] {
  return [3, 7, 11].map((k) => rest[k] - above[k]);
}

function posedOrigin({ rest }: Bone, transforms: Float64Array, j: number): number[] {
  return [0, 4, 8].map((row) => {
    const at = 12 * j + row;
    return transforms[at] * rest[3] + transforms[at + 1] * rest[7] + transforms[at + 2] * rest[11] + transforms[at + 3];
  });
}
