import { describe, expect, it } from 'vitest';
import { handsBySide } from '../../src/jobs/tracker/hands-by-side.ts';

const wrists = { left: { x: 0.7, y: 0.5 }, right: { x: 0.3, y: 0.5 } };

describe('handsBySide', () => {
  it('gives hands to the wrists next to them, and none to a wrist far away', () => {
    expect(
      handsBySide(
        [
          { x: 0.31, y: 0.5 },
          { x: 0.68, y: 0.52 },
        ],
        wrists,
      ),
    ).toEqual({ left: 1, right: 0 });
    expect(handsBySide([{ x: 0.31, y: 0.5 }], wrists)).toEqual({ left: undefined, right: 0 });
    expect(handsBySide([{ x: 0.5, y: 0.1 }], wrists)).toEqual({ left: undefined, right: undefined });
    expect(handsBySide([], wrists)).toEqual({ left: undefined, right: undefined });
  });

  it('gives a hand to one wrist alone', () => {
    const near = { left: { x: 0.5, y: 0.5 }, right: { x: 0.52, y: 0.5 } };
    expect(
      handsBySide(
        [
          { x: 0.51, y: 0.5 },
          { x: 0.53, y: 0.5 },
        ],
        near,
      ),
    ).toEqual({ left: 0, right: 1 });
    expect(handsBySide([{ x: 0.515, y: 0.5 }], near)).toEqual({ left: undefined, right: 0 });
  });
});
