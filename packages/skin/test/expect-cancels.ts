/** What every method must do when it is cancelled, wherever it happens to be: in TypeScript or in a kernel. */
import type { Numerics } from '@pelt/math';
import { CancelledError, type Run } from '@pelt/model';
import { expect } from 'vitest';

/** Seconds of processor time within which a method stops. */
const PROMPT = 1;
/** Where in the run it is cancelled, as fractions of how often it looks at its signal. */
const MOMENTS = [0.2, 0.5, 0.8];

/** A signal that counts how often it is read, turns at a given read, and measures processor time between reads. */
class CountingSignal {
  reads = 0;
  /** Longest processor time between two reads, in seconds. */
  longest = 0;
  readonly #turnsAt: number;
  #last = process.cpuUsage();

  constructor(turnsAt: number) {
    this.#turnsAt = turnsAt;
  }

  get aborted(): boolean {
    this.longest = Math.max(this.longest, this.secondsSinceRead());
    this.reads++;
    this.#last = process.cpuUsage();
    return this.reads >= this.#turnsAt;
  }

  secondsSinceRead(): number {
    const { user, system } = process.cpuUsage(this.#last);
    return 1e-6 * (user + system);
  }
}

/**
 * Runs a method to its end, then again to several moments at which it is cancelled, and checks that it looks at its
 * signal within a second of processor time, stops where it is told to, reports progress that never falls, and leaves
 * neither memory nor a signal behind.
 *
 * @param work  must take longer than the time within which it shall stop, or the check says little
 */
export function expectCancels(numerics: Numerics, work: (run: Run) => unknown): void {
  const fractions: number[] = [];
  const full = new CountingSignal(Number.POSITIVE_INFINITY);
  const started = process.cpuUsage();
  work({ numerics, signal: full, onProgress: ({ fraction }) => fractions.push(fraction) });
  full.longest = Math.max(full.longest, full.secondsSinceRead());
  const { user, system } = process.cpuUsage(started);
  expect(full.longest).toBeLessThan(PROMPT);
  expectProgress(fractions, 1e-6 * (user + system));
  const before = numerics.allocatedBytes;
  for (const moment of MOMENTS) {
    const signal = new CountingSignal(Math.max(1, Math.round(moment * full.reads)));
    expect(() => work({ numerics, signal })).toThrow(CancelledError);
    expect(signal.secondsSinceRead()).toBeLessThan(PROMPT);
    expect(numerics.signal).toBeUndefined();
    expect(numerics.allocatedBytes).toBe(before);
  }
}

/** Progress lies between 0 and 1 and never falls; a run that takes longer than a second reports some. */
function expectProgress(fractions: readonly number[], seconds: number): void {
  fractions.forEach((fraction, k) => {
    expect(fraction).toBeGreaterThanOrEqual(k === 0 ? 0 : fractions[k - 1]);
    expect(fraction).toBeLessThanOrEqual(1);
  });
  if (seconds > PROMPT) expect(fractions.length).toBeGreaterThan(1);
}
