import { type Clip, uniformTimes } from '@pelt/model';
import { creatureScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { findLoop } from '../../src/reduce/keys/find-loop.ts';

describe('findLoop', () => {
  const { rig, clip } = creatureScene({ frames: 12, detail: 0.12 });
  const size = rig.bones.length * 12;
  const twice: Clip = {
    name: 'twice',
    times: uniformTimes(24, 30),
    transforms: Float64Array.from([...clip.transforms, ...clip.transforms]),
  };

  it('finds what is played twice, and closes it', () => {
    const loop = findLoop({ rig, clip: twice }, { tolerance: 0.01 });
    expect(loop?.period).toBe(12);
    expect(loop?.clip.times.length).toBe(13);
    expect([...(loop?.clip.transforms.subarray(12 * size) ?? [])]).toEqual([...clip.transforms.subarray(0, size)]);
  });

  it('finds none in a clip that is played once, stands still or has uneven times', () => {
    const once = {
      ...twice,
      transforms: twice.transforms.map((value, k) => (k % 12 === 3 ? value + 0.01 * Math.floor(k / size) : value)),
    };
    expect(findLoop({ rig, clip: once }, { tolerance: 0.01 })).toBeUndefined();
    const still = { ...twice, transforms: twice.transforms.map((_, k) => twice.transforms[k % size]) };
    expect(findLoop({ rig, clip: still }, { tolerance: 0.01 })).toBeUndefined();
    const uneven = { ...twice, times: twice.times.map((time, t) => (t === 5 ? time + 0.01 : time)) };
    expect(findLoop({ rig, clip: uneven }, { tolerance: 0.01 })).toBeUndefined();
  });
});
