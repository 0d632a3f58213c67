import { describe, expect, it } from 'vitest';
import { Random } from '../../src/index.ts';
import { DegreeLists } from '../../src/sparse/degree-lists.ts';

describe('degree lists', () => {
  it('give the lowest degree first, the last inserted of equals', () => {
    const random = new Random(1);
    const lists = new DegreeLists(50);
    // In the order of insertion.
    let waiting: { vertex: number; degree: number }[] = [];
    const taken: number[] = [];
    const expected: number[] = [];
    for (let step = 0; step < 3000; step++) {
      const vertex = random.integer(50);
      const known = waiting.find((entry) => entry.vertex === vertex);
      if (!known) {
        const degree = random.integer(50);
        lists.insert(vertex, degree);
        waiting.push({ vertex, degree });
      } else if (random.integer(3) > 0) {
        lists.remove(vertex, known.degree);
        waiting = waiting.filter((entry) => entry !== known);
      } else {
        const lowest = Math.min(...waiting.map((entry) => entry.degree));
        const last = waiting.findLast((entry) => entry.degree === lowest)!;
        waiting = waiting.filter((entry) => entry !== last);
        expected.push(last.vertex);
        taken.push(lists.takeLowest());
      }
    }
    expect(taken.length).toBeGreaterThan(200);
    expect(taken).toEqual(expected);
  });
});
