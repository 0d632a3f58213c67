import { describe, expect, it } from 'vitest';
import { spreadVertices } from '../../src/store/spread-vertices.ts';

const LINE = 11;

describe('spreadVertices', () => {
  it('takes the ends of a line, then its middle', () => {
    const line = Array.from({ length: LINE }, (_, i) => [i * i, 0, 0]).flat();
    expect(spreadVertices(line, 2)).toEqual([10, 0]);
    expect(spreadVertices(line, 3)[2]).toBe(7);
  });

  it('takes each vertex once, and none of those that coincide', () => {
    expect(spreadVertices([0, 0, 0, 1, 0, 0], 5).sort()).toEqual([0, 1]);
    expect(spreadVertices([2, 2, 2, 2, 2, 2], 4)).toHaveLength(1);
    expect(spreadVertices([], 3)).toEqual([]);
  });
});
