import { describe, expect, it } from 'vitest';
import { HandSteps } from '../../src/viewport/hand-steps.ts';

describe('HandSteps', () => {
  it('makes a step of the first change alone, and none of what was begun and left', () => {
    const steps = new HandSteps<{ readonly value: number }>();
    const [rest, bent] = [{ value: 0 }, { value: 1 }];
    steps.begin('Bend', rest);
    steps.end();
    expect(steps.undo(rest)).toBeUndefined();
    steps.begin('Bend', rest);
    expect(steps.changed()).toBe('Bend');
    expect(steps.changed()).toBeUndefined();
    expect(steps.undo(bent)).toBe(rest);
    expect(steps.redo(rest)).toBe(bent);
    expect(steps.redo(bent)).toBeUndefined();
  });

  it('forgets what could be done again as soon as something else is done', () => {
    const steps = new HandSteps<number[]>();
    steps.begin('One', [1]);
    steps.changed();
    steps.undo([2]);
    steps.begin('Two', [1, 1]);
    expect(steps.changed()).toBe('Two');
    expect(steps.redo([3])).toBeUndefined();
  });
});
