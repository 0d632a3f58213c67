import { dogCharacter } from '@pelt/testkit';
import { expect, it } from 'vitest';
import { embeddedJoints } from '../../src/jobs/embedded-joints.ts';

it('places the joints of a quadruped in a dog, those of a side with their twins', async () => {
  const { joints } = await embeddedJoints(dogCharacter(0.05).rig.mesh, 'quadruped', 1);
  const named = (name: string) => joints.findIndex((joint) => joint.name === name);
  const [left, right] = [named('FrontLeftFoot'), named('FrontRightFoot')];
  expect(joints[left].twin).toBe(right);
  expect(joints[right].twin).toBe(left);
  expect(joints[named('Hips')]).toMatchObject({ parent: -1, twin: -1 });
  expect(joints[left].at[0]).toBeGreaterThan(0);
  expect(joints[left].at[0]).toBeCloseTo(-joints[right].at[0], 2);
  for (const [j, { parent }] of joints.entries()) expect(parent).toBeLessThan(j);
});
