import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sumOfChunk } from '../src/generated/calls.ts';
import { CancelledError, DenseCholesky, type Numerics, openNumerics } from '../src/index.ts';

const GRAIN = 64;

function chunkSums(numerics: Numerics, values: Float64Array): Float64Array {
  const scope = numerics.scope();
  const sums = scope.f64(Math.ceil(values.length / GRAIN));
  sumOfChunk(numerics, values.length, GRAIN, { values: scope.f64From(values), sums, grain: GRAIN });
  const result = sums.view.slice();
  scope.dispose();
  return result;
}

describe('numerics', () => {
  const pools: Numerics[] = [];
  beforeAll(async () => {
    for (const threads of [1, 2, 3]) pools.push(await openNumerics({ threads }));
  });
  afterAll(() => {
    for (const pool of pools) pool.close();
  });

  it.each([0, 1, 2, 3, 7, 64, 65, 10_000])('gives the same bits for 1, 2 and 3 threads on %i items', (count) => {
    const values = Float64Array.from({ length: count }, (_, k) => Math.sin(k) * 1e3);
    const expected = new Float64Array(Math.ceil(count / GRAIN));
    values.forEach((value, k) => {
      expected[Math.floor(k / GRAIN)] += value;
    });
    for (const pool of pools) expect(chunkSums(pool, values)).toEqual(expected);
  });

  it('loses no chunk and does none twice where threads come late to jobs that are over', () => {
    // More threads than this machine may have cores, and jobs that are done before most of them wake up.
    for (let round = 1; round <= 3000; round++) {
      const count = GRAIN * (2 + (round % 5));
      const sums = chunkSums(pools[2], new Float64Array(count).fill(round));
      expect(sums.every((sum) => sum === GRAIN * round)).toBe(true);
    }
  });

  it('keeps no memory over 10 000 jobs', () => {
    const pool = pools[1];
    chunkSums(pool, new Float64Array(1000));
    const before = pool.allocatedBytes;
    for (let round = 0; round < 10_000; round++) chunkSums(pool, new Float64Array(200));
    expect(pool.allocatedBytes).toBe(before);
  });

  it('gives fresh views after the memory has grown', () => {
    const scope = pools[0].scope();
    const small = scope.f64From([1, 2, 3]);
    const stale = small.view;
    const large = scope.f64(4_000_000);
    large.view[3_999_999] = 7;
    expect([...small.view]).toEqual([1, 2, 3]);
    expect(stale === small.view).toBe(false);
    scope.dispose();
  });

  it('joins freed neighbours, so that a large block fits again', () => {
    const pool = pools[0];
    const scopes = Array.from({ length: 4 }, () => pool.scope());
    const blocks = scopes.map((scope) => scope.f64(1024));
    for (const k of [1, 3, 0, 2]) scopes[k].dispose();
    const again = pool.scope();
    expect(again.f64(4096).pointer).toBe(Math.min(...blocks.map((block) => block.pointer)));
    again.dispose();
  });

  it('stops at the signal and works again after it', () => {
    for (const pool of pools) {
      pool.signal = { aborted: true };
      expect(() => chunkSums(pool, new Float64Array(1000))).toThrow(CancelledError);
      pool.signal = undefined;
      expect(chunkSums(pool, new Float64Array(64).fill(1))).toEqual(Float64Array.of(64));
    }
  });

  it('frees by Symbol.dispose what it frees by name', async () => {
    const numerics = await openNumerics({ threads: 2 });
    const before = numerics.allocatedBytes;
    const scope = numerics.scope();
    scope.f64(100);
    const cholesky = new DenseCholesky(numerics, 3);
    expect(numerics.allocatedBytes).toBeGreaterThan(before + 800);
    scope[Symbol.dispose]();
    cholesky[Symbol.dispose]();
    expect(numerics.allocatedBytes).toBe(before);
    numerics[Symbol.dispose]();
    // The threads have ended; the caller's goes on.
    expect(chunkSums(numerics, new Float64Array(200).fill(1))).toEqual(Float64Array.of(64, 64, 64, 8));
  });

  it('frees what a failed computation still holds, and nothing else', () => {
    const numerics = pools[0];
    const before = numerics.allocatedBytes;
    const kept = numerics.scope();
    const block = kept.f64(100);
    const held = numerics.allocatedBytes;
    const fail = () => {
      numerics.scope().f64(1000);
      kept.f64(50);
      throw new Error('failed');
    };
    expect(() => numerics.freeOnError(fail)).toThrow('failed');
    block.view.fill(7);
    // What an older scope has allocated meanwhile is its own.
    expect(numerics.allocatedBytes).toBeGreaterThan(held);
    kept.dispose();
    expect(numerics.allocatedBytes).toBe(before);
    const scope = numerics.freeOnError(() => numerics.scope());
    scope.f64(10);
    expect(numerics.allocatedBytes).toBeGreaterThan(before);
    scope.dispose();
  });

  it('names a kernel that is not there', () => {
    expect(() => pools[0].launch('nothing', 1, 1, 0)).toThrow(/no kernel 'nothing'/);
  });
});
