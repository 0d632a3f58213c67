import { Random } from '@pelt/math';
import { type Clip, UsageError } from '@pelt/model';
import { creatureScene, PERFORMER_JOINTS, performerPose } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { cleanClip, measureTake, mirrorMotion } from '../../../src/puppet/index.ts';
import { smoothCurves } from '../../../src/puppet/take/smooth-curves.ts';

const { rig, clip } = creatureScene({ frames: 40, detail: 0.1 });
const still: Clip = {
  ...clip,
  transforms: Float64Array.from(clip.transforms, (_, k) => clip.transforms[k % (12 * rig.bones.length)]),
};

/** The clip with joints that tremble: each bone is moved by a little. */
function trembling(amount: number): Clip {
  const random = new Random(4);
  const transforms = clip.transforms.slice();
  for (let k = 3; k < transforms.length; k += 4) transforms[k] += amount * random.normal();
  return { ...clip, transforms };
}

describe('smoothCurves', () => {
  it('keeps parabolas at any times, and less of noise', () => {
    const times = Float64Array.from({ length: 30 }, (_, t) => t / 30 + (t % 3) * 0.004);
    const parabola = times.map((time) => 3 * time * time - time + 2);
    smoothCurves(times, parabola, 0.06).forEach((value, t) => {
      expect(value).toBeCloseTo(parabola[t], 8);
    });
    const random = new Random(9);
    const noise = times.map(() => random.normal());
    const rms = (values: Float64Array) => Math.hypot(...values);
    expect(rms(smoothCurves(times, noise, 0.1))).toBeLessThan(0.8 * rms(noise));
  });

  it('leaves what is too short', () => {
    expect([...smoothCurves(Float64Array.of(0, 0.1), Float64Array.of(1, 5), 0.05)]).toEqual([1, 5]);
  });
});

describe('cleanClip', () => {
  it('gives back a clip that nothing is done to', () => {
    const { clip: same } = cleanClip({ character: rig, clip }, { jitter: 0, feet: false });
    expect(same.transforms).toEqual(clip.transforms);
  });

  it('takes most of a tremor away, near to where it trembles about', () => {
    const noisy = trembling(0.01);
    const { clip: cleaned } = cleanClip({ character: rig, clip: noisy }, { jitter: 0.06, feet: false });
    const [before, after] = [noisy, cleaned].map((take) => measureTake({ character: rig, clip: take }).jitter);
    expect(after).toBeLessThan(0.5 * before);
    const far = (take: Clip) => Math.hypot(...take.transforms.map((value, k) => value - clip.transforms[k]));
    expect(far(cleaned)).toBeLessThan(far(noisy));
  });

  it('closes the part that repeats', () => {
    const { clip: loop, loop: seconds } = cleanClip({ character: rig, clip }, { jitter: 0, feet: false, loop: true });
    const size = 12 * rig.bones.length;
    const [first, last] = [loop.transforms.subarray(0, size), loop.transforms.subarray(-size)];
    expect(seconds).toBeDefined();
    for (let j = 0; j < rig.bones.length; j++) {
      for (let k = 0; k < 12; k++) if (k % 4 !== 3) expect(last[12 * j + k]).toBeCloseTo(first[12 * j + k], 6);
    }
    expect(loop.times[0]).toBe(0);
  });

  it('manages one frame, and refuses a width that makes no sense', () => {
    const one = { ...clip, times: clip.times.slice(0, 1), transforms: clip.transforms.slice(0, 12 * rig.bones.length) };
    expect(cleanClip({ character: rig, clip: one }, { loop: true }).loop).toBeUndefined();
    expect(() => cleanClip({ character: rig, clip }, { jitter: -1 })).toThrow(UsageError);
    expect(() => cleanClip({ character: rig, clip }, { jitter: Number.NaN })).toThrow(UsageError);
  });
});

describe('measureTake', () => {
  it('finds nothing in a take that is still', () => {
    const { jitter } = measureTake({ character: rig, clip: still });
    expect(jitter).toBeLessThan(1e-9);
  });

  it('grows with the tremor, in proportion', () => {
    const jitterOf = (amount: number) => {
      const random = new Random(4);
      const transforms = still.transforms.slice();
      for (let k = 3; k < transforms.length; k += 4) transforms[k] += amount * random.normal();
      return measureTake({ character: rig, clip: { ...still, transforms } }).jitter;
    };
    expect(jitterOf(0.02) / jitterOf(0.01)).toBeCloseTo(2, 1);
  });
});

describe('mirrorMotion', () => {
  const motion = {
    name: 'made',
    joints: PERFORMER_JOINTS,
    times: Float64Array.of(0),
    positions: performerPose({ leftShoulder: { degrees: [0, 0, 70] } }),
    confidence: new Float32Array(PERFORMER_JOINTS.length).fill(1),
  };

  it('is itself twice', () => {
    const twice = mirrorMotion(mirrorMotion(motion));
    expect(twice.joints).toEqual(motion.joints);
    expect(twice.positions).toEqual(motion.positions);
  });

  it('changes the sides of all names, and leaves lone ones', () => {
    const names = ['hips', 'LeftArm', 'RightArm', 'hand_l', 'hand_r', 'LThumb', 'RThumb', 'leftEar'];
    const made = { ...motion, joints: names, positions: new Float32Array(24), confidence: new Float32Array(8).fill(1) };
    expect(mirrorMotion(made).joints).toEqual([
      'hips',
      'RightArm',
      'LeftArm',
      'hand_r',
      'hand_l',
      'RThumb',
      'LThumb',
      'leftEar',
    ]);
  });
});
