import { describe, expect, it } from 'vitest';
import { type RowColumn, RowPath } from '../src/row-path.ts';

function rowPath(columns: readonly RowColumn[], n: number, neighbours: Uint32Array): Uint32Array {
  return new RowPath(columns, n, neighbours).improved();
}

/** n × (n − 1): every row may follow every other. */
function allOthers(n: number): Uint32Array {
  return Uint32Array.from({ length: n * (n - 1) }, (_, k) => {
    const [i, s] = [Math.floor(k / (n - 1)), k % (n - 1)];
    return s < i ? s : s + 1;
  });
}

function differences({ bytes }: { bytes: Uint8Array }, order: Uint32Array): number {
  let sum = 0;
  for (let k = 1; k < order.length; k++) sum += Math.abs(bytes[order[k]] - bytes[order[k - 1]]);
  return sum;
}

describe('the path through rows', () => {
  it('goes along a line of numbers from one end to the other, wherever it starts', () => {
    const bytes = Uint8Array.of(40, 10, 50, 20, 0, 30);
    const order = rowPath([{ bytes, stride: 1 }], 6, allOthers(6));
    expect(differences({ bytes }, order)).toBe(50);
  });

  it('takes every row once, with few neighbours too, and is no longer than the order that it was given', () => {
    const n = 200;
    const bytes = Uint8Array.from({ length: n }, (_, k) => (k * 73) % 251);
    const near = Uint32Array.from({ length: 3 * n }, (_, k) => (Math.floor(k / 3) + 1 + (k % 3)) % n);
    for (const neighbours of [near, allOthers(n)]) {
      const order = rowPath([{ bytes, stride: 1 }], n, neighbours);
      expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, k) => k));
      expect(differences({ bytes }, order)).toBeLessThan(
        differences(
          { bytes },
          Uint32Array.from({ length: n }, (_, k) => k),
        ),
      );
    }
  });

  it('is the same again, and has answers for one row and for equal rows', () => {
    const bytes = Uint8Array.from({ length: 60 }, (_, k) => (k * k) % 97);
    const columns = [{ bytes, stride: 3 }];
    expect(rowPath(columns, 20, allOthers(20))).toEqual(rowPath(columns, 20, allOthers(20)));
    expect([...rowPath([{ bytes: Uint8Array.of(5), stride: 1 }], 1, new Uint32Array(0))]).toEqual([0]);
    expect(rowPath([{ bytes: new Uint8Array(8), stride: 1 }], 8, allOthers(8))).toHaveLength(8);
  });
});
