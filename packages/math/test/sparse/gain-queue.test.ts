import { describe, expect, it } from 'vitest';
import { Random } from '../../src/index.ts';
import { GainQueue } from '../../src/sparse/gain-queue.ts';

describe('gain queue', () => {
  it('gives the largest gain first, among equals the smallest vertex, after any changes', () => {
    const random = new Random(1);
    const queue = new GainQueue(100);
    const gains = new Map<number, number>();
    let wrong = 0;
    for (let step = 0; step < 5000; step++) {
      const vertex = random.integer(100);
      const gain = random.integer(20) - 10;
      if (queue.has(vertex) !== gains.has(vertex)) wrong++;
      if (!gains.has(vertex)) queue.insert(vertex, gain);
      else if (random.integer(2) === 0) queue.change(vertex, gain);
      else queue.remove(vertex);
      if (queue.has(vertex)) gains.set(vertex, gain);
      else gains.delete(vertex);
      const expected = [...gains].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? -1;
      if (queue.first !== expected) wrong++;
    }
    expect(wrong).toBe(0);
    queue.clear();
    expect(queue.first).toBe(-1);
    expect(queue.has(0)).toBe(false);
  });
});
