import { readFileSync } from 'node:fs';
import { readGltf, readRig } from '@pelt/io';
import { type Bone, InputError } from '@pelt/model';
import { barCharacter, dogCharacter, octopusCharacter, PERFORMER_BONES, realData } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { recogniseHumanoid } from '../../../../src/puppet/runtime/humanoid/humanoid.ts';

const anonymous = (bones: readonly Bone[]) => bones.map((bone, j) => ({ ...bone, name: `joint ${j}` }));
/** Turned about +Y by a half: it faces −Z. */
const turned = (bones: readonly Bone[]) =>
  bones.map(({ rest, ...bone }) => {
    const [x, y, z] = [rest[3], rest[7], rest[11]];
    return { ...bone, rest: Float64Array.of(1, 0, 0, -x, 0, 1, 0, y, 0, 0, 1, -z) };
  });

describe('recogniseHumanoid', () => {
  const named = recogniseHumanoid(PERFORMER_BONES, 'performer');

  it('finds a body by names, and what lies between by the tree', () => {
    expect(named.by).toBe('names');
    expect(named.missing).toEqual([]);
    expect(named.bones).toMatchObject({
      hips: 'hips',
      spine: 'spine',
      spine1: 'chest',
      neck: 'neck',
      leftKnee: 'leftKnee',
    });
  });

  it.each([
    ['facing +Z', PERFORMER_BONES],
    ['facing −Z', turned(PERFORMER_BONES)],
  ])('finds the same body by its shape, %s', (_, bones) => {
    const { by, bones: places, ...shaped } = recogniseHumanoid(anonymous(bones), 'performer');
    expect(by).toBe('shape');
    expect(Object.keys(places).sort()).toEqual(Object.keys(named.bones).sort());
    const { by: _by, bones: _bones, ...expected } = named;
    expect(shaped).toEqual(expected);
  });

  it('says what is missing', () => {
    const gone = new Set(['leftWrist', 'leftHand', 'head']);
    const kept = PERFORMER_BONES.flatMap((bone, j) => (gone.has(bone.name) ? [] : [j]));
    const bones = kept.map((j) => ({ ...PERFORMER_BONES[j], parent: kept.indexOf(PERFORMER_BONES[j].parent) }));
    expect(recogniseHumanoid(bones, 'x').missing).toEqual(['head', 'leftWrist']);
  });

  it.each([
    ['a dog', dogCharacter(0.1).rig.bones, '4 limbs reach the ground'],
    ['an octopus', octopusCharacter(0.1).rig.bones, 'reach the ground'],
    ['a bar', barCharacter().rig.bones, 'no bone has two legs'],
    ['a point', [PERFORMER_BONES[0]], 'it has no height'],
  ])('refuses %s, in one line', (_, bones, reason) => {
    const run = () => recogniseHumanoid(bones, 'it');
    expect(run).toThrow(InputError);
    expect(run).toThrow(reason);
    expect(run).toThrow('give pairs of poses instead');
  });

  for (const [file, by, left] of [
    ['Soldier', 'names', 'mixamorig:LeftUpLeg'],
    ['RobotExpressive', 'names', 'UpperLeg.L'],
    ['CesiumMan', 'shape', 'leg_joint_L_1'],
    ['RiggedFigure', 'shape', 'leg_joint_L_1'],
    ['BrainStem', 'shape', 'joint-4'],
  ] as const) {
    const path = realData(`gltf/${file}.glb`);
    it.skipIf(!path)(`knows ${file} by ${by} (needs the measured data)`, async () => {
      const { rig } = readRig(await readGltf(readFileSync(path as string), { name: file }));
      const humanoid = recogniseHumanoid(rig.bones, file);
      expect(humanoid.by).toBe(by);
      expect(humanoid.bones.leftHip).toBe(left);
    });
  }

  const fox = realData('gltf/Fox.glb');
  it.skipIf(!fox)('is not taken in by a fox with arms and hands (needs the measured data)', async () => {
    const { rig } = readRig(await readGltf(readFileSync(fox as string), { name: 'Fox' }));
    expect(() => recogniseHumanoid(rig.bones, 'Fox')).toThrow('it stands on its arms');
  });
});
