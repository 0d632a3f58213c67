import { describe, expect, it } from 'vitest';
import { mirroredExpression, mirroredName, randomExpression, sliderGroups, withValue } from '../../src/store/face.ts';

const NAMES = ['mouthSmile_L', 'mouthSmile_R', 'jawOpen', 'browUpLeft', 'browUpRight', 'wrinkle'];

describe('sliders by name', () => {
  it('are grouped from the brows down, with what is left at the end', () => {
    expect(sliderGroups(NAMES).map(([group, names]) => [group, names.length])).toEqual([
      ['brow', 2],
      ['jaw', 1],
      ['mouth', 2],
      ['other', 1],
    ]);
    expect(sliderGroups([])).toEqual([]);
  });

  it('have a twin where the face has one, however sides are written', () => {
    expect(mirroredName('mouthSmile_L', NAMES)).toBe('mouthSmile_R');
    expect(mirroredName('browUpRight', NAMES)).toBe('browUpLeft');
    expect(mirroredName('jawOpen', NAMES)).toBe('jawOpen');
    const once = mirroredExpression({ mouthSmile_L: 0.5, jawOpen: 1 }, NAMES);
    expect(once).toEqual({ mouthSmile_R: 0.5, jawOpen: 1 });
    expect(mirroredExpression(once, NAMES)).toEqual({ mouthSmile_L: 0.5, jawOpen: 1 });
  });

  it('that are at 0 are not kept', () => {
    expect(withValue({ jawOpen: 1 }, 'jawOpen', 0)).toEqual({});
    expect(withValue({}, 'jawOpen', 0.3)).toEqual({ jawOpen: 0.3 });
  });
});

describe('randomExpression', () => {
  it('depends on the seed alone, and stays between 0 and 1', () => {
    expect(randomExpression(NAMES, 4)).toEqual(randomExpression(NAMES, 4));
    const seen = Array.from({ length: 40 }, (_, seed) => randomExpression(NAMES, seed));
    expect(new Set(seen.map((values) => JSON.stringify(values))).size).toBeGreaterThan(30);
    for (const values of seen) {
      expect(Object.keys(values).length).toBeGreaterThan(0);
      for (const value of Object.values(values)) expect(value > 0 && value <= 1).toBe(true);
    }
    expect(randomExpression([], 1)).toEqual({});
  });
});
