import { describe, expect, it } from 'vitest';
import { PoseJump } from '../../../src/pose/runtime/pose-jump.ts';

describe('a jump of a pose', () => {
  it('is a blend that changes where handles hardly move', () => {
    const jump = new PoseJump(2);
    expect(jump.find(Float64Array.of(0, 0))).toBe(false);
    jump.move(0.01);
    expect(jump.find(Float64Array.of(1, 0))).toBe(true);
    // The same again is no jump.
    expect(jump.find(Float64Array.of(1, 0))).toBe(false);
  });

  it('is none where handles have moved far since, in one step or in several', () => {
    const jump = new PoseJump(2);
    for (let n = 0; n < 6; n++) jump.move(0.01);
    expect(jump.find(Float64Array.of(1, 0))).toBe(false);
    jump.move(0.01);
    expect(jump.find(Float64Array.of(0, 1))).toBe(true);
  });

  it('is none of a little change, and regards the common blend alone', () => {
    const jump = new PoseJump(2);
    expect(jump.find(Float64Array.of(0.3, 0.3, 9))).toBe(false);
  });
});
