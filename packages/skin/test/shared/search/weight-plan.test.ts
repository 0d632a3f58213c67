import { describe, expect, it } from 'vitest';
import { FRESH, roundOf, SETTLED } from '../../../src/shared/search/weight-plan.ts';

describe('roundOf', () => {
  it('goes through the opening, then through the periods in turn', () => {
    const plan = { opening: 'dd', periods: ['ws', 's'] };
    const steps = Array.from({ length: 9 }, (_, round) => roundOf(plan, round));
    expect(steps.map(({ step }) => step).join('')).toBe('ddwsswssw');
    // The opening, and each period, ends with its last round.
    expect(steps.map(({ ends }) => Number(ends)).join('')).toBe('010110110');
  });

  it('needs no opening', () => {
    expect(roundOf({ opening: '', periods: ['s'] }, 0)).toEqual({ step: 's', ends: true });
  });

  it('has plans of known steps, each period ending with swaps, after which progress can be compared', () => {
    for (const { opening, periods } of [FRESH, SETTLED]) {
      for (const part of [opening, ...periods].filter((rounds) => rounds !== '')) {
        expect(part).toMatch(/^[dws]*s$/);
      }
    }
  });
});
