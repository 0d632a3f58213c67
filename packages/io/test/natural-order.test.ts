import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frameNumbers, naturalCompare } from '../src/natural-order.ts';

describe('naturalCompare', () => {
  it('orders frames as people number them', () => {
    const names = [
      'frame-10.obj',
      'frame-2.obj',
      'frame-1.obj',
      'frame-002.obj',
      'a.obj',
      'frame-2b.obj',
      'frame-.obj',
    ];
    expect(names.sort(naturalCompare)).toEqual([
      'a.obj',
      'frame-.obj',
      'frame-1.obj',
      'frame-002.obj',
      'frame-2.obj',
      'frame-2b.obj',
      'frame-10.obj',
    ]);
  });

  it('compares numbers beyond what a double holds', () => {
    expect(naturalCompare('f90071992547409931', 'f90071992547409932')).toBeLessThan(0);
  });

  it('is a total order', () => {
    const name = fc.stringMatching(/^[a.\-0129]{0,6}$/);
    fc.assert(
      fc.property(name, name, name, (a, b, c) => {
        expect(Math.sign(naturalCompare(a, b))).toBe(-Math.sign(naturalCompare(b, a)) + 0);
        expect(naturalCompare(a, b) === 0).toBe(a === b);
        if (naturalCompare(a, b) <= 0 && naturalCompare(b, c) <= 0) {
          expect(naturalCompare(a, c)).toBeLessThanOrEqual(0);
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe('frameNumbers', () => {
  it('finds the number before the extension', () => {
    expect(frameNumbers(['v2-run.0008.obj', 'v2-run.0009.obj', 'v2-run.0011.obj'])).toEqual({
      numbers: [8, 9, 11],
      step: 1,
    });
  });

  it('takes a regular stride for what it is', () => {
    expect(frameNumbers(['f2.obj', 'f4.obj', 'f6.obj', 'f10.obj'])?.step).toBe(2);
    expect(frameNumbers(['f2.obj', 'f4.obj'])?.step).toBe(1);
  });

  it.each([
    ['no number', ['a.obj', 'b.obj']],
    ['two names', ['a1.obj', 'b2.obj']],
    ['two endings', ['a1.obj', 'a2.ply']],
    ['one number twice', ['a1.obj', 'a01.obj']],
    ['a number too large', ['a90071992547409931.obj']],
    ['nothing', []],
  ])('says nothing about %s', (_, names) => {
    expect(frameNumbers(names)).toBeUndefined();
  });
});
