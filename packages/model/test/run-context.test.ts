import { openNumerics } from '@pelt/math';
import { describe, expect, it } from 'vitest';
import { CancelledError } from '../src/errors.ts';
import { checkCancelled, interruptible, type Progress, type Run, stageOf } from '../src/run-context.ts';

describe('checkCancelled', () => {
  it('passes without a context, without a signal, with a quiet signal', () => {
    checkCancelled(undefined);
    checkCancelled({});
    checkCancelled({ signal: new AbortController().signal });
  });

  it('throws once an AbortSignal or a shared flag says so', () => {
    const controller = new AbortController();
    controller.abort();
    expect(() => checkCancelled({ signal: controller.signal })).toThrow(CancelledError);

    const flag = new Int32Array(new SharedArrayBuffer(4));
    const signal = {
      get aborted() {
        return Atomics.load(flag, 0) !== 0;
      },
    };
    checkCancelled({ signal });
    Atomics.store(flag, 0, 1);
    expect(() => checkCancelled({ signal })).toThrow(CancelledError);
  });
});

describe('stageOf', () => {
  it('maps the progress of a stage into its share of the whole', () => {
    const seen: Progress[] = [];
    const stage = stageOf({ onProgress: (progress) => seen.push(progress) }, 0.25, 0.75);
    stage.onProgress?.({ stage: 'fitting', fraction: 0 });
    stage.onProgress?.({ stage: 'fitting', fraction: 0.5, detail: 'round 2' });
    stage.onProgress?.({ stage: 'fitting', fraction: 1 });
    expect(seen).toEqual([
      { stage: 'fitting', fraction: 0.25 },
      { stage: 'fitting', fraction: 0.5, detail: 'round 2' },
      { stage: 'fitting', fraction: 0.75 },
    ]);
  });

  it('nests, and passes the signal on', () => {
    const seen: number[] = [];
    const signal = { aborted: false };
    const outer = stageOf({ signal, onProgress: (progress) => seen.push(progress.fraction) }, 0.5, 1);
    const inner = stageOf(outer, 0, 0.5);
    inner.onProgress?.({ stage: 'x', fraction: 1 });
    expect(seen).toEqual([0.75]);
    expect(inner.signal).toBe(signal);
    expect(stageOf({ signal }, 0, 1)).toEqual({ signal });
    expect(stageOf(undefined, 0, 1).onProgress).toBeUndefined();
  });
});

describe('a run with numerics', () => {
  it('keeps them in its stages', async () => {
    const numerics = await openNumerics();
    const silent: Run = { numerics };
    expect(stageOf({ ...silent, onProgress: () => undefined }, 0, 0.5).numerics).toBe(numerics);
    expect(stageOf(silent, 0, 0.5)).toEqual(silent);
  });

  it('hands its signal to the kernels while it works, and back what they had', async () => {
    const numerics = await openNumerics();
    const [outer, inner] = [{ aborted: false }, { aborted: true }];
    const seen = interruptible({ numerics, signal: outer }, () => {
      expect(() =>
        interruptible({ numerics, signal: inner }, () => {
          expect(numerics.signal).toBe(inner);
          throw new CancelledError();
        }),
      ).toThrow(CancelledError);
      // A method without a signal of its own is stopped by its caller's.
      expect(interruptible({ numerics }, () => numerics.signal)).toBe(outer);
      return numerics.signal;
    });
    expect(seen).toBe(outer);
    expect(numerics.signal).toBeUndefined();
  });

  it('frees the memory of the kernels where it fails, and keeps what it returns', async () => {
    const numerics = await openNumerics();
    const before = numerics.allocatedBytes;
    const fail = () => {
      numerics.scope().f64(1000);
      throw new CancelledError();
    };
    expect(() => interruptible({ numerics }, fail)).toThrow(CancelledError);
    expect(numerics.allocatedBytes).toBe(before);
    const block = interruptible({ numerics }, () => numerics.scope().f64(1000));
    expect(block.length).toBe(1000);
    expect(numerics.allocatedBytes).toBeGreaterThan(before);
  });
});
