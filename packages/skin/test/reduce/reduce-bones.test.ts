import { openNumerics } from '@pelt/math';
import { UsageError, validateRig } from '@pelt/model';
import { afterAll, describe, expect, it } from 'vitest';
import { reduceBones } from '../../src/reduce/reduce-bones.ts';
import { denseCreature } from './dense-rig.ts';

const numerics = await openNumerics();
afterAll(() => numerics.close());

const { rig, clip } = denseCreature(2);
const m = rig.bones.length;

describe('reduceBones', () => {
  it('leaves a rig that has few enough', () => {
    const reduced = reduceBones({ rig, clips: [clip] }, { count: m, bones: 'keep' }, { numerics });
    expect(reduced.rig.bones).toEqual(rig.bones);
    expect(reduced.error.eRms).toBeLessThan(1e-2);
  });

  it('takes out a bone that another stands for', () => {
    // A copy of bone 3 that half of its vertices use.
    const doubled = {
      ...rig,
      bones: [...rig.bones, { ...rig.bones[3], name: 'copy' }],
      weights: {
        ...rig.weights,
        bones: rig.weights.bones.map((j, k) => (j === 3 && Math.floor(k / m) % 2 === 0 ? m : j)),
      },
    };
    const transforms = new Float64Array((clip.transforms.length / m) * (m + 1));
    for (let t = 0; t < clip.times.length; t++) {
      transforms.set(clip.transforms.subarray(t * m * 12, (t + 1) * m * 12), t * (m + 1) * 12);
      transforms.set(clip.transforms.subarray((t * m + 3) * 12, (t * m + 4) * 12), (t * (m + 1) + m) * 12);
    }
    const reduced = reduceBones(
      { rig: doubled, clips: [{ ...clip, transforms }] },
      { count: m, bones: 'keep' },
      { numerics },
    );
    expect(reduced.rig.bones.length).toBe(m);
    const names = reduced.rig.bones.map(({ name }) => name);
    expect(names.includes('copy')).not.toBe(names.includes(rig.bones[3].name));
    expect(reduced.error.eRms).toBeLessThan(0.2);
  });

  it('keeps a valid tree, and errs more the fewer are left', () => {
    const errors = [m - 2, Math.ceil(m / 2), 3].map((count) => {
      const reduced = reduceBones({ rig, clips: [clip] }, { count, bones: 'refit' }, { numerics });
      validateRig(reduced.rig);
      expect(reduced.rig.bones.length).toBe(count);
      return reduced.error.eRms;
    });
    expect(errors[1]).toBeGreaterThan(errors[0]);
    expect(errors[2]).toBeGreaterThan(errors[1]);
  });

  it('refuses no bones', () => {
    expect(() => reduceBones({ rig, clips: [clip] }, { count: 0, bones: 'keep' }, { numerics })).toThrow(UsageError);
  });
});
