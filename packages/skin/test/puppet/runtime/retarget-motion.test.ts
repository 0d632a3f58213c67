import { CancelledError, type Motion, UsageError, validateClip } from '@pelt/model';
import { barCharacter, PERFORMER_JOINTS, PERFORMER_POSES, performerPose } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { createPuppet } from '../../../src/puppet/runtime/puppet.ts';
import { retargetMotion } from '../../../src/puppet/runtime/retarget-motion.ts';
import { expectClose } from '../expect-close.ts';

const { rig, registration } = barCharacter();
const STILL = { delay: 0, travel: 0, turn: false } as const;

/** From arms straight to arms front and on, in so many frames at a rate. */
function motionAt(rate: number, frames: number): Motion {
  const poses = Array.from({ length: frames }, (_, t) =>
    performerPose(t % 2 === 0 ? PERFORMER_POSES.armsStraight : PERFORMER_POSES.armsFront),
  );
  return {
    name: 'm',
    joints: PERFORMER_JOINTS,
    positions: Float32Array.from(poses.flatMap((pose) => [...pose])),
    confidence: new Float32Array(frames * PERFORMER_JOINTS.length).fill(1),
    times: Float64Array.from(poses, (_, t) => t / rate),
  };
}

describe('perform', () => {
  it('plays every frame of a slow motion, exactly where it was registered', () => {
    const puppet = createPuppet({ character: rig, pairs: registration, performer: PERFORMER_JOINTS }, STILL);
    const clip = retargetMotion({ puppet, motion: motionAt(30, 4) }, { name: 'squeeze' });
    validateClip(clip, rig.bones.length);
    expect(clip.name).toBe('squeeze');
    expect([...clip.times]).toEqual([0, 1 / 30, 2 / 30, 0.1]);
    for (const t of [0, 1, 2, 3]) {
      const size = rig.bones.length * 12;
      expectClose(
        clip.transforms.subarray(t * size, (t + 1) * size),
        registration.pairs[t % 2].character.transforms,
        1e-6,
      );
    }
  });

  it('keeps no more frames a second than it is asked for', () => {
    const puppet = createPuppet({ character: rig, pairs: registration, performer: PERFORMER_JOINTS }, STILL);
    const clip = retargetMotion({ puppet, motion: motionAt(120, 121) }, { fps: 30 });
    expect(clip.times).toHaveLength(31);
    clip.times.forEach((time, k) => {
      expect(time).toBeCloseTo(k / 30, 9);
    });
    // A rate that does not divide: the nearest frames, each once.
    const uneven = retargetMotion({ puppet, motion: motionAt(50, 51) }, { fps: 30 });
    validateClip(uneven, rig.bones.length);
    expect(uneven.times).toHaveLength(31);
  });

  it('gives the same twice, tells how far it is, and can be stopped', () => {
    const puppet = createPuppet({ character: rig, pairs: registration, performer: PERFORMER_JOINTS });
    const fractions: number[] = [];
    const first = retargetMotion(
      { puppet, motion: motionAt(30, 600) },
      {},
      { onProgress: ({ fraction }) => fractions.push(fraction) },
    );
    expect(retargetMotion({ puppet, motion: motionAt(30, 600) }).transforms).toEqual(first.transforms);
    expect(fractions[0]).toBe(0);
    expect(fractions.at(-1)).toBe(1);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(() => retargetMotion({ puppet, motion: motionAt(30, 3) }, {}, { signal: { aborted: true } })).toThrow(
      CancelledError,
    );
    expect(() => retargetMotion({ puppet, motion: motionAt(30, 3) }, { fps: 0 })).toThrow(UsageError);
  });
});
