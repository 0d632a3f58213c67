import type { Bone } from '@pelt/model';
import { dogCharacter, PERFORMER_JOINTS } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { PartFeatures } from '../../../src/puppet/runtime/features.ts';
import { humanoidParts } from '../../../src/puppet/runtime/humanoid-parts.ts';
import { partsOf } from '../../../src/puppet/runtime/parts.ts';

const PARTS = partsOf(PERFORMER_JOINTS, 'limbs').map((part) => new PartFeatures(part, PERFORMER_JOINTS, 'directions'));

/** Names with their parents. */
const SKELETON: [string, string][] = [
  ['Hips', ''],
  ['Spine', 'Hips'],
  ['Neck', 'Spine'],
  ['Head', 'Neck'],
  ...['Left', 'Right'].flatMap((side): [string, string][] => [
    [`${side}Shoulder`, 'Spine'],
    [`${side}Arm`, `${side}Shoulder`],
    [`${side}ForeArm`, `${side}Arm`],
    [`${side}Hand`, `${side}ForeArm`],
    [`${side}HandThumb2`, `${side}Hand`],
    [`${side}UpLeg`, 'Hips'],
    [`${side}Leg`, `${side}UpLeg`],
    [`${side}Foot`, `${side}Leg`],
  ]),
];

function bonesOf(skeleton: readonly (readonly [string, string])[]): Bone[] {
  const names = skeleton.map(([name]) => name);
  return skeleton.map(([name, parent]) => ({ name, parent: names.indexOf(parent), rest: new Float64Array(12) }));
}

describe('humanoidParts', () => {
  it('lets bones follow the limb they move, and others their parents', () => {
    const assigned = humanoidParts(bonesOf(SKELETON), PARTS, PERFORMER_JOINTS);
    const part = (name: string) => PARTS[assigned[SKELETON.findIndex(([other]) => other === name)]]?.part.name;
    expect(part('LeftArm')).toBe('leftArm');
    expect(part('LeftHandThumb2')).toBe('leftArm');
    expect(part('RightUpLeg')).toBe('rightLeg');
    expect(part('RightFoot')).toBe('rightLeg');
    expect(part('LeftShoulder')).toBe('trunk');
    expect(part('Head')).toBe('trunk');
  });

  it('leaves characters that are no humanoids to be learnt', () => {
    const { bones } = dogCharacter(0.1).rig;
    expect(new Set(humanoidParts(bones, PARTS, PERFORMER_JOINTS))).toEqual(new Set([-1]));
    expect(new Set(humanoidParts(bonesOf(SKELETON.slice(0, 9)), PARTS, PERFORMER_JOINTS))).toEqual(new Set([-1]));
  });
});
