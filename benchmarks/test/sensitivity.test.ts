import { FIT_PLAN, REDUCE_PLAN, SKELETON_PLAN } from '@pelt/skin';
import { describe, expect, it } from 'vitest';
import { doubled, halved, shown } from '../tasks/sensitivity/changed-numbers.mjs';
import { SUBJECTS } from '../tasks/sensitivity/subjects.mjs';

describe('numbers of a search', () => {
  it('stay whole, and factors just above 1 change by their excess', () => {
    expect([halved(5), doubled(5)]).toEqual([2, 10]);
    expect([halved(0.25), doubled(0.25)]).toEqual([0.125, 0.5]);
    expect(halved(1.5)).toBe(1.25);
    expect(doubled(1.07)).toBeCloseTo(1.14);
    expect(doubled([4, 16])).toEqual([8, 32]);
    expect([shown([4, 16]), shown(1 / 3)]).toEqual(['4+16', '0.3333']);
  });

  it.each([
    { name: 'fits', plan: FIT_PLAN },
    { name: 'skeletons', plan: SKELETON_PLAN },
    { name: 'reductions', plan: REDUCE_PLAN },
  ])('of $name are all changed on some data, and no others', ({ plan }) => {
    const changed = SUBJECTS.filter((subject) => subject.plan === plan).flatMap(({ numbers }) => numbers);
    expect([...new Set(changed)].sort()).toEqual(Object.keys(plan).sort());
  });
});
