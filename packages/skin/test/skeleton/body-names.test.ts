import { describe, expect, it } from 'vitest';
import { nameBody } from '../../src/skeleton/body-names.ts';

type Row = readonly [name: string, parent: number, joint: readonly number[], centre: readonly number[]];

/** A person in T-pose who faces +Z, as the names say. */
const PERSON: readonly Row[] = [
  ['Spine', -1, [0, 1.2, 0], [0, 1.2, 0]],
  ['Hips', 0, [0, 1.1, 0], [0, 1, 0]],
  ['LeftUpperLeg', 1, [0.1, 0.95, 0], [0.1, 0.7, 0]],
  ['LeftLowerLeg', 2, [0.1, 0.5, 0], [0.1, 0.3, 0]],
  ['LeftFoot', 3, [0.1, 0.1, 0], [0.1, 0.05, 0.08]],
  ['RightUpperLeg', 1, [-0.1, 0.95, 0], [-0.1, 0.7, 0]],
  ['RightLowerLeg', 5, [-0.1, 0.5, 0], [-0.1, 0.3, 0]],
  ['RightFoot', 6, [-0.1, 0.1, 0], [-0.1, 0.05, 0.08]],
  ['Chest', 0, [0, 1.3, 0], [0, 1.4, 0]],
  ['Neck', 8, [0, 1.5, 0], [0, 1.55, 0]],
  ['Head', 9, [0, 1.6, 0], [0, 1.7, 0]],
  ['LeftShoulder', 8, [0.05, 1.45, 0], [0.1, 1.45, 0]],
  ['LeftUpperArm', 11, [0.2, 1.45, 0], [0.32, 1.45, 0]],
  ['LeftLowerArm', 12, [0.45, 1.45, 0], [0.57, 1.45, 0]],
  ['LeftHand', 13, [0.7, 1.45, 0], [0.78, 1.45, 0]],
  ['RightUpperArm', 8, [-0.2, 1.45, 0], [-0.32, 1.45, 0]],
  ['RightLowerArm', 15, [-0.45, 1.45, 0], [-0.57, 1.45, 0]],
  ['RightHand', 16, [-0.7, 1.45, 0], [-0.78, 1.45, 0]],
  ['RightHand2', 17, [-0.72, 1.43, 0], [-0.74, 1.42, 0]],
];

function skeleton(rows: readonly Row[], turn = (point: readonly number[]) => [...point]) {
  return {
    parents: Int32Array.from(rows, ([, parent]) => parent),
    origins: Float64Array.from(rows.flatMap(([, , joint]) => turn(joint))),
    centres: Float64Array.from(rows.flatMap(([, , , centre]) => turn(centre))),
  };
}

const expected = PERSON.map(([name]) => name);

describe('bones of a person', () => {
  it('are named by anatomy, with sides', () => {
    expect(nameBody(skeleton(PERSON), 'plain')).toEqual(expected);
  });

  it('keep their sides whichever way the person faces, and wherever it stands', () => {
    for (const turn of [
      ([x, y, z]: readonly number[]) => [-x, y, -z],
      ([x, y, z]: readonly number[]) => [z, y, -x],
      ([x, y, z]: readonly number[]) => [100 * x + 7, 100 * y - 3, 100 * z + 2],
    ]) {
      expect(nameBody(skeleton(PERSON, turn), 'plain')).toEqual(expected);
    }
  });

  it('change sides in a mirror', () => {
    const mirrored = nameBody(
      skeleton(PERSON, ([x, y, z]) => [-x, y, z]),
      'plain',
    );
    expect(mirrored?.[2]).toBe('RightUpperLeg');
    expect(mirrored?.[14]).toBe('RightHand');
  });

  it('follow a convention', () => {
    expect(nameBody(skeleton(PERSON), 'vrm')?.slice(0, 4)).toEqual(['spine', 'hips', 'leftUpperLeg', 'leftLowerLeg']);
    const mixamo = nameBody(skeleton(PERSON), 'mixamo');
    expect(mixamo?.slice(0, 5)).toEqual([
      'mixamorig:Spine',
      'mixamorig:Hips',
      'mixamorig:LeftUpLeg',
      'mixamorig:LeftLeg',
      'mixamorig:LeftFoot',
    ]);
    expect(mixamo?.slice(8, 14)).toEqual([
      'mixamorig:Spine1',
      'mixamorig:Neck',
      'mixamorig:Head',
      'mixamorig:LeftShoulder',
      'mixamorig:LeftArm',
      'mixamorig:LeftForeArm',
    ]);
  });

  it('of the trunk keep their names where an arm that hardly moves hangs from the hips', () => {
    const rows = PERSON.map(
      ([name, parent, ...points]): Row => [name, name === 'RightUpperArm' ? 1 : parent, ...points],
    );
    const names = nameBody(skeleton(rows), 'plain');
    expect(names?.slice(0, 2)).toEqual(['Spine', 'Hips']);
    expect(names?.slice(8, 11)).toEqual(['Chest', 'Neck', 'Head']);
    expect(names?.slice(15, 18)).toEqual(['RightUpperArm', 'RightLowerArm', 'RightHand']);
  });

  it('may have toes that fork from the foot', () => {
    const toes: Row[] = [4, 7].map((foot, k) => ['', foot, [0.1 - 0.2 * k, 0.05, 0.1], [0.12 - 0.24 * k, 0.03, 0.15]]);
    expect(nameBody(skeleton([...PERSON, ...toes, ['', 4, [0.1, 0.05, 0], [0.1, 0.02, -0.03]]]), 'plain')?.[1]).toBe(
      'Hips',
    );
  });

  it('are never two of one name', () => {
    const names = nameBody(skeleton([...PERSON, ['x', 17, [-0.72, 1.4, 0], [-0.73, 1.4, 0]]]), 'plain');
    expect(new Set(names).size).toBe(20);
  });
});

describe('what is not a person', () => {
  it('a chain, a single bone, an animal on four legs', () => {
    const chain: Row[] = [0, 1, 2].map((k) => ['', k - 1, [0, k, 0], [0, k + 0.5, 0]]);
    expect(nameBody(skeleton(chain), 'plain')).toBeUndefined();
    expect(nameBody(skeleton([['', -1, [0, 0, 0], [0, 0, 0]]]), 'plain')).toBeUndefined();
    const corners = [1, -1].flatMap((x) => [1, -1].map((z) => [x, z]));
    const animal: Row[] = [
      ['', -1, [0, 1, 0], [0, 1, 0]],
      ['', 0, [0, 1.2, 1], [0, 1.5, 1.4]],
      ...corners.flatMap(([x, z], k): Row[] => [
        ['', 0, [0.2 * x, 1, z], [0.2 * x, 0.7, z]],
        ['', 2 + 2 * k, [0.2 * x, 0.5, z], [0.2 * x, 0.2, z]],
      ]),
    ];
    expect(nameBody(skeleton(animal), 'plain')).toBeUndefined();
  });

  it('an animal on four legs with ears of two bones each', () => {
    const corners = [1, -1].flatMap((x) => [1, -1].map((z) => [x, z]));
    const cat: Row[] = [
      ['', -1, [0, 1, 0], [0, 1, 0]],
      ['', 0, [0, 1.2, 1], [0, 1.4, 1.3]],
      ['', 1, [0, 1.5, 1.4], [0, 1.55, 1.5]],
      ...corners.flatMap(([x, z], k): Row[] => [
        ['', 0, [0.2 * x, 1, z], [0.2 * x, 0.7, z]],
        ['', 3 + 2 * k, [0.2 * x, 0.5, z], [0.2 * x, 0.2, z]],
      ]),
      ...[1, -1].flatMap((x, k): Row[] => [
        ['', 1, [0.08 * x, 1.5, 1.3], [0.1 * x, 1.52, 1.3]],
        ['', 11 + 2 * k, [0.11 * x, 1.54, 1.3], [0.12 * x, 1.56, 1.3]],
      ]),
    ];
    expect(nameBody(skeleton(cat), 'plain')).toBeUndefined();
  });
});
