import {
  characterOf,
  dogCharacter,
  flourSackCharacter,
  PERFORMER_BONES,
  PERFORMER_JOINTS,
  PERFORMER_POSES,
  performerPose,
  stickRig,
} from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import type { PuppetOptions } from '../../../src/puppet/options.ts';
import { createPuppet, type Puppet } from '../../../src/puppet/runtime/puppet.ts';

/**
 * Bytes an update that the engine may use for boxed numbers, 16 each: those that go to and come from functions it does
 * not inline, foremost the portable `sin`, `cos` and `exp`. 750 to 1450 were seen. A typed array for every joint or bone,
 * or an array of a pose's size, takes more.
 */
const BOXED_NUMBERS = 2048;

const FRAMES = Array.from({ length: 64 }, (_, t) =>
  performerPose(
    {
      leftShoulder: { degrees: [60 * Math.sin(t / 5), 0, 40] },
      rightHip: { degrees: [30 * Math.sin(t / 7), 0, 0] },
      spine: { degrees: [20 * Math.sin(t / 9), 0, 0] },
    },
    { at: [0, 0, t / 30] },
  ),
);

/** Bytes that an update leaves behind, after the compiler has seen enough of them. */
function bytesPerUpdate(character: ReturnType<typeof dogCharacter>, options: Partial<PuppetOptions>): number {
  const puppet = createPuppet(
    { character: character.rig, pairs: character.registration, performer: PERFORMER_JOINTS },
    {
      loose: character.loose,
      ...options,
    },
  );
  return bytesOf(puppet);
}

function bytesOf(puppet: Puppet): number {
  let time = 0;
  const run = (updates: number) => {
    for (let k = 0; k < updates; k++) {
      time += 1 / 60;
      puppet.update(FRAMES[k % 64], time);
    }
  };
  run(10_000);
  // Short rounds, so that some are without a collection even where boxed numbers fill the young generation quickly.
  const rounds = 60;
  const updates = 400;
  let least = Number.POSITIVE_INFINITY;
  // The least of several rounds: a collection in between makes a round look better, other work only worse.
  for (let round = 0; round < rounds; round++) {
    const before = process.memoryUsage().heapUsed;
    run(updates);
    const grown = process.memoryUsage().heapUsed - before;
    if (grown >= 0) least = Math.min(least, grown / updates);
  }
  return least;
}

describe('update', () => {
  it.each([
    // Four legs of inverse kinematics, with a dozen elementary functions each: 2400 to 2750 bytes were seen.
    ['l1, kinematic, contacts, springs', { contacts: 'auto' }, 1.75],
    ['parts', { parts: 'limbs' }, 1],
    ['positive, linear', { projection: 'positive', interpolation: 'linear' }, 1],
    ['linear', { projection: 'linear' }, 1],
  ] as const)('allocates nothing: %s', (_, options, share) => {
    expect(bytesPerUpdate(dogCharacter(0.1), options)).toBeLessThan(share * BOXED_NUMBERS);
  });

  it.each([
    ['directly', false],
    ['with style', true],
  ])('allocates nothing for a humanoid, %s', (_, styled) => {
    const rig = stickRig('performer', PERFORMER_BONES);
    const poses = [PERFORMER_POSES.stand, PERFORMER_POSES.armsUp, PERFORMER_POSES.leftStep];
    const { registration } = characterOf(
      rig,
      poses.map((pose, k) => [`${k}`, pose, { ...pose, head: { degrees: [10 * k, 0, 0] } }]),
    );
    const pairs = styled ? registration : undefined;
    const puppet = createPuppet({ character: rig, pairs, performer: PERFORMER_JOINTS, neutral: performerPose() });
    expect(puppet.humanoid).toBeDefined();
    expect(bytesOf(puppet)).toBeLessThan(1.75 * BOXED_NUMBERS);
  });

  it('allocates nothing for bones that stretch', () => {
    expect(bytesPerUpdate(flourSackCharacter(0.1), {})).toBeLessThan(BOXED_NUMBERS);
  });
});
